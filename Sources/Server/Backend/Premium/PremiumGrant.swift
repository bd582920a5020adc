import Foundation
import JSONWire
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Premium that the operator gave to an account.
package struct PremiumGrant: Sendable, Hashable {
    /// The last day, in UTC.
    package let untilOn: CalendarDay
    /// The operator's; 1 to 500 characters.
    package let note: String?
    package let grantedAt: UTCInstant

    /// The longest grant, in days from today: 100 years.
    package static let maximumDays = 36_525

    /// The end of the last day.
    package var endsAt: UTCInstant { UTCInstant(startOf: untilOn).adding(days: 1) }

    package func isActive(at now: UTCInstant) -> Bool { now < endsAt }

    /// For the audit log. Without the note: it may name a person, and the log cannot forget.
    var auditJSON: String {
        var json = JSONWriter()
        json.beginObject()
        json.field("until", untilOn.description)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// The premium_grants table and its rows.
enum PremiumGrantRow {
    static func find(_ accountID: UUID, in session: any SQLSession) throws -> PremiumGrant? {
        try list(of: [accountID], in: session)[accountID]
    }

    static func list(of accounts: [UUID], in session: any SQLSession) throws -> [UUID: PremiumGrant] {
        guard let ids = SQLIDList(accounts) else { return [:] }
        let rows = try session.query(
            """
            SELECT account_id, until_on, note, granted_at FROM premium_grants WHERE account_id IN \(ids.placeholders)
            """, ids.arguments
        ) { row in
            (
                try row.uuid(0),
                PremiumGrant(
                    untilOn: try row.day(1), note: try row.optionalText(2), grantedAt: try row.instant(3))
            )
        }
        return Dictionary(rows) { first, _ in first }
    }

    static func save(_ grant: PremiumGrant, accountID: UUID, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO premium_grants (account_id, until_on, note, granted_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (account_id) DO UPDATE SET
                until_on = excluded.until_on, note = excluded.note, granted_at = excluded.granted_at
            """, [.uuid(accountID), .day(grant.untilOn), .text(orNull: grant.note), .instant(grant.grantedAt)])
    }
}
