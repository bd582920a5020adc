package import Foundation
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL
import TextCoding

/// Sessions of the console, and the one-time links that begin them.
package struct ConsoleSessionStore: Sendable {
    let context: BackendContext

    package init(context: BackendContext) { self.context = context }

    static let columns = "id, token_id, browser, created_at, last_used_at, confirmed_at"
    private static let browserCharacters = 120

    // MARK: Sessions

    /// Begins a session and returns its secret. The session of `previous`, if any, ends in the same transaction, so
    /// that a secret known before the sign-in is worth nothing after it; the audit log says so.
    package func begin(
        tokenID: UUID, browser: String?, replacing previous: String? = nil, requestID: String? = nil
    ) throws -> String {
        try context.store.write { transaction in
            let token = try AccessTokenStore.find(tokenID, in: transaction).orNotFound("token")
            let new = NewSession(token: token, browser: browser, requestID: requestID, means: .token)
            return try begin(new, replacing: previous, in: transaction)
        }
    }

    /// How a session begins, as the audit log says it.
    enum Means: String {
        case token
        case link
        case passkey
        case openID = "oidc"
    }

    struct NewSession {
        let token: AccessToken
        let browser: String?
        let requestID: String?
        let means: Means
        /// When the person proved who they are, which changes of access need; nil for now.
        var confirmedAt: UTCInstant?
    }

    func begin(
        _ new: NewSession, replacing previous: String?, in transaction: any SQLTransaction
    ) throws -> String {
        let now = context.now()
        if let previous { try end(previous, replacedBy: new, at: now, in: transaction) }
        let secret = makeSecret()
        let printable = new.browser.map { browser in
            String(browser.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.map(Character.init))
        }
        let session = ConsoleSession(
            id: context.makeID(), tokenID: new.token.id,
            browser: printable.map { String($0.prefix(Self.browserCharacters)) }, createdAt: now, lastUsedAt: now,
            confirmedAt: new.confirmedAt ?? now)
        try transaction.execute(
            """
            INSERT INTO console_sessions (id, secret_hash, token_id, browser, created_at, last_used_at, confirmed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .uuid(session.id), .blob(ConsoleSecret.hash(secret)), .uuid(session.tokenID),
                .text(orNull: session.browser), .instant(now), .instant(now), .instant(session.confirmedAt),
            ])
        try AuditLog.append(
            .consoleSignIn, of: session.id, after: Self.auditJSON(session, of: new.token, means: new.means),
            by: Self.actor(new.token, new.requestID), at: now, in: transaction)
        return secret
    }

    /// Ends the session that a sign-in replaces. The audit log has a row unless it had ended already.
    private func end(
        _ secret: String, replacedBy new: NewSession, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws {
        let hash = SQLValue.blob(ConsoleSecret.hash(secret))
        let found = try transaction.first(
            "SELECT \(Self.columns) FROM console_sessions WHERE secret_hash = ?", [hash], Self.session)
        guard let found else { return }
        if found.isCurrent(at: now), let token = try AccessTokenStore.find(found.tokenID, in: transaction) {
            let own = AuditedTransaction(transaction, by: Self.actor(new.token, new.requestID), at: now)
            try Self.end(ListedConsoleSession(session: found, token: token), in: own)
        } else {
            try transaction.execute("DELETE FROM console_sessions WHERE secret_hash = ?", [hash])
        }
    }

    /// A session that has not ended.
    package typealias Found = (secret: String, session: ConsoleSession, token: AccessToken)

    /// The sessions with their tokens; without those of which either is unknown, expired, revoked or idle for too long.
    /// A browser may send hundreds of secrets, so all take one read.
    ///
    /// - Parameter grants: the hashes of what gives roles by OpenID Connect; a session that has its role of anything
    ///   else has ended.
    package func find(_ secrets: Set<String>, grants: Set<[UInt8]> = []) throws -> [Found] {
        let hashes = Self.hashes(of: secrets)
        guard let list = SQLIDList(hashes: Array(hashes.keys)) else { return [] }
        return try context.read { session, now in
            let rows = try session.query(
                """
                SELECT \(Self.columns), (
                    SELECT grant_hash FROM console_openid_people
                    WHERE console_openid_people.token_id = console_sessions.token_id
                ), secret_hash FROM console_sessions WHERE secret_hash IN \(list.placeholders)
                """, list.arguments
            ) { (session: try Self.session($0), grant: try $0.optionalBlob(6), hash: try $0.blob(7)) }
            return try rows.compactMap { row -> Found? in
                guard row.session.isCurrent(at: now), row.grant.map(grants.contains) ?? true,
                    let token = try AccessTokenStore.find(row.session.tokenID, in: session), token.isValid(at: now),
                    let secret = hashes[row.hash]
                else { return nil }
                return (secret, row.session, token)
            }
        }
    }

    /// The same for one secret.
    package func find(_ secret: String, grants: Set<[UInt8]> = []) throws -> Found? {
        try find([secret], grants: grants).first
    }

    /// Whether the session exists. Expired sessions count until they are removed.
    package func exists(_ id: UUID) throws -> Bool {
        try context.store.read { session in
            try session.exists("SELECT 1 FROM console_sessions WHERE id = ?", [.uuid(id)])
        }
    }

    /// The well-formed ones.
    static func hashes(of secrets: Set<String>) -> [[UInt8]: String] {
        let known = secrets.filter(ConsoleSecret.isWellFormed)
        return Dictionary(uniqueKeysWithValues: known.map { (ConsoleSecret.hash($0), $0) })
    }

    /// Records the use of a session.
    package func noteUse(_ id: UUID, at instant: UTCInstant) throws {
        try context.store.write(in: .marks) { transaction in
            try transaction.execute(
                "UPDATE console_sessions SET last_used_at = ? WHERE id = ? AND last_used_at < ?",
                [.instant(instant), .uuid(id), .instant(instant)])
        }
    }

    // MARK: Links

    /// Makes a link that begins one session with a token, and returns its code.
    package func makeLink(tokenID: UUID) throws -> String {
        let code = makeSecret()
        let expiresAt = context.now().adding(seconds: Int64(ConsoleSession.linkMinutes) * 60)
        try context.store.write { transaction in
            try transaction.execute(
                "INSERT INTO console_links (code_hash, token_id, expires_at) VALUES (?, ?, ?)",
                [.blob(ConsoleSecret.hash(code)), .uuid(tokenID), .instant(expiresAt)])
        }
        return code
    }

    /// The token of a link that can be used; nil for any other.
    package func token(ofLink code: String) throws -> AccessToken? {
        guard ConsoleSecret.isWellFormed(code) else { return nil }
        return try context.store.read { try token(ofLink: code, in: $0) }
    }

    private func token(ofLink code: String, in session: any SQLSession) throws -> AccessToken? {
        let now = context.now()
        let tokenID = try session.first(
            "SELECT token_id FROM console_links WHERE code_hash = ? AND expires_at > ? AND expires_at <= ?",
            [
                .blob(ConsoleSecret.hash(code)), .instant(now),
                .instant(BackendContext.latestEnd(minutes: ConsoleSession.linkMinutes, at: now)),
            ]
        ) { try $0.uuid(0) }
        guard let tokenID, let token = try AccessTokenStore.find(tokenID, in: session), token.isValid(at: now) else {
            return nil
        }
        return token
    }

    /// Uses a link up and begins a session, in one transaction; nil if the link cannot be used.
    package func redeem(
        link code: String, browser: String?, replacing previous: String? = nil, requestID: String? = nil
    ) throws -> String? {
        guard ConsoleSecret.isWellFormed(code) else { return nil }
        return try context.store.write { transaction in
            guard let token = try token(ofLink: code, in: transaction) else { return nil }
            try transaction.execute(
                "DELETE FROM console_links WHERE code_hash = ?", [.blob(ConsoleSecret.hash(code))])
            let new = NewSession(token: token, browser: browser, requestID: requestID, means: .link)
            return try begin(new, replacing: previous, in: transaction)
        }
    }

    // MARK: Upkeep

    /// Deletes sessions, links, challenges of passkeys, notices and sign-ins that have ended, and returns their number.
    /// What a clock set that was ahead by days goes too, because it would begin anew then.
    @discardableResult
    package func purge() throws -> Int {
        try context.write { transaction, now in
            let ahead = SQLValue.instant(now.adding(days: 1))
            let sessions = try transaction.query(
                """
                DELETE FROM console_sessions WHERE last_used_at <= ? OR created_at <= ? OR created_at > ?
                RETURNING id
                """,
                [
                    .instant(now.adding(seconds: -Int64(ConsoleSession.idleHours) * 3600)),
                    .instant(now.adding(days: -ConsoleSession.longestDays)), ahead,
                ]
            ) { try $0.uuid(0) }
            let links = try transaction.query(
                "DELETE FROM console_links WHERE expires_at <= ? OR expires_at > ? RETURNING token_id",
                [.instant(now), ahead]
            ) { try $0.uuid(0) }
            let challenges = try transaction.query(
                "DELETE FROM console_challenges WHERE expires_at <= ? OR expires_at > ? RETURNING expires_at",
                [.instant(now), ahead]
            ) { try $0.instant(0) }
            let notices = try ConsoleNoticeStore.purge(
                before: now.adding(seconds: -Int64(ConsoleNoticeStore.minutes) * 60), in: transaction)
            let attempts = try transaction.execute(
                "DELETE FROM console_openid_pending WHERE expires_at <= ? OR expires_at > ?", [.instant(now), ahead])
            return sessions.count + links.count + challenges.count + attempts + notices
        }
    }

    func makeSecret() -> String {
        Base64URL.text(of: context.makeRandomBytes(ConsoleSecret.randomByteCount))
    }
}
