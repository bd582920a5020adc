import JSONWire
import SubGuardDomain
import TextCoding

/// The body for a Slack incoming webhook: blocks, and the plain text shown in notifications.
package enum SlackMessage {
    package static func body(of delivery: AlertDelivery) -> [UInt8] {
        let notice = AlertNotice(delivery)
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.field("text", escaped(notice.sentence))
        writer.key("blocks")
        writer.beginArray()
        // A header takes plain text only, which is not escaped.
        block("header", "plain_text", notice.title, to: &writer)
        block("section", "mrkdwn", escaped(notice.sentence), to: &writer)
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    /// Escapes the three special characters of Slack.
    static func escaped(_ text: String) -> String {
        text.escaping(["&": "&amp;", "<": "&lt;", ">": "&gt;"])
    }

    private static func block(_ type: String, _ textType: String, _ text: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("type", type)
        writer.key("text")
        writer.beginObject()
        writer.field("type", textType)
        writer.field("text", text)
        writer.endObject()
        writer.endObject()
    }
}
