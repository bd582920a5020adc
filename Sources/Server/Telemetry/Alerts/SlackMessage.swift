import JSONWire
package import Mail
package import SubGuardDomain
import TextCoding

/// The body for a Slack incoming webhook: blocks, and the plain text shown in notifications.
package enum SlackMessage {
    package static func body(of delivery: AlertDelivery) -> [UInt8] {
        let notice = AlertNotice(delivery)
        return JSONWriter.bytes { writer in
            writer.field("text", escaped(notice.sentence))
            writer.array("blocks") { writer in
                // A header takes plain text only, which is not escaped.
                block("header", "plain_text", notice.title, to: &writer)
                block("section", "mrkdwn", escaped(notice.sentence), to: &writer)
            }
        }
    }

    /// Escapes the three special characters of Slack.
    static func escaped(_ text: String) -> String {
        text.escaping(["&": "&amp;", "<": "&lt;", ">": "&gt;"])
    }

    private static func block(_ type: String, _ textType: String, _ text: String, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("type", type)
            writer.object("text") { writer in
                writer.field("type", textType)
                writer.field("text", text)
            }
        }
    }
}

/// The mail of an alert.
package enum AlertEmail {
    /// The message in ASCII, with CR LF line endings.
    package static func bytes(
        of delivery: AlertDelivery, from: EmailMailbox, to recipients: [EmailMailbox], sentAt: UTCInstant
    ) -> [UInt8] {
        let notice = AlertNotice(delivery)
        return EmailMessage(
            from: from, to: recipients, subject: notice.title, text: notice.sentence, id: delivery.id.lowercased,
            sentAt: sentAt.secondsSinceEpoch
        ).bytes
    }
}
