package import Foundation
import JSONWire
package import SubGuardDomain

/// A valid event, ready to be stored.
package struct AnalyticsEvent: Sendable, Hashable {
    /// Made by the device; identifies duplicates.
    package let id: UUID
    package let definition: EventDefinition
    package let userID: UserHash
    /// The device's timestamp, corrected by the server's clock.
    package let timestamp: UTCInstant
    /// Compact JSON with the members in the order of their names, or nil when there are none.
    package let properties: [UInt8]?

    package init(
        id: UUID, definition: EventDefinition, userID: UserHash, timestamp: UTCInstant, properties: [UInt8]?
    ) {
        self.id = id
        self.definition = definition
        self.userID = userID
        self.timestamp = timestamp
        self.properties = properties
    }
}

extension AnalyticsEvent {
    /// The catalogue item that the event names, or nil.
    package var catalogueItemID: UUID? { properties.flatMap(Self.catalogueItemID(in:)) }

    /// The item named in an event's properties as they are stored.
    package static func catalogueItemID(in properties: [UInt8]) -> UUID? {
        let id = try? JSONReader.read(properties) { reader throws(JSONError) -> UUID? in
            try reader.beginObject()
            while let key = try reader.nextKey() {
                guard key == "catalogue_item_id" else {
                    try reader.skipValue()
                    continue
                }
                return try reader.readRawString().withDecodedBytes { UUID(strictBytes: $0) }
            }
            return nil
        }
        return id ?? nil
    }
}
