package import EventLog
package import Foundation
package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Reads the stored raw events. Verification does not depend on how they are stored.
package protocol EventHistory: Sendable {
    /// Calls `visit` once for each raw event that the figures should include, in any order.
    func forEach(in session: any SQLSession, _ visit: (RecordedEvent) throws -> Void) throws

    /// The number of raw events, including those not counted yet.
    func count(in session: any SQLSession) throws -> Int

    /// Accepted events that occurred from this instant on are complete; nil if none were ever purged.
    func completeFrom(in session: any SQLSession) throws -> UTCInstant?
}

/// The part of a raw event that figures use.
package struct RecordedEvent: Sendable {
    /// The name in the registry.
    package let name: String
    package let userID: UserHash
    package let occurredAt: UTCInstant
    package let receivedAt: UTCInstant
    package let catalogueItemID: UUID?
    /// Compact JSON with members sorted by name; nil if there are none.
    package let properties: [UInt8]?
}

/// The raw events of the event log.
package struct LoggedHistory: EventHistory {
    package init() {}

    package func forEach(in session: any SQLSession, _ visit: (RecordedEvent) throws -> Void) throws {
        try EventLogReader.forEach(in: session, stagedOnly: true) { event in
            let item =
                event.name == "subscription_added" ? event.properties.flatMap(AnalyticsEvent.catalogueItemID(in:)) : nil
            try visit(
                RecordedEvent(
                    name: event.name, userID: event.userID, occurredAt: event.occurredAt,
                    receivedAt: event.receivedAt, catalogueItemID: item, properties: event.properties))
        }
    }

    package func count(in session: any SQLSession) throws -> Int { try EventLogReader.count(in: session) }

    package func completeFrom(in session: any SQLSession) throws -> UTCInstant? {
        try EventLogReader.completeFrom(in: session)
    }
}
