package import Foundation
package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// The append-only record of every change.
package struct AuditLog: Sendable {
    let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// Records a change in the transaction that makes it, so that both are committed or neither is.
    ///
    /// Throws ``BackendError/forbidden(detail:)`` if the actor's token has ended, which may happen while the change
    /// waits for other writers.
    package static func append(
        in transaction: any SQLTransaction, _ change: AuditChange, at instant: UTCInstant
    ) throws { try append(in: transaction, [change], at: instant) }

    /// The same for changes of one actor, in their order.
    package static func append(
        in transaction: any SQLTransaction, _ changes: [AuditChange], at instant: UTCInstant
    ) throws {
        guard let first = changes.first else { return }
        let actor = first.outlivesToken ? nil : first.actor.tokenID
        let isValid = """
            AND NOT EXISTS (SELECT 1 FROM access_tokens
                WHERE id = ? AND (is_revoked = 1 OR revoked_at <= ? OR expires_at <= ?))
            """
        // The update comes first, because it locks the row against other processes.
        let head = try transaction.first(
            """
            UPDATE audit_heads SET entry_count = entry_count + ? WHERE id = 1 \(actor == nil ? "" : isValid)
            RETURNING entry_count, hash
            """,
            [.integer(Int64(changes.count))] + (actor.map { [.uuid($0), .instant(instant), .instant(instant)] } ?? [])
        ) { (count: try $0.integer(0), hash: try $0.blob(1)) }
        guard let head else {
            guard actor == nil else { throw Actor.ended }
            throw SQLError(code: .corrupt, number: 0, context: "audit_heads row missing")
        }
        var (sequence, hash) = (head.count - Int64(changes.count), head.hash)
        let rows: [[SQLValue]] = changes.map { change in
            sequence += 1
            hash = AuditDigest.hash(previous: hash, sequence: sequence, happenedAt: instant, change: change)
            return [
                .integer(sequence), .instant(instant), .uuid(orNull: change.actor.tokenID),
                .text(change.actor.name), .text(orNull: change.actor.requestID), .text(change.action),
                .uuid(orNull: change.subjectID), .text(orNull: change.before), .text(orNull: change.after),
                .blob(hash), .text(orNull: change.actor.claimID),
            ]
        }
        try transaction.execute(
            """
            INSERT INTO audit_entries (sequence, happened_at, actor_token_id, actor_name, request_id, action,
                subject_id, before_json, after_json, hash, claim_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, rows: rows)
        try transaction.execute("UPDATE audit_heads SET hash = ? WHERE id = 1", [.blob(hash)])
    }

    /// The same for a change that nothing else needs as a value.
    package static func append(
        _ action: AuditAction, of subject: UUID? = nil, before: String? = nil, after: String? = nil, by actor: Actor,
        at instant: UTCInstant, in transaction: any SQLTransaction
    ) throws {
        let change = AuditChange(actor: actor, action: action, subjectID: subject, before: before, after: after)
        try append(in: transaction, change, at: instant)
    }

    /// Records an action that changes nothing in the database.
    package func append(_ change: AuditChange) throws {
        let now = context.now()
        try context.store.write { try Self.append(in: $0, change, at: now) }
    }

    /// Newest first. `after` is the sequence of the last entry already seen; nil starts at the newest.
    package func list(after sequence: Int64?, limit: Int) throws -> [AuditEntry] {
        try list(matching: AuditFilter(), after: sequence, limit: limit)
    }

    package static let columns = """
        sequence, happened_at, actor_token_id, actor_name, request_id, action, subject_id, before_json, after_json, hash
        """

    /// Reads every row and recomputes the chain, on one snapshot, with memory for few rows at a time.
    package func verify() throws -> AuditVerification {
        try context.store.read { session in
            var hash = AuditDigest.origin
            var count: Int64 = 0
            var firstBroken: AuditVerification.Break?
            try session.scan("SELECT \(Self.columns) FROM audit_entries ORDER BY sequence", []) { row in
                guard firstBroken == nil else { return }
                firstBroken = Self.reason(of: row, expected: count + 1, previous: hash)
                    .map { AuditVerification.Break(sequence: count + 1, reason: $0) }
                guard firstBroken == nil else { return }
                count += 1
                hash = try row.blob(9)
            }
            if firstBroken == nil {
                firstBroken = try Self.breakAtHead(session, count: count, hash: hash)
            }
            return AuditVerification(count: count, firstBroken: firstBroken)
        }
    }

    private static func reason(
        of row: any SQLRow, expected sequence: Int64, previous: [UInt8]
    ) -> AuditVerification.Break.Reason? {
        guard let entry = try? entry(row) else { return .malformed }
        guard entry.sequence == sequence else { return .missing }
        let hash = AuditDigest.hash(
            previous: previous, sequence: entry.sequence, happenedAt: entry.happenedAt, change: entry.change)
        return hash == entry.hash ? nil : .altered
    }

    private static func breakAtHead(
        _ session: any SQLSession, count: Int64, hash: [UInt8]
    ) throws -> AuditVerification.Break? {
        let head = try session.first("SELECT entry_count, hash FROM audit_heads WHERE id = 1") {
            (count: try $0.integer(0), hash: try $0.blob(1))
        }
        guard let head, head.count <= count else {
            return AuditVerification.Break(sequence: count + 1, reason: .missing)
        }
        guard head.count == count, head.hash == hash else {
            return AuditVerification.Break(sequence: max(count, 1), reason: .headDiffers)
        }
        return nil
    }

    package static func entry(_ row: any SQLRow) throws -> AuditEntry {
        let actor = Actor(
            tokenID: try row.optionalUUID(2), name: try row.text(3), requestID: try row.optionalText(4))
        let change = AuditChange(
            actor: actor, stored: try row.text(5), subjectID: try row.optionalUUID(6),
            before: try row.optionalText(7), after: try row.optionalText(8))
        return AuditEntry(
            sequence: try row.integer(0), happenedAt: try row.instant(1), change: change, hash: try row.blob(9))
    }
}

/// A transaction in which one actor makes changes, all at one moment, each with its row in the audit log.
package struct AuditedTransaction: SQLTransaction {
    private let transaction: any SQLTransaction
    package let actor: Actor
    /// The moment of all its changes: before it began, or, where the maker waits for other writers first, after that.
    package let now: UTCInstant

    init(_ transaction: any SQLTransaction, by actor: Actor, at now: UTCInstant) {
        self.transaction = transaction
        self.actor = actor
        self.now = now
    }

    /// Records a change, as ``AuditLog/append(_:of:before:after:by:at:in:)``.
    package func audit(
        _ action: AuditAction, of subject: UUID? = nil, before: String? = nil, after: String? = nil
    ) throws {
        try AuditLog.append(action, of: subject, before: before, after: after, by: actor, at: now, in: transaction)
    }

    package func forEach(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        try transaction.forEach(sql, arguments, visit)
    }

    package func scan(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        try transaction.scan(sql, arguments, visit)
    }

    package func forEach(_ sql: String, rows: [[SQLValue]], _ visit: (Int, any SQLRow) throws -> Void) throws {
        try transaction.forEach(sql, rows: rows, visit)
    }

    package func forEach(
        _ statement: SQLBatchStatement, rows: [[SQLValue]], _ visit: (Int, any SQLRow) throws -> Void
    ) throws { try transaction.forEach(statement, rows: rows, visit) }

    package func enter(_ lane: SQLWriteLane) throws { try transaction.enter(lane) }

    @discardableResult
    package func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try transaction.execute(sql, arguments)
    }
}

extension BackendContext {
    /// Runs a transaction in which an actor makes changes.
    @discardableResult
    package func write<Result>(
        by actor: Actor, _ body: (AuditedTransaction) throws -> Result
    ) throws -> Result { try write { try body(AuditedTransaction($0, by: actor, at: $1)) } }
}
