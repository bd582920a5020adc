import Cryptography
import Foundation
import JSONWire
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
