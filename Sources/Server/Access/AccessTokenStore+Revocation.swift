package import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension AccessTokenStore {
    /// Revokes a token with all that it replaced or was replaced by; revoking it again changes nothing.
    ///
    /// Throws ``BackendError/notFound(what:)`` for an unknown token, ``BackendError/forbidden(detail:)`` when its role
    /// has a permission that the actor lacks, and, with `keepsAnOwner`, ``BackendError/conflict(code:detail:)``
    /// `last_owner` for the last owner token that never expires, or, where there is none, for the last valid one.
    @discardableResult
    package func revoke(_ id: UUID, by actor: Actor, keepsAnOwner: Bool = false) throws -> AccessToken {
        try context.write { transaction, now in
            let token = try Self.find(id, in: transaction).orNotFound("token")
            try Self.requireHeld(token.role, by: actor, at: now, in: transaction)
            // A token of OpenID Connect depends on the provider, so it does not count as an owner.
            let isOpenID = try ConsoleSessionStore.isOpenID(id, in: transaction)
            if keepsAnOwner, !isOpenID, token.role == .owner, token.isValid(at: now) {
                // A token that expires is not a reliable owner: it counts only if no other kind exists.
                let (lasting, other) = ("expires_at IS NULL", "coalesce(family_id, id) <> ?")
                let family = SQLValue.uuid(try Self.family(of: id, in: transaction))
                let lastingOthers = try Self.owners("\(lasting) AND \(other)", [family], in: transaction)
                let isLast =
                    try Self.owners(lasting, [], in: transaction) > lastingOthers
                    ? lastingOthers == 0
                    : try lastingOthers == 0
                        && Self.owners("expires_at > ? AND \(other)", [.instant(now), family], in: transaction) == 0
                guard !isLast else {
                    throw BackendError.conflict(
                        code: .lastOwner,
                        detail: "This is the last owner token. Use the command line to revoke it.")
                }
            }
            return try Self.revoke(token, at: now, by: actor, in: transaction)
        }
    }

    /// Revokes one token given by its id, at least four leading characters of its id, or the hint shown in lists.
    ///
    /// Throws ``BackendError/notFound(what:)`` when none matches and ``BackendError/conflict(code:detail:)``
    /// when several do.
    @discardableResult
    package func revoke(_ idOrPrefix: String, by actor: Actor) throws -> AccessToken {
        let now = context.now()
        let prefix = idOrPrefix.lowercased()
        return try context.store.write { transaction in
            // A scan suffices: there are a few dozen tokens at most, and this runs only from the command line.
            let matches = try transaction.query(
                "SELECT \(Self.columns) FROM access_tokens ORDER BY created_at, id"
            ) { try Self.token($0, in: transaction) }.filter { token in
                token.hint == idOrPrefix || prefix.count >= 4 && token.id.lowercased.hasPrefix(prefix)
            }
            guard let token = matches.first else { throw BackendError.notFound(what: "token") }
            guard matches.count == 1 else {
                throw BackendError.conflict(detail: "\(matches.count) tokens match. Give more characters of the id.")
            }
            try Self.requireHeld(token.role, by: actor, at: now, in: transaction)
            return try Self.revoke(token, at: now, by: actor, in: transaction)
        }
    }

    /// Requires the actor to hold all permissions of the role; otherwise a role that manages access could revoke owner
    /// tokens.
    static func requireHeld(
        _ role: Role, by actor: Actor, at instant: UTCInstant, in transaction: any SQLTransaction
    ) throws {
        let actor = try actor.renewed(at: instant, in: transaction)
        guard !role.permissions.isSubset(of: actor.permissions) else { return }
        throw BackendError.forbidden(
            detail: "The token's role \(role.name) has permissions that you do not hold: \(role.names(beyond: actor)).")
    }

    /// Revokes the whole family of a token: the holder of one may have made the others.
    private static func revoke(
        _ token: AccessToken, at now: UTCInstant, by actor: Actor, in transaction: any SQLTransaction
    ) throws -> AccessToken {
        let family = try family(of: token.id, in: transaction)
        for member in try members(ofFamily: family, in: transaction) where member.id != token.id {
            try revokeAlone(member, at: now, by: actor, in: transaction)
        }
        return try revokeAlone(token, at: now, by: actor, in: transaction)
    }

    /// The first of the tokens that a token replaces, or the token itself.
    static func family(of id: UUID, in session: any SQLSession) throws -> UUID {
        try session.first("SELECT coalesce(family_id, id) FROM access_tokens WHERE id = ?", [.uuid(id)]) {
            try $0.uuid(0)
        } ?? id
    }

    /// Valid or not.
    static func members(ofFamily family: UUID, in session: any SQLSession) throws -> [AccessToken] {
        try session.query(
            "SELECT \(columns) FROM access_tokens WHERE id = ? OR family_id = ? ORDER BY created_at, id",
            [.uuid(family), .uuid(family)]
        ) { try token($0, in: session) }
    }

    @discardableResult
    static func revokeAlone(
        _ token: AccessToken, at now: UTCInstant, by actor: Actor, in transaction: any SQLTransaction
    ) throws -> AccessToken {
        guard !token.isRevoked else { return token }
        // A grace that has ended here may go on for a server whose clock is behind.
        let hasEnded = token.status(at: now) == .revoked
        try transaction.execute(
            "UPDATE access_tokens SET revoked_at = ?, is_revoked = 1 WHERE id = ?",
            [.instant(token.revokedAt.map { min($0, now) } ?? now), .uuid(token.id)])
        guard !hasEnded else { return try find(token.id, in: transaction).orNotFound("token") }
        try PasskeyStore.removeAll(ofToken: token.id, at: now, by: actor, in: transaction)
        let revoked = try find(token.id, in: transaction).orNotFound("token")
        try AuditLog.append(
            .tokenRevoke, of: token.id, before: auditJSON(token), after: auditJSON(revoked), by: actor, at: now,
            in: transaction)
        return revoked
    }

    /// The number of unrevoked owner tokens that meet the condition.
    private static func owners(_ condition: String, _ values: [SQLValue], in session: any SQLSession) throws -> Int64 {
        try session.integer(
            """
            SELECT count(*) FROM access_tokens WHERE role = 'owner' AND revoked_at IS NULL AND \(condition)
                AND id NOT IN (SELECT token_id FROM console_openid_people)
            """, values) ?? 0
    }

    static func find(_ id: UUID, in session: any SQLSession) throws -> AccessToken? {
        try session.first("SELECT \(columns) FROM access_tokens WHERE id = ?", [.uuid(id)]) {
            try token($0, in: session)
        }
    }
}
