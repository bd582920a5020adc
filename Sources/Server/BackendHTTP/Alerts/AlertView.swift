import Backend
import JSONWire
import SubGuardDomain

/// How alerts look on the wire.
enum AlertView {
    static func writeThresholds(_ list: AlertThresholdList, to writer: inout JSONWriter) {
        writer.key("thresholds")
        writer.beginArray()
        for threshold in list.thresholds {
            writer.beginObject()
            writer.field("threshold", threshold.users)
            writer.field("active", threshold.isActive)
            writer.field("fired_at", threshold.firedAt?.rfc3339)
            writer.field("user_count", threshold.userCount)
            writer.endObject()
        }
        writer.endArray()
    }

    static func writeChannels(_ channels: [AlertChannelStatus], to writer: inout JSONWriter) {
        writer.key("channels")
        writer.beginArray()
        for channel in channels {
            writer.beginObject()
            writer.field("channel", channel.target.channel.rawValue)
            writer.field("target", channel.target.label)
            writer.field("disabled_at", channel.disabledAt?.rfc3339)
            writer.field("disabled_reason", channel.disabledReason)
            writer.endObject()
        }
        writer.endArray()
    }

    static func writeDeliveries(_ deliveries: [AlertDelivery], as name: String, to writer: inout JSONWriter) {
        writer.key(name)
        writer.beginArray()
        for delivery in deliveries { write(delivery, to: &writer) }
        writer.endArray()
    }

    private static func write(_ delivery: AlertDelivery, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", delivery.id.lowercased)
        switch delivery.subject {
        case .threshold(let users, _):
            writer.field("kind", "threshold")
            writer.field("threshold", users)
        case .storage:
            writer.field("kind", "storage")
            writer.field("threshold", nil as Int64?)
        case .test:
            writer.field("kind", "test")
            writer.field("threshold", nil as Int64?)
        }
        writer.field("channel", delivery.channel.rawValue)
        writer.field("target", delivery.target)
        writer.field("status", delivery.state.rawValue)
        writer.field("attempts", delivery.attempts)
        writer.field("created_at", delivery.createdAt.rfc3339)
        writer.field("last_attempt_at", delivery.lastAttemptAt?.rfc3339)
        writer.field("next_attempt_at", delivery.nextAttemptAt?.rfc3339)
        writer.field("delivered_at", delivery.deliveredAt?.rfc3339)
        writer.field("last_error", delivery.lastError)
        writer.endObject()
    }
}
