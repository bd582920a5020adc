import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

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
            let record = AccessToken(
                id: context.makeID(), name: old.name, role: old.role,
                hint: String(text.prefix(AccessTokenSecret.hintCharacterCount)), createdAt: now,
                expiresAt: try Self.expiry(
                    expiresAt, within: last,
                    refusal: "A token cannot give itself a longer life than it was made for."),
                lastUsedAt: nil, revokedAt: nil, isRevoked: false)
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
                if member.id != id { try Self.revokeAlone(member, at: now, by: actor, in: transaction) }
            }
            try AuditLog.append(
                .tokenRotate, of: record.id, before: Self.auditJSON(old), after: Self.auditJSON(record), by: actor,
                at: now, in: transaction)
            return (text, record)
        }
    }
}
