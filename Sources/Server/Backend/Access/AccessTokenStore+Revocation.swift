package import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension AccessTokenStore {
    /// Revokes a token. One that is revoked already stays as it is.
    ///
    /// Throws ``BackendError/notFound(what:)`` when there is no such token, ``BackendError/forbidden(detail:)`` when its role
    /// has a permission that the actor does not hold, and, where `keepsAnOwner`,
    /// ``BackendError/conflict(code:detail:)`` with `last_owner` for the last token of the role owner that never expires; where
    /// none is of that kind, for the last one that holds.
    @discardableResult
    package func revoke(_ id: UUID, by actor: Actor, keepsAnOwner: Bool = false) throws -> AccessToken {
        let now = context.now()
        return try context.store.write { transaction in
            guard let token = try Self.find(id, in: transaction) else {
                throw BackendError.notFound(what: "token")
            }
            try Self.requireHeld(token.role, by: actor)
            if keepsAnOwner, token.role == .owner, token.isValid(at: now) {
                // One that expires soon is no owner to rely on: it counts only where there is no other kind.
                let lasting = try Self.owners("expires_at IS NULL", [], in: transaction)
                let isLast =
                    lasting > 0
                    ? token.expiresAt == nil && lasting == 1
                    : try Self.owners("expires_at > ?", [.instant(now)], in: transaction) == 1
                guard !isLast else {
                    throw BackendError.conflict(
                        code: "last_owner",
                        detail: "This is the last token of the role owner; at the command line it can be revoked.")
                }
            }
            return try Self.revoke(token, at: now, by: actor, in: transaction)
        }
    }

    /// Revokes the one token that a person means: its id, the beginning of its id (four characters or more), or the hint
    /// that lists show.
    ///
    /// Throws ``BackendError/notFound(what:)`` when none fits and ``BackendError/conflict(code:detail:)`` with
    /// `ambiguous_token` when several do.
    @discardableResult
    package func revoke(_ idOrPrefix: String, by actor: Actor) throws -> AccessToken {
        let now = context.now()
        let prefix = idOrPrefix.lowercased()
        return try context.store.write { transaction in
            // There are a few dozen tokens at most, and a person waits.
            let matches = try transaction.query(
                "SELECT \(Self.columns) FROM access_tokens ORDER BY created_at, id"
            ) { try Self.token($0, in: transaction) }.filter { token in
                token.hint == idOrPrefix || prefix.count >= 4 && token.id.lowercased.hasPrefix(prefix)
            }
            guard let token = matches.first else { throw BackendError.notFound(what: "token") }
            guard matches.count == 1 else {
                throw BackendError.conflict(
                    code: "ambiguous_token", detail: "\(matches.count) tokens fit. Give more characters of the id.")
            }
            try Self.requireHeld(token.role, by: actor)
            return try Self.revoke(token, at: now, by: actor, in: transaction)
        }
    }

    /// What nobody can give, nobody can take away: otherwise a role that manages access could end the owners' tokens.
    private static func requireHeld(_ role: Role, by actor: Actor) throws {
        guard !role.permissions.isSubset(of: actor.permissions) else { return }
        throw BackendError.forbidden(
            detail: "The token's role \(role.name) has permissions that you do not hold: \(role.names(beyond: actor)).")
    }

    private static func revoke(
        _ token: AccessToken, at now: UTCInstant, by actor: Actor, in transaction: any SQLTransaction
    ) throws -> AccessToken {
        guard token.revokedAt == nil else { return token }
        try transaction.execute(
            "UPDATE access_tokens SET revoked_at = ? WHERE id = ?", [.instant(now), .uuid(token.id)])
        guard let revoked = try find(token.id, in: transaction) else { throw BackendError.notFound(what: "token") }
        try AuditLog.append(
            in: transaction,
            AuditChange(
                actor: actor, action: "token.revoke", subjectID: token.id, before: auditJSON(token),
                after: auditJSON(revoked)),
            at: now)
        return revoked
    }

    /// How many tokens of the role owner are not revoked and fulfil the condition.
    private static func owners(_ condition: String, _ values: [SQLValue], in session: any SQLSession) throws -> Int64 {
        try session.first(
            "SELECT count(*) FROM access_tokens WHERE role = 'owner' AND revoked_at IS NULL AND \(condition)", values
        ) { try $0.integer(0) } ?? 0
    }

    static func find(_ id: UUID, in session: any SQLSession) throws -> AccessToken? {
        try session.first("SELECT \(columns) FROM access_tokens WHERE id = ?", [.uuid(id)]) {
            try token($0, in: session)
        }
    }
}
