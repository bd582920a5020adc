import Cryptography
package import Foundation
import JSONWire
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL
import TextCoding

/// The access tokens of the admin API.
package struct AccessTokenStore: Sendable {
    /// Uses are recorded at this granularity, so that a busy token does not cause a write per request.
    static let useGranularityMilliseconds: Int64 = 60_000

    let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// Creates a token. Its text is returned once and not stored.
    ///
    /// Throws ``BackendError/invalid(_:)`` for a name that is empty, too long or has control characters, for an expiry
    /// that is not in the future, and for a role that is undefined or has permissions that the actor lacks.
    package func create(
        role: String, name: String, expiresAt: UTCInstant?, by actor: Actor
    ) throws -> (token: String, record: AccessToken) {
        let found = try context.store.read { try RoleTable.find(role, in: $0) }
        return try create(role: found, name: name, expiresAt: expiresAt, by: actor)
    }

    /// The same for a given role.
    package func create(
        role: Role?, name: String, expiresAt: UTCInstant?, by actor: Actor
    ) throws -> (token: String, record: AccessToken) {
        let now = context.now()
        let name = CatalogueRules.trimmed(name)
        let latestEnd = try actor.tokenID.flatMap { try find($0)?.expiresAt }
        let expiresAt = expiresAt ?? latestEnd
        var faults = Self.faults(name: name, expiresAt: expiresAt, now: now)
        if let fault = Self.fault(
            of: expiresAt, after: latestEnd, "A token cannot be valid for longer than the token that creates it.")
        {
            faults.note(fault)
        }
        if role == nil { faults.note(Self.unknownRole) }
        guard let role, faults.isEmpty else { throw BackendError.invalid(faults) }
        let token = AccessTokenSecret.makeText(of: context.makeRandomBytes(AccessTokenSecret.randomByteCount))
        let record = AccessToken(
            id: context.makeID(), name: name, role: role,
            hint: String(token.prefix(AccessTokenSecret.hintCharacterCount)), createdAt: now, expiresAt: expiresAt,
            lastUsedAt: nil, revokedAt: nil, isRevoked: false)
        try context.store.write { transaction in
            // A custom role may have been deleted meanwhile.
            guard try RoleTable.find(role.name, in: transaction) == role else {
                throw BackendError.invalid([Self.unknownRole])
            }
            guard try role.permissions.isSubset(of: actor.renewed(at: now, in: transaction).permissions) else {
                throw BackendError.invalid([
                    Fault("#/role", .notHeld, "Only permissions that you hold can be granted.")
                ])
            }
            try Self.insert(
                record, latestEnd: latestEnd, secretHash: AccessTokenSecret.hash(token), in: transaction)
            try AuditLog.append(
                .tokenCreate, of: record.id, after: Self.auditJSON(record), by: actor, at: now, in: transaction)
        }
        return (token, record)
    }

    /// - Parameters:
    ///   - family: the first of the tokens that it replaces; nil if it replaces none.
    ///   - latestEnd: the expiry of the token that created it or the first of its family; nil without one.
    static func insert(
        _ token: AccessToken, family: UUID? = nil, latestEnd: UTCInstant? = nil, secretHash: [UInt8],
        in transaction: any SQLTransaction
    ) throws {
        try transaction.execute(
            """
            INSERT INTO access_tokens
                (id, name, role, hint, secret_hash, created_at, expires_at, family_id, latest_end)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .uuid(token.id), .text(token.name), .text(token.role.name), .text(token.hint), .blob(secretHash),
                .instant(token.createdAt), .instant(orNull: token.expiresAt), .uuid(orNull: family),
                .instant(orNull: latestEnd),
            ])
    }

    /// The fault of an expiry after the last one that a token may have; nil for none.
    static func fault(of expiry: UTCInstant?, after last: UTCInstant?, _ refusal: Sentence) -> Fault? {
        guard let expiry, let last, expiry > last else { return nil }
        return Fault("#/expires_at", .notHeld, refusal)
    }

    /// All tokens, oldest first, including revoked and expired ones.
    package func list() throws -> [AccessToken] {
        try context.store.read { session in
            try session.query("SELECT \(Self.columns) FROM access_tokens ORDER BY created_at, id") {
                try Self.token($0, in: session)
            }
        }
    }

    package func find(_ id: UUID) throws -> AccessToken? {
        try context.store.read { try Self.find(id, in: $0) }
    }

    static let columns = "id, name, role, hint, created_at, expires_at, last_used_at, revoked_at, is_revoked"

    /// The token's record, or nil when it is unknown, expired or revoked.
    ///
    /// Always queries the database, so that a revocation by any process takes effect at once.
    package func authenticate(_ token: String) throws -> AccessToken? {
        guard AccessTokenSecret.isWellFormed(token) else { return nil }
        let hash = AccessTokenSecret.hash(token)
        let found = try context.store.read { session in
            try session.first("SELECT \(Self.columns) FROM access_tokens WHERE secret_hash = ?", [.blob(hash)]) {
                try Self.token($0, in: session)
            }
        }
        guard let found, found.isValid(at: context.now()) else { return nil }
        return found
    }

    /// Records the use of a token, at most once per minute; within a minute of the last record it only reads.
    package func noteUse(_ id: UUID, at instant: UTCInstant) throws {
        let isDue = try context.store.read { session in
            try session.first("SELECT last_used_at FROM access_tokens WHERE id = ?", [.uuid(id)]) { row in
                guard let last = try row.optionalInstant(0) else { return true }
                return last.milliseconds(until: instant) >= Self.useGranularityMilliseconds
            }
        }
        guard isDue == true else { return }
        try context.store.write(in: .marks) { transaction in
            try transaction.execute(
                "UPDATE access_tokens SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)",
                [.instant(instant), .uuid(id), .instant(instant)])
        }
    }

    private static let unknownRole = Fault("#/role", .notFound, "There is no such role.")

    private static func faults(name: String, expiresAt: UTCInstant?, now: UTCInstant) -> FaultList {
        var errors = FaultList()
        if let error = CatalogueRules.nameError(name, field: "#/name") { errors.note(error) }
        if let expiresAt, expiresAt <= now {
            errors.note(
                Fault("#/expires_at", .notInFuture, "The expiry is not in the future."))
        }
        return errors
    }

    static func validate(name: String, expiresAt: UTCInstant?, now: UTCInstant) throws {
        let errors = faults(name: name, expiresAt: expiresAt, now: now)
        guard errors.isEmpty else { throw BackendError.invalid(errors) }
    }

    /// A deleted role, which only an invalid token can have, has no permissions.
    static func token(_ row: any SQLRow, in session: any SQLSession) throws -> AccessToken {
        let name = try row.text(2)
        let role = try RoleTable.find(name, in: session) ?? Role(name: name, permissions: [])
        return AccessToken(
            id: try row.uuid(0), name: try row.text(1), role: role, hint: try row.text(3),
            createdAt: try row.instant(4), expiresAt: try row.optionalInstant(5),
            lastUsedAt: try row.optionalInstant(6), revokedAt: try row.optionalInstant(7),
            isRevoked: try row.integer(8) == 1)
    }

    static func auditJSON(_ token: AccessToken) -> String {
        JSONWriter.text { writer in
            writer.field("name", token.name)
            writer.field("role", token.role.name)
            writer.field("hint", token.hint)
            writer.field("expires_at", token.expiresAt?.rfc3339)
            writer.field("revoked_at", token.revokedAt?.rfc3339)
        }
    }
}

/// An admin token without its secret, of which only a hash is stored.
package struct AccessToken: Sendable, Hashable {
    package let id: UUID
    package let name: String
    package let role: Role
    /// The first characters of the token, `sgt_` and four more, to recognise it in a list.
    package let hint: String
    package let createdAt: UTCInstant
    /// Nil if it never expires.
    package let expiresAt: UTCInstant?
    /// Accurate to the minute: see ``AccessTokenStore/noteUse(_:at:)``.
    package let lastUsedAt: UTCInstant?
    /// In the future for a token that was replaced and is still valid for its grace.
    package let revokedAt: UTCInstant?
    /// Whether it is revoked whatever the time is: another server's clock may not have reached ``revokedAt``.
    package let isRevoked: Bool

    /// Whether a use at `instant` must be recorded: the last record is at least a minute old or in the future.
    package func isUseWorthNoting(at instant: UTCInstant) -> Bool {
        guard let lastUsedAt else { return true }
        return !(0..<AccessTokenStore.useGranularityMilliseconds).contains(lastUsedAt.milliseconds(until: instant))
    }

    /// What has become of a token. The raw value is its name on the wire.
    package enum Status: String, Sendable, CaseIterable {
        case valid
        case expired
        case revoked
    }

    package func status(at instant: UTCInstant) -> Status {
        if isRevoked { return .revoked }
        if let revokedAt, revokedAt <= instant { return .revoked }
        return expiresAt.map { instant < $0 } ?? true ? .valid : .expired
    }

    /// Whether it is valid at that moment.
    package func isValid(at instant: UTCInstant) -> Bool { status(at: instant) == .valid }
}

/// The form of a token: `sgt_` and 43 characters of base64url (RFC 4648 section 5, no padding) for 256 random bits.
package enum AccessTokenSecret {
    static let prefix = "sgt_"
    static let randomByteCount = 32
    static let characterCount = 47
    /// Four characters of the secret are shown: 24 of its 256 bits.
    static let hintCharacterCount = 8

    static func makeText(of random: [UInt8]) -> String {
        prefix + Base64URL.text(of: random)
    }

    static func hash(_ token: String) -> [UInt8] {
        SHA256.hash(of: token.utf8)
    }

    /// Whether a text has the form of a token. Checked first, so that no long text is hashed in vain.
    package static func isWellFormed(_ token: String) -> Bool {
        token.utf8.count == characterCount && token.hasPrefix(prefix)
            && token.utf8.dropFirst(prefix.utf8.count).allSatisfy(Base64URL.isDigit)
    }
}
