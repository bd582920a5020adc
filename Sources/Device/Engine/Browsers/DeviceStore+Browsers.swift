import Cryptography
package import Foundation
import SQLDatabase
import SQLiteDatabase
package import SubGuardDomain
import SubGuardSQL
import TextCoding

/// A browser that may use the app on this machine.
package struct BrowserSession: Sendable, Hashable, Identifiable {
    package var id: UUID
    /// The browser as it named itself, at most 200 characters.
    package var browser: String
    /// Whether it outlives the server that began it.
    package var isRemembered: Bool
    package var begunAt: UTCInstant
    /// To the minute.
    package var usedAt: UTCInstant
    package var expiresAt: UTCInstant
}

extension BrowserSession {
    /// Whether it has not ended. One that begins more than a day ahead of the clock has: it was begun or used while the
    /// clock was wrong, and would last until then.
    fileprivate func isUsable(at moment: Moment) -> Bool {
        let latest = DeviceStore.Browsers.expiry(isRemembered, moment).adding(days: 1)
        return expiresAt > moment.now && expiresAt <= latest
    }
}

extension DeviceStore {
    /// Browsers that may use the app on this machine.
    package var browsers: Browsers { Browsers(store: self) }

    /// See ``DeviceStore/browsers``.
    package struct Browsers: Sendable { let store: DeviceStore }
}

/// A process that can read the database file may let a browser in. Only hashes of secrets are stored. Nothing of it is
/// a change for ``DeviceStore/changes(polling:)``, the journal, backups or merges.
extension DeviceStore.Browsers {
    /// How long a code can be used, in seconds.
    package static let codeSeconds: Int64 = 60
    /// How long an unused session lasts, in days.
    package static let sessionDays = 1
    /// How long an unused session of a remembered browser lasts, in days.
    package static let rememberedDays = 30

    /// A new one-time code of 32 hexadecimal digits, valid for ``codeSeconds``.
    package func makeCode(at moment: Moment) throws -> String {
        let code = randomText(words: 2)
        try write { session in
            try session.execute("DELETE FROM browser_codes WHERE expires_at <= ?", [.instant(moment.now)])
            try session.execute(
                "INSERT INTO browser_codes (hash, expires_at) VALUES (?, ?)",
                [.blob(Self.hash(code)), .instant(moment.now.adding(seconds: Self.codeSeconds))])
        }
        return code
    }

    /// Whether a code can still be used.
    package func isPending(code: String, at moment: Moment) throws -> Bool {
        try store.read { try Self.expiry(of: code, in: $0) }.map { Self.isUsable(codeUntil: $0, at: moment) } ?? false
    }

    /// Nil for a code that is not known.
    private static func expiry(of code: String, in session: any SQLSession) throws -> UTCInstant? {
        try session.first("SELECT expires_at FROM browser_codes WHERE hash = ?", [.blob(hash(code))]) {
            try $0.instant(0)
        }
    }

    /// Takes a code back; nothing if there is none.
    package func withdraw(code: String) throws {
        try write { try $0.execute("DELETE FROM browser_codes WHERE hash = ?", [.blob(Self.hash(code))]) }
    }

    /// What a program asks another one that serves the app on a port, to find out whether that reads this database: a
    /// name of the code, which leads to neither the code nor the answer.
    package static func question(for code: String) -> String { question(hash(code)) }

    /// The answer that proves it, for the port that it serves.
    package static func proof(for code: String, port: Int) -> String { proof(hash(code), port) }

    /// The answer to a question; nil if no code that can still be used has that name.
    package func proof(answering question: String, port: Int, at moment: Moment) throws -> String? {
        let hashes = try store.read { session in
            try session.query("SELECT hash, expires_at FROM browser_codes") { (try $0.blob(0), try $0.instant(1)) }
        }
        return hashes.first { Self.isUsable(codeUntil: $1, at: moment) && Self.question($0) == question }
            .map { Self.proof($0.0, port) }
    }

    // Of the hash, because a code itself is not stored. A process that reads the hash reads the database, and needs no
    // code.
    private static func question(_ hash: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(of: hash)) }

    private static func proof(_ hash: [UInt8], _ port: Int) -> String {
        Hexadecimal.text(HMACKey(hash).code(for: "subguard open \(port)".utf8))
    }

    /// Exchanges a code for a session. Returns its secret, 64 hexadecimal digits; nil for a code that is unknown, used
    /// or expired.
    package func begin(
        code: String, browser: String, isRemembered: Bool, at moment: Moment
    ) throws -> String? {
        // One who guesses waits for no lock, and so keeps no worker.
        guard try store.read({ try Self.expiry(of: code, in: $0) }) != nil else { return nil }
        let secret = randomText(words: 4)
        return try write { session in
            let hash = SQLValue.blob(Self.hash(code))
            guard let expiry = try Self.expiry(of: code, in: session) else { return nil }
            try session.execute("DELETE FROM browser_codes WHERE hash = ?", [hash])
            guard Self.isUsable(codeUntil: expiry, at: moment) else { return nil }
            try session.execute(
                """
                INSERT INTO browser_sessions (id, hash, browser, is_remembered, begun_at, used_at, expires_at) \
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .uuid(store.makeID(moment)), .blob(Self.hash(secret)), .text(String(browser.prefix(200))),
                    .flag(isRemembered), .instant(moment.now), .instant(moment.now),
                    .instant(Self.expiry(isRemembered, moment)),
                ])
            return secret
        }
    }

    /// The session of a secret; nil when it has ended. Its use is noted, at most once a minute.
    package func session(_ secret: String, at moment: Moment) throws -> BrowserSession? {
        let found = try store.read { session in
            try session.first(Self.select + " WHERE hash = ?", [.blob(Self.hash(secret))], Self.load)
        }
        guard let found, found.isUsable(at: moment) else { return nil }
        if abs(found.usedAt.milliseconds(until: moment.now)) >= 60_000 {
            // A page is read also while another program writes, or where nothing can be written: the next one notes it.
            _ = try? write { session in
                try session.execute(
                    "UPDATE browser_sessions SET used_at = ?, expires_at = ? WHERE id = ?",
                    [.instant(moment.now), .instant(Self.expiry(found.isRemembered, moment)), .uuid(found.id)])
            }
        }
        return found
    }

    /// The sessions that have not ended, the last used first.
    package func all(at moment: Moment) throws -> [BrowserSession] {
        try store.read { session in
            try session.query(Self.select + " ORDER BY used_at DESC, id DESC", [], Self.load)
        }.filter { $0.isUsable(at: moment) }
    }

    /// Ends a session; nothing if there is none.
    package func end(_ id: UUID) throws {
        try write { try $0.execute("DELETE FROM browser_sessions WHERE id = ?", [.uuid(id)]) }
    }

    /// Ends the sessions of browsers that are not remembered, and those that cannot be used: for the start of a server.
    package func endUnremembered(at moment: Moment) throws {
        try write { session in
            for found in try session.query(Self.select, [], Self.load)
            where !found.isRemembered || !found.isUsable(at: moment) {
                try session.execute("DELETE FROM browser_sessions WHERE id = ?", [.uuid(found.id)])
            }
        }
    }

    private static let select =
        "SELECT id, browser, is_remembered, begun_at, used_at, expires_at FROM browser_sessions"

    private static func load(_ row: any SQLRow) throws -> BrowserSession {
        BrowserSession(
            id: try row.uuid(0), browser: try row.text(1), isRemembered: try row.integer(2) != 0,
            begunAt: try row.instant(3), usedAt: try row.instant(4), expiresAt: try row.instant(5))
    }

    @discardableResult
    private func write<Result>(_ body: (any SQLTransaction) throws -> Result) throws -> Result {
        try store.requireWritable()
        return try DeviceStore.mapping { try store.database.write(body) }
    }

    /// A clock that was set back does not make a code last longer.
    private static func isUsable(codeUntil expiry: UTCInstant, at moment: Moment) -> Bool {
        (1...codeSeconds * 1000).contains(moment.now.milliseconds(until: expiry))
    }

    fileprivate static func expiry(_ isRemembered: Bool, _ moment: Moment) -> UTCInstant {
        moment.now.adding(days: isRemembered ? rememberedDays : sessionDays)
    }

    private static func hash(_ secret: String) -> [UInt8] { SHA256.hash(of: secret.utf8) }

    /// 16 random digits for each word.
    func randomText(words: Int) -> String { (0..<words).map { _ in Hexadecimal.text(store.random()) }.joined() }
}
