package import Foundation
import JSONWire
import SQLDatabase
package import SubGuardDomain

/// The tokens that open the admin API.
package struct AccessTokenStore: Sendable {
    /// A busy token would otherwise cost a write for each request.
    static let useGranularityMilliseconds: Int64 = 60_000

    let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// Makes a token. The text is in the answer and nowhere else: show it once.
    ///
    /// Throws ``BackendError/invalid(_:)`` for a name that is empty, too long or has control characters, and for an
    /// expiry that is not in the future.
    package func create(
        role: Role, name: String, expiresAt: UTCInstant?, by actor: Actor
    ) throws -> (token: String, record: AccessToken) {
        let now = context.now()
        let name = CatalogueRules.trimmed(name)
        try Self.validate(name: name, expiresAt: expiresAt, now: now)
        let token = AccessTokenSecret.makeText(of: context.makeRandomBytes(AccessTokenSecret.randomByteCount))
        let record = AccessToken(
            id: context.makeID(), name: name, role: role,
            hint: String(token.prefix(AccessTokenSecret.hintCharacterCount)), createdAt: now, expiresAt: expiresAt,
            lastUsedAt: nil, revokedAt: nil)
        try context.store.write { transaction in
            try transaction.execute(
                """
                INSERT INTO access_tokens (id, name, role, hint, secret_hash, created_at, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .uuid(record.id), .text(name), .text(role.rawValue), .text(record.hint),
                    .blob(AccessTokenSecret.hash(token)), .instant(now), .instant(orNull: expiresAt),
                ])
            try AuditLog.append(
                in: transaction,
                AuditChange(
                    actor: actor, action: "token.create", subjectID: record.id, before: nil,
                    after: Self.auditJSON(record)),
                at: now)
        }
        return (token, record)
    }

    /// Every token ever made, oldest first, revoked and expired ones included.
    package func list() throws -> [AccessToken] {
        try context.store.read { session in
            try session.query(
                """
                SELECT id, name, role, hint, created_at, expires_at, last_used_at, revoked_at
                FROM access_tokens ORDER BY created_at, id
                """, [], Self.token)
        }
    }

    /// The token's record, or nil when it is unknown, expired or revoked.
    ///
    /// Asks the store each time and keeps nothing, so that a revocation by any process holds at once.
    package func authenticate(_ token: String) throws -> AccessToken? {
        guard AccessTokenSecret.isWellFormed(token) else { return nil }
        let hash = AccessTokenSecret.hash(token)
        let found = try context.store.read { session in
            try session.first(
                """
                SELECT id, name, role, hint, created_at, expires_at, last_used_at, revoked_at
                FROM access_tokens WHERE secret_hash = ?
                """, [.blob(hash)], Self.token)
        }
        guard let found, found.isValid(at: context.now()) else { return nil }
        return found
    }

    /// Notes that a token was used, at most once a minute: within a minute of the last note it only reads.
    package func noteUse(_ id: UUID, at instant: UTCInstant) throws {
        let isDue = try context.store.read { session in
            try session.first("SELECT last_used_at FROM access_tokens WHERE id = ?", [.uuid(id)]) { row in
                guard let last = try row.optionalInstant(0) else { return true }
                return last.milliseconds(until: instant) >= Self.useGranularityMilliseconds
            }
        }
        guard isDue == true else { return }
        try context.store.write { transaction in
            try transaction.execute(
                "UPDATE access_tokens SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)",
                [.instant(instant), .uuid(id), .instant(instant)])
        }
    }

    private static func validate(name: String, expiresAt: UTCInstant?, now: UTCInstant) throws {
        var errors: [FieldError] = []
        if let error = CatalogueRules.nameError(name, field: "name") { errors.append(FieldError(error)) }
        if let expiresAt, expiresAt <= now {
            errors.append(
                FieldError(pointer: "#/expires_at", code: "not_in_future", detail: "The expiry is not in the future."))
        }
        guard errors.isEmpty else { throw BackendError.invalid(errors) }
    }

    static func token(_ row: any SQLRow) throws -> AccessToken {
        guard let role = Role(rawValue: try row.text(2)) else { throw SQLError.malformedColumn("role") }
        return AccessToken(
            id: try row.uuid(0), name: try row.text(1), role: role, hint: try row.text(3),
            createdAt: try row.instant(4), expiresAt: try row.optionalInstant(5),
            lastUsedAt: try row.optionalInstant(6), revokedAt: try row.optionalInstant(7))
    }

    static func auditJSON(_ token: AccessToken) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("name", token.name)
        writer.field("role", token.role.rawValue)
        writer.field("hint", token.hint)
        writer.field("expires_at", token.expiresAt?.rfc3339)
        writer.field("revoked_at", token.revokedAt?.rfc3339)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
