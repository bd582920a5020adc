import Backend
import BackendTestKit
import SubGuardDomain
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
        try sessions.end(new)
        try sessions.end("unknown")
        #expect(try sessions.find(new) == nil)
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
}
