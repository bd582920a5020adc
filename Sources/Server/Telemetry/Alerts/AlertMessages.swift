import Cryptography
import Foundation
import JSONWire
package import Mail
package import SubGuardDomain
import TextCoding

/// The body for the operator's own webhook, and the header fields that authenticate it.
package struct WebhookMessage: Sendable {
    package let body: [UInt8]
    /// Names and values of header fields.
    package let fields: [(name: String, value: String)]

    /// Signs the body with the time of this attempt, so that a replayed message expires:
    /// `HMAC-SHA256(secret, timestamp + "." + body)`, the timestamp in whole seconds since 1970.
    package init(_ delivery: AlertDelivery, secret: String, sentAt: UTCInstant) {
        let body = Self.body(of: delivery)
        let timestamp = String(sentAt.secondsSinceEpoch)
        let code = HMACKey(secret.utf8).code(for: Array("\(timestamp).".utf8) + body)
        self.body = body
        fields = [
            ("Content-Type", "application/json"), ("X-SubGuard-Delivery", delivery.id.lowercased),
            ("X-SubGuard-Timestamp", timestamp), ("X-SubGuard-Signature", "sha256=\(Hexadecimal.text(code))"),
        ]
    }

    private static func body(of delivery: AlertDelivery) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.field("id", delivery.id.lowercased)
            switch delivery.subject {
            case .threshold(let users, let userCount):
                writer.field("type", "threshold.reached")
                writer.field("threshold", users)
                writer.field("user_count", userCount)
                writer.field("fired_at", delivery.createdAt.rfc3339)
            case .storage(let notice):
                writer.field("type", "storage.\(notice.level.rawValue)")
                writer.field("reason", notice.isDisk ? "disk" : "store")
                writer.field(notice.isDisk ? "free_bytes" : "used_bytes", notice.bytes)
                writer.field("limit_bytes", notice.limitBytes)
                writer.field("created_at", delivery.createdAt.rfc3339)
            case .rule(let notice):
                writer.field("type", notice.isFiring ? "rule.firing" : "rule.recovered")
                writer.field("rule_id", notice.ruleID.lowercased)
                writer.field("name", notice.name)
                writer.field("figure", notice.figure.rawValue)
                writer.field("comparison", notice.comparison.rawValue)
                writer.field("value", JSONValue.number(notice.value.text))
                writer.field("window", notice.window?.text)
                writer.field("measured", notice.measured.map { JSONValue.number($0.text) } ?? .null)
                writer.field("sample", notice.sample)
                writer.field("created_at", delivery.createdAt.rfc3339)
            case .digest(let digest):
                writer.field("type", "digest")
                digest.write(to: &writer)
                writer.field("created_at", delivery.createdAt.rfc3339)
            case .test:
                writer.field("type", "test")
                writer.field("created_at", delivery.createdAt.rfc3339)
            }
            writer.field("text", AlertNotice(delivery).sentence)
        }
    }
}

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

/// The text of an alert.
struct AlertNotice {
    /// One line.
    let title: String
    let sentence: String

    init(_ delivery: AlertDelivery) {
        switch delivery.subject {
        case .threshold(let users, let userCount):
            title = "SubGuard: \(Self.grouped(users)) users reached"
            sentence =
                "SubGuard has reached \(Self.grouped(users)) users and had \(Self.grouped(userCount)) at "
                + "\(delivery.createdAt.rfc3339)."
        case .storage(let notice):
            let level = notice.level == .full ? "full" : "nearly full"
            title = "SubGuard: the \(notice.isDisk ? "disk" : "store") is \(level)"
            let numbers =
                notice.isDisk
                ? "\(Self.mebibytes(notice.bytes)) MiB of disk space are free; "
                    + "\(Self.mebibytes(notice.limitBytes)) MiB must stay free"
                : "The database uses \(Self.mebibytes(notice.bytes)) of \(Self.mebibytes(notice.limitBytes)) MiB"
            let effect =
                notice.level == .full
                ? "Requests from devices are rejected with 503 until there is space."
                : "When it is full, requests from devices are rejected with 503."
            sentence = "\(numbers), measured at \(delivery.createdAt.rfc3339). \(effect)"
        case .rule(let notice):
            title = notice.title
            sentence = notice.sentence(at: delivery.createdAt)
        case .digest(let digest):
            title = digest.title
            sentence = digest.sentence(at: delivery.createdAt)
        case .test:
            title = "SubGuard: test alert"
            sentence = "This is a test alert, requested at \(delivery.createdAt.rfc3339)."
        }
    }

    private static func mebibytes(_ bytes: Int64) -> String { grouped(bytes >> 20) }

    private static func grouped(_ number: Int64) -> String { AmountStyle.english.grouped(Int(number)) }
}
