import Cryptography
package import Foundation
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Stores responses to requests with an `Idempotency-Key`, so that a repeated request is carried out once.
package struct IdempotencyStore: Sendable {
    /// How long a response is replayed.
    package static let lifetimeHours: Int64 = 24
    /// After this time a request without a response is considered dead.
    static let leaseSeconds: Int64 = 600

    /// The identity of a request: caller, key and content.
    package struct Claim: Sendable, Hashable {
        package let tokenID: UUID
        /// SHA-256 of the key.
        let keyHash: [UInt8]
        /// SHA-256 of method, target, media type, coding and body.
        let fingerprint: [UInt8]
        /// Random: a client chooses the id of its request, and may use it again.
        package let id: String

        /// `content` contains every part that distinguishes one request from another.
        package init(tokenID: UUID, key: String, content: [[UInt8]]) {
            self.tokenID = tokenID
            id = UUID().lowercased
            keyHash = SHA256.hash(of: key.utf8)
            var hash = SHA256()
            for part in content {
                // Lengths precede the parts, so that their boundaries are unambiguous.
                hash.update(withUnsafeBytes(of: UInt64(part.count).bigEndian) { Array($0) })
                hash.update(part)
            }
            fingerprint = hash.finish()
        }
    }

    package enum State: Sendable, Equatable {
        /// A new request: carry it out, then call ``finish(_:sealed:)``, ``abandon(_:)`` or ``fail(_:)``.
        case new
        /// It was carried out; this is its response as passed to ``finish(_:sealed:)``.
        case answered([UInt8])
        /// The first request is running, or its server died; it is considered dead after this many seconds, at least 1.
        case running(leaseSeconds: Int64)
        /// The key belongs to a different request.
        case otherContent
        /// It made its change, but its response was lost.
        case answerLost
    }

    private let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// Claims the key in one transaction: of two simultaneous requests, one is ``State/new``.
    package func begin(_ claim: Claim) throws -> State {
        try context.write { transaction, now in
            let row = try transaction.first(
                """
                SELECT fingerprint, request_id, started_at, lease_until, sealed_answer, \(Self.auditCount)
                FROM idempotent_answers WHERE token_id = ? AND key_hash = ?
                """, [.uuid(claim.tokenID), .blob(claim.keyHash)]
            ) { row in
                (
                    fingerprint: try row.blob(0), id: try row.text(1), startedAt: try row.instant(2),
                    leaseUntil: try row.instant(3), answer: row.isNull(4) ? nil : try row.blob(4),
                    auditCount: try row.integer(5)
                )
            }
            guard let row, row.startedAt.adding(seconds: Self.lifetimeHours * 3600) > now else {
                try insert(claim, at: now, in: transaction)
                return .new
            }
            guard row.fingerprint == claim.fingerprint else { return .otherContent }
            if let answer = row.answer { return .answered(answer) }
            guard row.leaseUntil <= now else {
                return .running(leaseSeconds: (now.milliseconds(until: row.leaseUntil) + 999) / 1000)
            }
            guard try !Self.hasChanged(row.id, of: claim, after: row.auditCount, in: transaction) else {
                return .answerLost
            }
            try insert(claim, at: now, in: transaction)
            return .new
        }
    }

    private static let auditCount = "coalesce(audit_count, 0)"

    /// Reads only rows since the request began: the log is kept for ever, and other writers wait meanwhile. Servers
    /// before 0027 wrote the request's own id in both places.
    static let searchForChange = """
        SELECT 1 FROM audit_entries
        WHERE sequence > ? AND actor_token_id = ? AND coalesce(claim_id, request_id) = ? LIMIT 1
        """

    /// Whether a request has changed something: its audit row is written with its change.
    private static func hasChanged(
        _ id: String, of claim: Claim, after count: Int64, in session: any SQLSession
    ) throws -> Bool {
        try session.exists(searchForChange, [.integer(count), .uuid(claim.tokenID), .text(id)])
    }

    /// Stores the response.
    package func finish(_ claim: Claim, sealed answer: [UInt8]) throws {
        try context.store.write { transaction in
            try transaction.execute(
                """
                UPDATE idempotent_answers SET sealed_answer = ?
                WHERE token_id = ? AND key_hash = ? AND request_id = ?
                """, [.blob(answer), .uuid(claim.tokenID), .blob(claim.keyHash), .text(claim.id)])
        }
    }

    /// Releases the key: the request changed nothing.
    package func abandon(_ claim: Claim) throws {
        try context.store.write { transaction in
            try transaction.execute(
                """
                DELETE FROM idempotent_answers
                WHERE token_id = ? AND key_hash = ? AND request_id = ? AND sealed_answer IS NULL
                """, [.uuid(claim.tokenID), .blob(claim.keyHash), .text(claim.id)])
        }
    }

    /// Ends a request that failed. It may have made its change all the same: the connection was lost with COMMIT, or a
    /// later step failed. Then the key is kept, and ``begin(_:)`` says ``State/answerLost``; otherwise it is released.
    ///
    /// If this throws, the lease goes on, and ``begin(_:)`` decides after it.
    package func fail(_ claim: Claim) throws {
        // A writer waits for the transaction whose COMMIT may still be running.
        try context.store.write { transaction in
            let own: [SQLValue] = [.uuid(claim.tokenID), .blob(claim.keyHash), .text(claim.id)]
            let unanswered = "token_id = ? AND key_hash = ? AND request_id = ? AND sealed_answer IS NULL"
            let auditCount = try transaction.integer(
                "SELECT \(Self.auditCount) FROM idempotent_answers WHERE \(unanswered)", own)
            guard let auditCount else { return }
            let hasChanged = try Self.hasChanged(claim.id, of: claim, after: auditCount, in: transaction)
            try transaction.execute(
                hasChanged
                    ? "UPDATE idempotent_answers SET lease_until = started_at WHERE \(unanswered)"
                    : "DELETE FROM idempotent_answers WHERE \(unanswered)", own)
        }
    }

    /// Ends the leases of requests without a response that began before the instant: their server is known to have
    /// ended. The next ``begin(_:)`` determines whether they changed anything. Returns their number.
    @discardableResult
    package func release(startedBefore instant: UTCInstant) throws -> Int {
        try context.write { transaction, now in
            try transaction.execute(
                """
                UPDATE idempotent_answers SET lease_until = started_at
                WHERE sealed_answer IS NULL AND started_at < ? AND lease_until > ?
                """, [.instant(instant), .instant(now)])
        }
    }

    /// Deletes expired responses. Returns their number.
    @discardableResult
    package func purge() throws -> Int {
        let oldest = context.now().adding(seconds: -Self.lifetimeHours * 3600)
        return try context.store.write { transaction in
            try transaction.execute("DELETE FROM idempotent_answers WHERE started_at <= ?", [.instant(oldest)])
        }
    }

    private func insert(_ claim: Claim, at now: UTCInstant, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO idempotent_answers
                (token_id, key_hash, fingerprint, request_id, started_at, lease_until, sealed_answer,
                audit_count)
            VALUES (?, ?, ?, ?, ?, ?, NULL, (SELECT entry_count FROM audit_heads WHERE id = 1))
            ON CONFLICT (token_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
                request_id = excluded.request_id, started_at = excluded.started_at,
                lease_until = excluded.lease_until, sealed_answer = NULL, audit_count = excluded.audit_count
            """,
            [
                .uuid(claim.tokenID), .blob(claim.keyHash), .blob(claim.fingerprint), .text(claim.id),
                .instant(now), .instant(now.adding(seconds: Self.leaseSeconds)),
            ])
    }
}
