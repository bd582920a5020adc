import Cryptography
package import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import TextCoding

/// A sign-in by OpenID Connect, between the way to the provider and the way back.
package struct OpenIDAttempt: Sendable {
    /// Lifetime of an attempt.
    package static let minutes = 10

    /// The value that travels through the provider.
    package let state: String
    /// The value in the cookie of the browser that began.
    package let browser: String
    /// The page to open afterwards.
    package let next: String?

    package var nonce: String { derived("nonce") }
    /// The PKCE verifier (RFC 7636 section 4.1).
    package var verifier: String { derived("verifier") }
    /// The PKCE challenge, method S256.
    package var challenge: String { Base64URL.text(of: SHA256.hash(of: verifier.utf8)) }

    /// Derived, so that neither the database nor the provider nor a state alone is enough to complete the sign-in.
    private func derived(_ purpose: String) -> String {
        let code = HMACKey(browser.utf8).code(for: "\(purpose)\u{0}\(state)".utf8)
        return Base64URL.text(of: Array(code))
    }
}

/// What becomes of a person whom the provider has named.
package enum OpenIDAdmission: Sendable, Hashable {
    /// The secret of the new session.
    case admitted(secret: String)
    /// An owner revoked the person's token.
    case revoked
    /// The configuration names a role that does not exist.
    case unknownRole
}

/// Sign-in by OpenID Connect: attempts, and the tokens of people.
extension ConsoleSessionStore {
    private static let maximumAttempts: Int64 = 10_000

    // MARK: Attempts

    /// Records an attempt. When there are too many, the oldest is forgotten: refusing the new one would let a few
    /// strangers keep everybody out.
    package func beginOpenID(next: String?) throws -> OpenIDAttempt {
        let attempt = OpenIDAttempt(state: makeSecret(), browser: makeSecret(), next: next)
        try context.write { transaction, now in
            try transaction.execute("DELETE FROM console_openid_pending WHERE expires_at <= ?", [.instant(now)])
            let count = try transaction.integer("SELECT count(*) FROM console_openid_pending")
            try transaction.execute(
                """
                DELETE FROM console_openid_pending WHERE state_hash IN (
                    SELECT state_hash FROM console_openid_pending ORDER BY expires_at LIMIT ?)
                """, [.integer(max(0, (count ?? 0) - Self.maximumAttempts + 1))])
            try transaction.execute(
                "INSERT INTO console_openid_pending (state_hash, browser_hash, next, expires_at) VALUES (?, ?, ?, ?)",
                [
                    .blob(ConsoleSecret.hash(attempt.state)), .blob(ConsoleSecret.hash(attempt.browser)),
                    .text(orNull: next), .instant(now.adding(seconds: Int64(OpenIDAttempt.minutes) * 60)),
                ])
        }
        return attempt
    }

    /// Uses an attempt up. Nil unless this browser began it within the last ten minutes and it was not used yet.
    package func takeOpenID(state: String, browser: String) throws -> OpenIDAttempt? {
        guard ConsoleSecret.isWellFormed(state), ConsoleSecret.isWellFormed(browser) else { return nil }
        let now = context.now()
        let rows = try context.store.write { transaction in
            try transaction.query(
                """
                DELETE FROM console_openid_pending WHERE state_hash = ? AND browser_hash = ?
                RETURNING next, expires_at
                """, [.blob(ConsoleSecret.hash(state)), .blob(ConsoleSecret.hash(browser))]
            ) { (next: try $0.optionalText(0), expiresAt: try $0.instant(1)) }
        }
        guard let row = rows.first, row.expiresAt > now,
            row.expiresAt <= BackendContext.latestEnd(minutes: OpenIDAttempt.minutes, at: now)
        else { return nil }
        return OpenIDAttempt(state: state, browser: browser, next: row.next)
    }

    // MARK: People

    /// Begins a session for a person with a role. The first sign-in makes their token; later ones give it the role that
    /// the configuration now says.
    package func admit(
        _ person: OpenIDPerson, by grant: OpenIDGrant, browser: String?, replacing previous: String? = nil,
        requestID: String? = nil
    ) throws -> OpenIDAdmission {
        try context.write { transaction, now in
            guard let role = try RoleTable.find(grant.role, in: transaction) else { return .unknownRole }
            let subject = Self.subjectHash(grant.issuer, person.subject)
            let name = Self.tokenName(person)
            let token: AccessToken
            if let known = try Self.token(ofSubject: subject, in: transaction) {
                guard known.isValid(at: now) else { return .revoked }
                token = try Self.update(known, name: name, role: role, at: now, requestID, in: transaction)
                try transaction.execute(
                    "UPDATE console_openid_people SET grant_hash = ? WHERE subject_hash = ?",
                    [.blob(grant.hash), .blob(subject)])
            } else {
                token = try make(
                    name: name, role: role, of: subject, by: grant, at: now, requestID, in: transaction)
            }
            let new = NewSession(
                token: token, browser: browser, requestID: requestID, means: .openID,
                // Only the provider can tell when the person was last seen; a sign-in may have asked nothing at all.
                confirmedAt: person.authenticatedAt.map { min($0, now) } ?? .earliest)
            return .admitted(secret: try begin(new, replacing: previous, in: transaction))
        }
    }

    /// Ends the sessions of a person who has no role any more.
    package func dismiss(_ person: OpenIDPerson, of issuer: String, requestID: String) throws {
        try context.store.write { transaction in
            let subject = Self.subjectHash(issuer, person.subject)
            guard let token = try Self.token(ofSubject: subject, in: transaction) else { return }
            let own = AuditedTransaction(transaction, by: Self.provider(requestID), at: context.now())
            for session in try listed(ofToken: token.id, in: transaction) { try Self.end(session, in: own) }
        }
    }

    /// Whether a token belongs to a person of a provider, so that it cannot be entered.
    package func isOpenID(_ tokenID: UUID) throws -> Bool {
        try context.store.read { try Self.isOpenID(tokenID, in: $0) }
    }

    static func isOpenID(_ tokenID: UUID, in session: any SQLSession) throws -> Bool {
        try session.exists("SELECT 1 FROM console_openid_people WHERE token_id = ?", [.uuid(tokenID)])
    }

    private static func token(ofSubject hash: [UInt8], in session: any SQLSession) throws -> AccessToken? {
        let id = try session.first(
            "SELECT token_id FROM console_openid_people WHERE subject_hash = ?", [.blob(hash)]
        ) { try $0.uuid(0) }
        return try id.flatMap { try AccessTokenStore.find($0, in: session) }
    }

    private func make(
        name: String, role: Role, of subject: [UInt8], by grant: OpenIDGrant, at now: UTCInstant, _ requestID: String?,
        in transaction: any SQLTransaction
    ) throws -> AccessToken {
        let token = AccessToken(
            id: context.makeID(), name: name, role: role, hint: "oidc", createdAt: now, expiresAt: nil, lastUsedAt: nil,
            revokedAt: nil, isRevoked: false)
        // The hash of no text: such a token cannot be entered anywhere.
        try AccessTokenStore.insert(token, secretHash: context.makeRandomBytes(32), in: transaction)
        try transaction.execute(
            "INSERT INTO console_openid_people (subject_hash, token_id, grant_hash) VALUES (?, ?, ?)",
            [.blob(subject), .uuid(token.id), .blob(grant.hash)])
        try AuditLog.append(
            .tokenCreate, of: token.id, after: AccessTokenStore.auditJSON(token), by: Self.provider(requestID), at: now,
            in: transaction)
        return token
    }

    private static func update(
        _ token: AccessToken, name: String, role: Role, at now: UTCInstant, _ requestID: String?,
        in transaction: any SQLTransaction
    ) throws -> AccessToken {
        guard token.name != name || token.role != role else { return token }
        try transaction.execute(
            "UPDATE access_tokens SET name = ?, role = ? WHERE id = ?",
            [.text(name), .text(role.name), .uuid(token.id)])
        let changed = try AccessTokenStore.find(token.id, in: transaction).orNotFound("token")
        try AuditLog.append(
            .tokenRole, of: token.id, before: AccessTokenStore.auditJSON(token),
            after: AccessTokenStore.auditJSON(changed), by: provider(requestID), at: now, in: transaction)
        return changed
    }

    private static func provider(_ requestID: String?) -> Actor {
        Actor(tokenID: nil, name: "console sign-in", requestID: requestID, permissions: [])
    }

    private static func subjectHash(_ issuer: String, _ subject: String) -> [UInt8] {
        SHA256.hash(of: "\(issuer)\u{0}\(subject)".utf8)
    }

    /// The verified mail address. Without one the subject, marked, because it may look like an address.
    private static func tokenName(_ person: OpenIDPerson) -> String {
        let shown = person.mail ?? "sub=\(person.subject)"
        let printable = shown.unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7F }
        return "oidc: " + String(String.UnicodeScalarView(printable)).prefix(90)
    }
}
