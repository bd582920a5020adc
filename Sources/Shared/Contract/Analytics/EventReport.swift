package import Foundation
package import JSONWire
package import SubGuardDomain

/// An event as a device sends it.
package struct EventReport: Sendable, Hashable {
    package let id: UUID
    package let name: String
    /// 64 hexadecimal digits.
    package let userID: String
    package let timestamp: UTCInstant
    package let properties: JSONObject

    package init(id: UUID, name: String, userID: String, timestamp: UTCInstant, properties: JSONObject) {
        self.id = id
        self.name = name
        self.userID = userID
        self.timestamp = timestamp
        self.properties = properties
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id.lowercased)
        writer.field("name", name)
        writer.field("user_id", userID)
        writer.field("timestamp", timestamp.rfc3339)
        writer.field("properties", .object(properties))
        writer.endObject()
    }

    /// The body of a request with these events.
    ///
    /// - Parameter sentAt: what the device's clock says, by which the server repairs its skew; nil leaves it out.
    package static func body(of events: some Collection<EventReport>, sentAt: UTCInstant? = nil) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + events.count * 448)
        writer.beginObject()
        writer.key("events")
        writer.beginArray()
        for event in events { event.write(to: &writer) }
        writer.endArray()
        if let sentAt { writer.field("sent_at", sentAt.rfc3339) }
        writer.endObject()
        return writer.bytes
    }
}
