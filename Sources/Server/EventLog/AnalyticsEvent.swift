package import Foundation
package import SubGuardDomain

/// An event that passed every rule and may be stored.
package struct AnalyticsEvent: Sendable, Hashable {
    /// Made by the device; decides what is a duplicate.
    package let id: UUID
    package let definition: EventDefinition
    package let userID: UserHash
    /// The device's timestamp after the repair of its clock.
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
