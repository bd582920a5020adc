package import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
package import SubGuardContract
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
        JSONWriter.text { json in
            json.field("until", untilOn.description)
        }
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

/// An account as an operator sees it.
package struct CustomerAccount: Sendable {
    package let id: UUID
    package let createdAt: UTCInstant
    /// The hash of the id with which the person signs in.
    package let subjectHash: [UInt8]
    package let premium: Premium
    /// Also one that has ended.
    package let grant: PremiumGrant?
}

/// Accounts for operators, and premium that they give.
extension PremiumStore {
    /// Newest first.
    ///
    /// - Parameters:
    ///   - last: the last account already seen; nil starts at the newest.
    ///   - id: only this account.
    package func accounts(after last: UUID?, limit: Int, only id: UUID? = nil) throws -> [CustomerAccount] {
        try context.store.read { session in
            var (conditions, arguments): ([String], [SQLValue]) = ([], [])
            if let last { (conditions, arguments) = (["id < ?"], [.uuid(last)]) }
            if let id {
                conditions.append("id = ?")
                arguments.append(.uuid(id))
            }
            let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
            return try Self.customers(
                "\(filter) ORDER BY id DESC LIMIT ?", arguments + [.integer(Int64(limit))], self, in: session)
        }
    }

    /// Nil for an account that does not exist.
    package func account(_ id: UUID) throws -> CustomerAccount? { try accounts(after: nil, limit: 1, only: id).first }

    private static func customers(
        _ rest: String, _ arguments: [SQLValue], _ store: PremiumStore, in session: any SQLSession
    ) throws -> [CustomerAccount] {
        let rows = try session.query(
            "SELECT id, created_at, subject_hash, purchase_token FROM accounts \(rest)", arguments
        ) { (id: try $0.uuid(0), createdAt: try $0.instant(1), hash: try $0.blob(2), token: try $0.uuid(3)) }
        let ids = rows.map(\.id)
        let (purchases, grants) = (
            try PurchaseRow.list(of: ids, in: session), try PremiumGrantRow.list(of: ids, in: session)
        )
        return rows.map { row in
            CustomerAccount(
                id: row.id, createdAt: row.createdAt, subjectHash: row.hash,
                premium: store.premium(
                    of: row.id, token: row.token, purchases[row.id] ?? [], grants[row.id]), grant: grants[row.id])
        }
    }

    /// Gives premium until the end of a day in UTC, in place of what was given before. Repeating it changes nothing.
    ///
    /// Throws ``BackendError/notFound(what:)``, and ``BackendError/invalid(_:)`` for a day before today or more than
    /// ``PremiumGrant/maximumDays`` ahead.
    package func grant(
        _ id: UUID, until day: CalendarDay, note: String?, by actor: Actor
    ) throws -> CustomerAccount {
        let now = context.now()
        guard day >= now.day, day <= now.day.adding(days: PremiumGrant.maximumDays) else {
            throw BackendError.invalid([
                Fault("#/until", .outOfRange, "Must be from today (UTC) to 100 years ahead.")
            ])
        }
        return try context.store.write { transaction in
            let before = try find(id, in: transaction).grant
            if before?.untilOn != day || before?.note != note {
                let grant = PremiumGrant(untilOn: day, note: note, grantedAt: now)
                try PremiumGrantRow.save(grant, accountID: id, in: transaction)
                try AuditLog.append(
                    .premiumGrant, of: id, before: before?.auditJSON, after: grant.auditJSON, by: actor, at: now,
                    in: transaction)
            }
            return try find(id, in: transaction)
        }
    }

    /// Takes back what the operator gave; what was bought stays. Repeating it changes nothing.
    ///
    /// Throws ``BackendError/notFound(what:)``.
    package func revokeGrant(_ id: UUID, by actor: Actor) throws {
        try context.write(by: actor) { transaction in
            guard let before = try find(id, in: transaction).grant else { return }
            try transaction.execute("DELETE FROM premium_grants WHERE account_id = ?", [.uuid(id)])
            try transaction.audit(.premiumRevoke, of: id, before: before.auditJSON)
        }
    }

    private func find(_ id: UUID, in session: any SQLSession) throws -> CustomerAccount {
        try Self.customers("WHERE id = ?", [.uuid(id)], self, in: session).first.orNotFound("account")
    }
}
