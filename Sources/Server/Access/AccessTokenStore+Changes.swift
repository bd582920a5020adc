package import Foundation
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

extension AccessTokenStore {
    /// Revokes a token with all that it replaced or was replaced by; revoking it again changes nothing.
    ///
    /// Throws ``BackendError/notFound(what:)`` for an unknown token, ``BackendError/forbidden(detail:)`` when its role
    /// has a permission that the actor lacks, and, with `keepsAnOwner`, ``BackendError/conflict(code:detail:)``
    /// `last_owner` for the last owner token that never expires, or, where there is none, for the last valid one.
    @discardableResult
    package func revoke(_ id: UUID, by actor: Actor, keepsAnOwner: Bool = false) throws -> AccessToken {
        try context.write(by: actor) { transaction in
            let token = try Self.find(id, in: transaction).orNotFound("token")
            try Self.requireHeld(token.role, in: transaction)
            // A token of OpenID Connect depends on the provider, so it does not count as an owner.
            let isOpenID = try ConsoleSessionStore.isOpenID(id, in: transaction)
            if keepsAnOwner, !isOpenID, token.role == .owner, token.isValid(at: transaction.now) {
                // A token that expires is not a reliable owner: it counts only if no other kind exists.
                let (lasting, other) = ("expires_at IS NULL", "coalesce(family_id, id) <> ?")
                let family = SQLValue.uuid(try Self.family(of: id, in: transaction))
                let lastingOthers = try Self.owners("\(lasting) AND \(other)", [family], in: transaction)
                let now = SQLValue.instant(transaction.now)
                let isLast =
                    try Self.owners(lasting, [], in: transaction) > lastingOthers
                    ? lastingOthers == 0
                    : try lastingOthers == 0
                        && Self.owners("expires_at > ? AND \(other)", [now, family], in: transaction) == 0
                guard !isLast else {
                    throw BackendError.conflict(
                        code: .lastOwner,
                        detail: "This is the last owner token. Use the command line to revoke it.")
                }
            }
            return try Self.revoke(token, in: transaction)
        }
    }

    /// Revokes one token given by its id, at least four leading characters of its id, or the hint shown in lists.
    ///
    /// Throws ``BackendError/notFound(what:)`` when none matches and ``BackendError/conflict(code:detail:)``
    /// when several do.
    @discardableResult
    package func revoke(_ idOrPrefix: String, by actor: Actor) throws -> AccessToken {
        let prefix = idOrPrefix.lowercased()
        return try context.write(by: actor) { transaction in
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
            try Self.requireHeld(token.role, in: transaction)
            return try Self.revoke(token, in: transaction)
        }
    }

    /// Requires the actor to hold all permissions of the role; otherwise a role that manages access could revoke owner
    /// tokens.
    static func requireHeld(_ role: Role, in transaction: AuditedTransaction) throws {
        let actor = try transaction.actor.renewed(at: transaction.now, in: transaction)
        guard !role.permissions.isSubset(of: actor.permissions) else { return }
        throw BackendError.forbidden(
            detail: "The token's role \(role.name) has permissions that you do not hold: \(role.names(beyond: actor)).")
    }

    /// Revokes the whole family of a token: the holder of one may have made the others.
    private static func revoke(_ token: AccessToken, in transaction: AuditedTransaction) throws -> AccessToken {
        let family = try family(of: token.id, in: transaction)
        for member in try members(ofFamily: family, in: transaction) where member.id != token.id {
            try revokeAlone(member, in: transaction)
        }
        return try revokeAlone(token, in: transaction)
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
    static func revokeAlone(_ token: AccessToken, in transaction: AuditedTransaction) throws -> AccessToken {
        guard !token.isRevoked else { return token }
        let now = transaction.now
        // A grace that has ended here may go on for a server whose clock is behind.
        let hasEnded = token.status(at: now) == .revoked
        try transaction.execute(
            "UPDATE access_tokens SET revoked_at = ?, is_revoked = 1 WHERE id = ?",
            [.instant(token.revokedAt.map { min($0, now) } ?? now), .uuid(token.id)])
        guard !hasEnded else { return try find(token.id, in: transaction).orNotFound("token") }
        try PasskeyStore.removeAll(ofToken: token.id, in: transaction)
        let revoked = try find(token.id, in: transaction).orNotFound("token")
        try transaction.audit(.tokenRevoke, of: token.id, before: auditJSON(token), after: auditJSON(revoked))
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

extension AccessTokenStore {
    /// How long a replaced token stays valid by default, so that a caller who lost the response can try again.
    package static let defaultGraceSeconds: Int64 = 300
    /// A week, for tokens that several machines share.
    package static let maximumGraceSeconds: Int64 = 7 * 86_400

    /// How often a token and its replacements can be replaced within an hour.
    private static let maximumAnHour: Int64 = 10

    /// Replaces the actor's own token by a new one of the same name and role. The old one is revoked after the grace.
    ///
    /// At most these two are valid then: what replaced the old one before is revoked at once. Otherwise a client that
    /// had a token for a moment could make any number of it, and keep them when it is revoked.
    ///
    /// The new token lasts as long as the old one was made for, at most until the expiry of the token that created it:
    /// a token that expires cannot give itself more than it was given. Throws ``BackendError/invalid(_:)`` for an
    /// expiry beyond that or not in the future, and ``BackendError/conflict(code:detail:)`` for a token that a provider
    /// of OpenID Connect manages, and for the eleventh time within an hour.
    ///
    /// - Parameters:
    ///   - expiresAt: nil for the whole lifetime.
    ///   - graceSeconds: 0 to ``maximumGraceSeconds``; nil for ``defaultGraceSeconds``.
    package func rotate(
        expiresAt: UTCInstant?, graceSeconds: Int64?, by actor: Actor
    ) throws -> (token: String, record: AccessToken) {
        let text = AccessTokenSecret.makeText(of: context.makeRandomBytes(AccessTokenSecret.randomByteCount))
        return try context.store.write { transaction in
            // After the wait for other writers, during which the token may have ended.
            let now = context.now()
            let transaction = AuditedTransaction(transaction, by: actor, at: now)
            guard let id = actor.tokenID, let old = try Self.find(id, in: transaction), old.isValid(at: now) else {
                throw BackendError.notFound(what: "token")
            }
            guard try !ConsoleSessionStore.isOpenID(id, in: transaction) else {
                throw BackendError.conflict(
                    detail: "This token belongs to a sign-in with OpenID Connect and is replaced by it.")
            }
            try Self.validate(name: old.name, expiresAt: expiresAt, now: now)
            let latestEnd = try transaction.first("SELECT latest_end FROM access_tokens WHERE id = ?", [.uuid(id)]) {
                try $0.optionalInstant(0)
            }.flatMap(\.self)
            let lifetime = old.expiresAt.map { now.adding(milliseconds: old.createdAt.milliseconds(until: $0)) }
            let last = [lifetime, latestEnd].compactMap(\.self).min()
            if let fault = Self.fault(
                of: expiresAt, after: last, "A token cannot give itself a longer life than it was made for.")
            {
                throw BackendError.invalid([fault])
            }
            let record = AccessToken(
                id: context.makeID(), name: old.name, role: old.role,
                hint: String(text.prefix(AccessTokenSecret.hintCharacterCount)), createdAt: now,
                expiresAt: expiresAt ?? last, lastUsedAt: nil, revokedAt: nil, isRevoked: false)
            let family = try Self.family(of: id, in: transaction)
            let recent = try transaction.integer(
                "SELECT count(*) FROM access_tokens WHERE family_id = ? AND created_at > ?",
                [.uuid(family), .instant(now.adding(seconds: -3600))])
            guard (recent ?? 0) < Self.maximumAnHour else {
                throw BackendError.conflict(
                    detail: "This token was replaced \(Self.maximumAnHour) times within an hour. Try again later.")
            }
            try Self.insert(
                record, family: family, latestEnd: latestEnd, secretHash: AccessTokenSecret.hash(text),
                in: transaction)
            let end = now.adding(seconds: graceSeconds ?? Self.defaultGraceSeconds)
            // Its expiry stays, so that a second rotation within the grace gives as much as the first.
            try transaction.execute(
                "UPDATE access_tokens SET revoked_at = ?, is_revoked = ? WHERE id = ?",
                [
                    .instant(old.revokedAt.map { min($0, end) } ?? end), .integer(end <= now ? 1 : 0), .uuid(id),
                ])
            for member in try Self.members(ofFamily: family, in: transaction) where member.id != record.id {
                try PasskeyStore.moveAll(ofToken: member.id, to: record.id, in: transaction)
                if member.id != id { try Self.revokeAlone(member, in: transaction) }
            }
            try transaction.audit(
                .tokenRotate, of: record.id, before: Self.auditJSON(old), after: Self.auditJSON(record))
            return (text, record)
        }
    }
}
