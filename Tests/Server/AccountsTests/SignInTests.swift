import Accounts
import BackendTestKit
import Foundation
import SQLDatabase
import SubGuardContract
import SubGuardDomain
import SubGuardSQL
import TestKit
import Testing

@Suite struct SignInTests {
    private let fixture: AccountFixture

    init() throws { fixture = try AccountFixture() }

    private func refusal(_ token: String, nonce: String) -> String? {
        do {
            _ = try fixture.accounts.signIn(token, nonce: nonce, identity: fixture.identity)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func makesOneAccountAPersonAndASessionEachTime() throws {
        let first = try fixture.signIn(nonce: "n 1 – “é” 🦊")
        let second = try fixture.signIn(nonce: "n 2")
        let other = try fixture.signIn(subject: "009999.ffff.0001", nonce: "n 3")
        let accounts = try [first, second, other].map {
            try #require(try fixture.accounts.authenticate($0.accessToken)).accountID
        }
        #expect(accounts[0] == accounts[1])
        #expect(accounts[0] != accounts[2])
        #expect(try (fixture.count("accounts"), fixture.count("account_sessions")) == (2, 3))
        #expect(first.expiresIn == 3600)
    }

    /// The file contains neither Apple's id of the person, nor a token, nor the mail address.
    @Test func storesNothingThatCouldBeReadBack() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let stored = try AccountFixture(path: path)
        let token = try stored.token(nonce: "secret-nonce-31", changes: ["email": "\"zoe@example.org\""])
        let issued = try stored.accounts.signIn(token, nonce: "secret-nonce-31", identity: stored.identity)
        let again = try stored.accounts.refresh(issued.refreshToken)
        try stored.backend.store.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for text in [
            "001234.0a1b2c3d", "zoe@example.org", "secret-nonce-31", token, issued.accessToken, issued.refreshToken,
            again.accessToken, again.refreshToken,
        ] {
            #expect(bytes.range(of: Data(text.utf8)) == nil)
        }
    }

    @Test func takesEachTokenAndEachNonceOnce() throws {
        let token = try fixture.token(nonce: "once")
        #expect(refusal(token, nonce: "once") == nil)
        #expect(refusal(token, nonce: "once") == "used before")
        let sameNonce = try fixture.token(subject: "009999.ffff.0001", nonce: "once")
        #expect(refusal(sameNonce, nonce: "once") == "used before")
        // A rejected token is not spent.
        let fresh = try fixture.token(nonce: "twice")
        #expect(refusal(fresh, nonce: "another") == "another nonce")
        #expect(refusal(fresh, nonce: "twice") == nil)
        #expect(try fixture.count("accounts") == 1)
    }

    @Test func forgetsWhatCouldNotComeAgainAnyway() throws {
        _ = try fixture.signIn(nonce: "old")
        let token = try fixture.token(nonce: "old too")
        fixture.backend.now = fixture.backend.now.adding(seconds: 700)
        #expect(try fixture.accounts.purge() == 0, "another server's clock may be behind")
        #expect(refusal(token, nonce: "old too") == "expired")
        fixture.backend.now = fixture.backend.now.adding(seconds: 600)
        #expect(try fixture.accounts.purge() == 2)
    }

    /// Two servers with one database: the database decides.
    @Test func letsOneOfManySignInWithOneToken() throws {
        let token = try fixture.token(nonce: "race")
        let outcomes = OwnThread.each(of: 8) { [fixture] _ in
            try fixture.accounts.signIn(token, nonce: "race", identity: fixture.identity)
        }
        #expect(outcomes.count { (try? $0.get()) != nil } == 1)
    }

    @Test(arguments: [
        ("iss", "\"https://appleid.apple.com.evil.example\"", "another issuer"), ("iss", nil, "another issuer"),
        ("aud", "\"app.example.other\"", "for another app"), ("aud", "[]", "for another app"),
        ("aud", nil, "for another app"), ("exp", "1", "expired"), ("exp", nil, "expired"),
        ("exp", "\"9e9\"", "expired"),
        ("exp", "1e400", "expired"), ("iat", "9999999999", "issued in the future"),
        ("iat", nil, "issued in the future"),
        ("nonce", nil, "another nonce"), ("nonce", "\"nonce\"", "another nonce"), ("sub", nil, "names no user"),
        ("sub", "\"\"", "names no user"), ("sub", "12", "names no user"),
    ])
    func refusesOtherClaims(_ name: String, _ value: String?, _ reason: String) throws {
        #expect(refusal(try fixture.token(nonce: "nonce", changes: [name: value]), nonce: "nonce") == reason)
        #expect(try fixture.count("accounts") == 0)
        #expect(try fixture.count("spent_proofs") == 0)
    }

    @Test func takesSeveralAudiencesAndAnUpperCaseNonceNot() throws {
        let many = ["aud": "[\"app.example.none\",\"app.example.web\"]"]
        #expect(refusal(try fixture.token(nonce: "a", changes: many), nonce: "a") == nil)
        let upper = ["nonce": "\"\(AppleIssuer.nonceClaim("b").uppercased())\""]
        #expect(refusal(try fixture.token(nonce: "b", changes: upper), nonce: "b") == "another nonce")
    }

    @Test func allowsAMinuteBetweenTheClocks() throws {
        let soon = try fixture.token(nonce: "a", changes: ["iat": "\(fixture.seconds + 60)"])
        #expect(refusal(soon, nonce: "a") == nil)
        let late = try fixture.token(nonce: "b", changes: ["exp": "\(fixture.seconds - 59)"])
        #expect(refusal(late, nonce: "b") == nil)
        let tooLate = try fixture.token(nonce: "c", changes: ["exp": "\(fixture.seconds - 60)"])
        #expect(refusal(tooLate, nonce: "c") == "expired")
        let tooSoon = try fixture.token(nonce: "d", changes: ["iat": "\(fixture.seconds + 61)"])
        #expect(refusal(tooSoon, nonce: "d") == "issued in the future")
    }

    @Test(arguments: [
        ("alg", "\"none\"", "another algorithm"), ("alg", "\"HS256\"", "another algorithm"),
        ("alg", "\"ES256\"", "another algorithm"), ("alg", "\"rs256\"", "another algorithm"),
        ("alg", nil, "not a signed token"), ("kid", nil, "names no key"), ("kid", "\"KEY-9\"", "unknown key"),
        ("crit", "[\"exp\"]", "not a signed token"), ("b64", "false", "not a signed token"),
    ])
    func refusesOtherHeaders(_ name: String, _ value: String?, _ reason: String) throws {
        #expect(refusal(try fixture.token(nonce: "nonce", header: [name: value]), nonce: "nonce") == reason)
    }

    @Test func refusesWhatIsNoTokenOrWasTouched() throws {
        let good = try fixture.token(nonce: "nonce")
        let parts = good.split(separator: ".").map(String.init)
        let stranger = try fixture.token(
            nonce: "nonce", issuer: try AccountFixture.second.get(), header: ["kid": "\"KEY-1\""])
        let other = try fixture.token(subject: "another", nonce: "nonce").split(separator: ".").map(String.init)
        #expect(refusal(stranger, nonce: "nonce") == "wrong signature")
        #expect(refusal("\(parts[0]).\(other[1]).\(parts[2])", nonce: "nonce") == "wrong signature")
        for text in [
            "", ".", "..", "a.b.c", "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).", good + ".", good + "=",
            " " + good, good.replacing(".", with: ". "), "\(parts[0])..\(parts[2])",
        ] {
            #expect(refusal(text, nonce: "nonce") == "not a signed token", "\(text.prefix(20))")
        }
        #expect(refusal(good, nonce: "nonce") == nil)
    }
}
