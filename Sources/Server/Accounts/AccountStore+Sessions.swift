import Foundation
import SQLDatabase
import ServerAccess
package import SubGuardContract
import SubGuardDomain
import SubGuardSQL

extension AccountStore {
    /// Returns the session of a valid access token, or nil. Records the first use, which shows that the response with
    /// the token arrived.
    package func authenticate(_ accessToken: String) throws -> AccountSession? {
        guard SessionSecret.access.isWellFormed(accessToken) else { return nil }
        let hash = SQLValue.blob(SessionSecret.hash(accessToken))
        let now = context.now()
        let latestEnd = BackendContext.latestEnd(minutes: Int(Self.accessSeconds) / 60, at: now)
        let found = try context.store.read { session in
            try session.first(
                """
                SELECT s.id, s.account_id, t.used_at FROM session_tokens t JOIN account_sessions s
                ON s.id = t.session_id
                WHERE t.token_hash = ? AND t.kind = 'access' AND t.expires_at > ? AND t.expires_at <= ?
                """, [hash, .instant(now), .instant(latestEnd)]
            ) { (AccountSession(id: try $0.uuid(0), accountID: try $0.uuid(1)), isUsed: !$0.isNull(2)) }
        }
        guard let found else { return nil }
        if !found.isUsed {
            try context.store.write { transaction in
                try transaction.execute(
                    "UPDATE session_tokens SET used_at = ? WHERE token_hash = ? AND used_at IS NULL",
                    [.instant(now), hash])
            }
        }
        return found.0
    }

    /// Exchanges a refresh token for the pair that follows it. Throws ``AccountRefusal/invalidRefreshToken``.
    ///
    /// A token that was used before ends its session, because two parties have it. The one exception is the previous
    /// token within ``graceMilliseconds``, or within ``lostGraceMilliseconds`` if nothing of its pair was used yet: it
    /// gives the same pair again.
    package func refresh(_ refreshToken: String) throws -> SessionTokens {
        guard SessionSecret.refresh.isWellFormed(refreshToken) else { throw AccountRefusal.invalidRefreshToken }
        let now = context.now()
        var isRepetition = false
        // Ending the session must be committed, so the transaction returns instead of throwing.
        let issued: SessionTokens? = try context.store.write { transaction in
            isRepetition = false
            guard let token = try find(refreshToken, in: transaction), token.expiresAt > now,
                token.expiresAt <= BackendContext.latestEnd(minutes: Self.refreshDays * 24 * 60, at: now)
            else { return nil }
            let newest = try newestGeneration(of: token.session, in: transaction)
            let pair = SessionSecretPair(after: refreshToken, try AccountKey.load(context, in: transaction))
            if let spentAt = token.spentAt {
                guard token.generation == newest - 1,
                    let expiresAt = try expiry(of: pair, in: transaction),
                    // Clocks of two servers differ; a step back is no longer than the grace either.
                    abs(spentAt.milliseconds(until: now))
                        <= (try isUsed(generation: newest, of: token.session, in: transaction)
                            ? Self.graceMilliseconds : Self.lostGraceMilliseconds)
                else {
                    try end(token.session, in: transaction)
                    return nil
                }
                isRepetition = true
                return SessionTokens(
                    accessToken: pair.access, refreshToken: pair.refresh,
                    expiresIn: max(1, now.milliseconds(until: expiresAt) / 1000))
            }
            guard token.generation == newest else {
                try end(token.session, in: transaction)
                return nil
            }
            try transaction.execute(
                "UPDATE session_tokens SET used_at = ? WHERE token_hash = ?",
                [.instant(now), .blob(SessionSecret.hash(refreshToken))])
            return try issue(pair, for: token.session, generation: newest + 1, at: now, in: transaction)
        }
        guard let issued else { throw AccountRefusal.invalidRefreshToken }
        if isRepetition { repetitions.add() }
        return issued
    }

    /// When the access token of the pair expires; nil if the pair is not stored, as after an update from a version that
    /// drew it at random.
    private func expiry(of pair: SessionSecretPair, in session: any SQLSession) throws -> UTCInstant? {
        try session.first(
            "SELECT expires_at FROM session_tokens WHERE token_hash = ?", [.blob(SessionSecret.hash(pair.access))]
        ) { try $0.instant(0) }
    }

    /// Ends the session with all its tokens. Repeating it changes nothing.
    package func signOut(_ session: AccountSession) throws {
        try context.store.write { try end(session.id, in: $0) }
    }

    private struct RefreshToken {
        let session: UUID
        let generation: Int64
        let expiresAt: UTCInstant
        let spentAt: UTCInstant?
    }

    private func find(_ token: String, in session: any SQLSession) throws -> RefreshToken? {
        try session.first(
            """
            SELECT session_id, generation, expires_at, used_at FROM session_tokens
            WHERE token_hash = ? AND kind = 'refresh'
            """, [.blob(SessionSecret.hash(token))]
        ) { row in
            RefreshToken(
                session: try row.uuid(0), generation: try row.integer(1), expiresAt: try row.instant(2),
                spentAt: try row.optionalInstant(3))
        }
    }

    private func newestGeneration(of id: UUID, in session: any SQLSession) throws -> Int64 {
        let newest = try session.integer(
            "SELECT max(generation) FROM session_tokens WHERE session_id = ? AND kind = 'refresh'", [.uuid(id)])
        return newest ?? 0
    }

    private func isUsed(generation: Int64, of id: UUID, in session: any SQLSession) throws -> Bool {
        try session.exists(
            """
            SELECT 1 FROM session_tokens WHERE session_id = ? AND generation = ? AND used_at IS NOT NULL LIMIT 1
            """, [.uuid(id), .integer(generation)])
    }

    private func end(_ id: UUID, in transaction: any SQLTransaction) throws {
        try transaction.execute("DELETE FROM account_sessions WHERE id = ?", [.uuid(id)])
    }
}
