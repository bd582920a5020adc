package import Foundation
package import SQLDatabase
package import SubGuardDomain

/// Reads the raw events as they are stored. Verification knows no more of how they are stored than this.
package protocol EventHistory: Sendable {
    /// Calls `visit` once for each raw event that is still there, in any order.
    func forEach(in session: any SQLSession, _ visit: (RecordedEvent) throws -> Void) throws

    /// Every accepted event that occurred from then on is still there; nil while none was ever purged.
    func completeFrom(in session: any SQLSession) throws -> UTCInstant?
}

/// What the figures use of a raw event.
package struct RecordedEvent: Sendable {
    /// As in the registry.
    package let name: String
    /// `users.id`.
    package let userID: Int64
    package let occurredAt: UTCInstant
    package let catalogueItemID: UUID?

    package init(name: String, userID: Int64, occurredAt: UTCInstant, catalogueItemID: UUID?) {
        self.name = name
        self.userID = userID
        self.occurredAt = occurredAt
        self.catalogueItemID = catalogueItemID
    }
}

/// One row an event, as 0005-analytics.sql has it.
package struct EventTable: EventHistory {
    package init() {}

    package func forEach(in session: any SQLSession, _ visit: (RecordedEvent) throws -> Void) throws {
        let sql = """
            SELECT n.name, e.user_id, e.occurred_at,
                CASE n.name WHEN 'subscription_added' THEN CAST(e.properties AS BLOB) END
            FROM events e JOIN event_names n ON n.id = e.event_name_id
            """
        try session.forEach(sql, []) { row in
            try visit(
                RecordedEvent(
                    name: try row.text(0), userID: try row.integer(1), occurredAt: try row.instant(2),
                    catalogueItemID: try row.optionalBlob(3).flatMap(AnalyticsEvent.catalogueItemID(in:))))
        }
    }

    package func completeFrom(in session: any SQLSession) throws -> UTCInstant? { nil }
}
