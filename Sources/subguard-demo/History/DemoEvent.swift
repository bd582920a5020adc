package import Foundation
package import JSONWire
package import SubGuardDomain

/// An event as a device sends it.
package struct DemoEvent: Sendable, Hashable {
    package let id: UUID
    package let name: String
    /// 64 hexadecimal digits.
    package let userID: String
    package let timestamp: UTCInstant
    package let properties: JSONObject

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
    package static func body(of events: some Collection<DemoEvent>) -> [UInt8] {
        var writer = JSONWriter(capacity: 32 + events.count * 448)
        writer.beginObject()
        writer.key("events")
        writer.beginArray()
        for event in events { event.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}
