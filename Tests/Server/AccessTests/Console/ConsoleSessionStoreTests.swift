import BackendTestKit
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Synchronization
import Testing

@Suite struct ConsoleSessionStoreTests {
    private let fixture: BackendFixture
    private let tokens: AccessTokenStore
    private let sessions: ConsoleSessionStore

    init() throws {
        fixture = try BackendFixture()
        tokens = AccessTokenStore(context: fixture.context)
        sessions = ConsoleSessionStore(context: fixture.context)
    }

    private func token(expiresAt: UTCInstant? = nil) throws -> AccessToken {
        try tokens.create(role: .editor, name: "Zoë", expiresAt: expiresAt, by: .editor).record
    }

    @Test func findsASessionByItsSecretOnly() throws {
        let token = try token()
        let secret = try sessions.begin(tokenID: token.id, browser: String(repeating: "Firefox é\n", count: 30))
        let found = try #require(try sessions.find(secret))
        #expect(found.token == token && found.session.tokenID == token.id)
        #expect(found.session.browser?.count == 120 && found.session.browser?.contains("\n") == false)
        for wrong in ["", String(secret.dropLast()), secret + "A", secret.uppercased(), String(secret.reversed())] {
            #expect(try sessions.find(wrong) == nil)
        }
    }

    @Test func endsAfterTwelveIdleHoursAndAfterSevenDays() throws {
        let secret = try sessions.begin(tokenID: try token().id, browser: nil)
        let id = try #require(try sessions.find(secret)).session.id
        for _ in 0..<14 {
            fixture.now = fixture.now.adding(seconds: 12 * 3600 - 1)
            let isYoung = try sessions.find(secret) != nil
            #expect(isYoung)
            try sessions.noteUse(id, at: fixture.context.now())
        }
        // 7 days less 14 seconds have passed.
        fixture.now = fixture.now.adding(seconds: 14)
        #expect(try sessions.find(secret) == nil)

        let idle = try sessions.begin(tokenID: try token().id, browser: nil)
        fixture.now = fixture.now.adding(seconds: 12 * 3600)
        #expect(try sessions.find(idle) == nil)
    }

    @Test func endsWithItsToken() throws {
        let revoked = try token()
        let expiring = try token(expiresAt: fixture.now.adding(seconds: 60))
        let secrets = try [revoked, expiring].map { try sessions.begin(tokenID: $0.id, browser: nil) }
        try tokens.revoke(revoked.id, by: .editor)
        #expect(try sessions.find(secrets[0]) == nil)
        #expect(try sessions.find(secrets[1]) != nil)
        fixture.now = fixture.now.adding(seconds: 60)
        #expect(try sessions.find(secrets[1]) == nil)
    }

    @Test func replacesTheSessionBeforeTheSignIn() throws {
        let token = try token()
        let old = try sessions.begin(tokenID: token.id, browser: nil)
        let new = try sessions.begin(tokenID: token.id, browser: nil, replacing: old)
        #expect(try sessions.find(old) == nil)
        #expect(try sessions.find(new) != nil)
        try sessions.end([new])
        try sessions.end(["unknown"])
        #expect(try sessions.find(new) == nil)
    }

    @Test func auditsTheEndOfTheSessionThatASignInReplaces() throws {
        let (mine, other) = (try token(), try token())
        let old = try sessions.begin(tokenID: mine.id, browser: "Firefox")
        let replaced = try #require(try sessions.find(old)).session
        let new = try sessions.begin(tokenID: other.id, browser: nil, replacing: old, requestID: "r1")
        let entries = try AuditLog(context: fixture.context).list(after: nil, limit: 2)
        #expect(entries.map(\.change.action) == ["console.sign_in", "console.session_end"])
        let end = try #require(entries.last?.change)
        #expect(end.subjectID == replaced.id && end.actor.tokenID == other.id && end.actor.requestID == "r1")
        #expect(end.before?.contains("Firefox") == true && end.after == nil)
        // One that has ended has no row, nor has a secret of no session.
        fixture.now = fixture.now.adding(seconds: 12 * 3600)
        let third = try sessions.begin(tokenID: mine.id, browser: nil, replacing: new)
        _ = try sessions.begin(tokenID: mine.id, browser: nil, replacing: old)
        #expect(try sessions.find(third) != nil)
        let ends = try AuditLog(context: fixture.context).list(after: nil, limit: 9).filter {
            $0.change.action == "console.session_end"
        }
        #expect(ends.count == 1)
    }

    @Test func nothingThatAClockAheadBeganLastsLonger() throws {
        let token = try token()
        let right = fixture.now
        for (seconds, isCurrent) in [(600, true), (601, false), (30 * 86_400, false)] as [(Int64, Bool)] {
            fixture.now = right.adding(seconds: seconds)
            let secret = try sessions.begin(tokenID: token.id, browser: nil)
            let code = try sessions.makeLink(tokenID: token.id)
            let attempt = try sessions.beginOpenID(next: nil)
            let session = try #require(try sessions.find(secret)).session
            fixture.now = right
            #expect(try (sessions.find(secret) != nil) == isCurrent)
            #expect(session.isConfirmed(at: right) == isCurrent)
            #expect(try (sessions.token(ofLink: code) != nil) == isCurrent)
            #expect(try (sessions.takeOpenID(state: attempt.state, browser: attempt.browser) != nil) == isCurrent)
        }
        #expect(try sessions.purge() == 2, "the last session and link, which would begin anew in 30 days")
    }

    /// Cookies are in the requests of strangers.
    @Test func unknownSecretsTakeOneReadAndNoWrite() throws {
        let secret = try sessions.begin(tokenID: try token().id, browser: nil)
        let strays = (100..<500).map { "\($0)" + String(repeating: "A", count: 40) }
        let store = CountedStore(fixture.store)
        let context = BackendContext(store: store, now: fixture.context.now, random: fixture.context.random)
        let counted = ConsoleSessionStore(context: context)
        try counted.end(Set(strays))
        #expect(try counted.find(Set(strays)).isEmpty)
        #expect(store.counts == (reads: 2, writes: 0))
        #expect(try counted.find(Set(strays + [secret])).map(\.secret) == [secret])
        try counted.end(Set(strays + [secret]))
        #expect(store.counts == (reads: 4, writes: 1))
        #expect(try sessions.find(secret) == nil)
    }

    private final class CountedStore: SQLStore {
        private let store: any SQLStore
        private let counted = Mutex((reads: 0, writes: 0))
        var counts: (reads: Int, writes: Int) { counted.withLock { $0 } }
        var dialect: SQLDialect { store.dialect }

        init(_ store: any SQLStore) { self.store = store }

        func read<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result {
            counted.withLock { $0.reads += 1 }
            return try store.read(body)
        }

        func write<Result>(_ body: (any SQLTransaction) throws -> Result) throws -> Result {
            counted.withLock { $0.writes += 1 }
            return try store.write(body)
        }

        func close() throws { try store.close() }
    }

    @Test func usesALinkUpOnce() throws {
        let token = try token()
        let code = try sessions.makeLink(tokenID: token.id)
        #expect(try sessions.token(ofLink: code) == token)
        #expect(try sessions.token(ofLink: code) == token, "looking does not use it up")
        let secret = try #require(try sessions.redeem(link: code, browser: nil))
        #expect(try sessions.find(secret)?.token == token)
        #expect(try sessions.redeem(link: code, browser: nil) == nil)
        #expect(try sessions.token(ofLink: code) == nil)
    }

    @Test func refusesLinksThatAreOldOrOfARevokedToken() throws {
        let token = try token()
        let code = try sessions.makeLink(tokenID: token.id)
        fixture.now = fixture.now.adding(seconds: 600)
        #expect(try sessions.redeem(link: code, browser: nil) == nil)
        let other = try sessions.makeLink(tokenID: token.id)
        try tokens.revoke(token.id, by: .editor)
        #expect(try sessions.redeem(link: other, browser: nil) == nil)
    }

    @Test func purgesWhatHasEnded() throws {
        let token = try token()
        _ = try sessions.begin(tokenID: token.id, browser: nil)
        _ = try sessions.makeLink(tokenID: token.id)
        fixture.now = fixture.now.adding(seconds: 12 * 3600)
        let current = try sessions.begin(tokenID: token.id, browser: nil)
        #expect(try sessions.purge() == 2)
        #expect(try sessions.purge() == 0)
        #expect(try sessions.find(current) != nil)
    }

    // MARK: Lists and the end

    private func rows() throws -> [AuditEntry] {
        try AuditLog(context: fixture.context).list(after: nil, limit: 20)
            .filter { $0.change.action.hasPrefix("console.") }
    }

    @Test func listsWhatHasNotEnded() throws {
        let (mine, other) = (try token(), try token())
        let first = try sessions.begin(tokenID: mine.id, browser: "Firefox")
        fixture.now = fixture.now.adding(seconds: 60)
        let second = try sessions.begin(tokenID: other.id, browser: nil)
        let firstID = try #require(try sessions.find(first)).session.id
        let secondID = try #require(try sessions.find(second)).session.id
        #expect(try sessions.list().map(\.session.id) == [secondID, firstID], "the latest use comes first")
        #expect(try sessions.list(ofToken: mine.id).map(\.token) == [mine])
        try tokens.revoke(other.id, by: .editor)
        #expect(try sessions.list().map(\.session.id) == [firstID])
        fixture.now = fixture.now.adding(seconds: 12 * 3600)
        #expect(try sessions.list().isEmpty)
    }

    @Test func endsOneAndAllOthers() throws {
        let (mine, other) = (try token(), try token())
        let secrets = try [mine, mine, mine, other].map { try sessions.begin(tokenID: $0.id, browser: nil) }
        let ids = try secrets.map { try #require(try sessions.find($0)).session.id }
        let actor = Actor(tokenID: mine.id, name: mine.name, requestID: "r1")
        let foreign = try sessions.end(ids[3], ofToken: mine.id, by: actor)
        #expect(!foreign, "the session of another token")
        let (ended, again) = (
            try sessions.end(ids[1], ofToken: mine.id, by: actor), try sessions.end(ids[1], ofToken: nil, by: actor)
        )
        #expect(ended && !again)
        #expect(try sessions.endAll(except: ids[0], ofToken: mine.id, by: actor) == 1)
        #expect(try sessions.list().map(\.session.id).sorted { $0.lowercased < $1.lowercased } == [ids[0], ids[3]])
        #expect(try sessions.endAll(except: ids[0], ofToken: nil, by: actor) == 1)
        #expect(try secrets.map { try sessions.find($0) != nil } == [true, false, false, false])
        let log = try rows()
        #expect(
            log.map(\.change.action) == Array(repeating: "console.session_end", count: 3)
                + Array(repeating: "console.sign_in", count: 4))
        #expect(log.first?.change.actor.name == mine.name && log.first?.change.subjectID == ids[3])
    }

    /// Managing access is no right over those who have more.
    @Test func endsNoSessionOfWhoHasMorePermissions() throws {
        let (mine, owner) = (
            try token(), try tokens.create(role: .owner, name: "o", expiresAt: nil, by: .editor).record
        )
        let secrets = try [mine, mine, owner].map { try sessions.begin(tokenID: $0.id, browser: nil) }
        let ids = try secrets.map { try #require(try sessions.find($0)).session.id }
        let actor = Actor(tokenID: mine.id, name: "m", requestID: nil, permissions: mine.role.permissions)
        #expect(throws: BackendError.self) { try sessions.end(ids[2], ofToken: nil, by: actor) }
        #expect(try sessions.endAll(except: ids[0], ofToken: nil, by: actor) == 1)
        #expect(try secrets.map { try sessions.find($0) != nil } == [true, false, true])
    }

    @Test func recordsSignInSignOutAndRefusal() throws {
        let token = try token()
        let code = try sessions.makeLink(tokenID: token.id)
        let secret = try #require(try sessions.redeem(link: code, browser: "Firefox", requestID: "r1"))
        let id = try #require(try sessions.find(secret)).session.id
        try sessions.end([secret], requestID: "r2")
        try sessions.end([secret], requestID: "r3")
        try sessions.noteRefusal("unknown token", of: nil, requestID: "r4")
        let log = try rows()
        #expect(log.map(\.change.action) == ["console.sign_in_refused", "console.sign_out", "console.sign_in"])
        #expect(log.map(\.change.actor.requestID) == ["r4", "r2", "r1"])
        #expect(log.map(\.change.subjectID) == [nil, id, id])
        #expect(log.map(\.change.actor.tokenID) == [nil, token.id, token.id])
        #expect(log[2].change.after?.contains("\"by\":\"link\"") == true)
        #expect(log[0].change.after == "{\"reason\":\"unknown token\"}")
        #expect(try AuditLog(context: fixture.context).verify().isIntact)
    }

    @Test func remembersWhenTheTokenWasEntered() throws {
        let secret = try sessions.begin(tokenID: try token().id, browser: nil)
        let session = try #require(try sessions.find(secret)).session
        fixture.now = fixture.now.adding(seconds: 15 * 60 - 1)
        #expect(session.isConfirmed(at: fixture.now))
        fixture.now = fixture.now.adding(seconds: 1)
        #expect(!session.isConfirmed(at: fixture.now))
        try sessions.confirm(session.id, at: fixture.now)
        #expect(try #require(try sessions.find(secret)).session.isConfirmed(at: fixture.now))
    }
}
