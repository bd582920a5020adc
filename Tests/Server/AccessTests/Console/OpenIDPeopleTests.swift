import BackendTestKit
import Cryptography
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

/// The tokens of people who sign in by OpenID Connect, and their sessions.
@Suite struct OpenIDPeopleTests {
    private let fixture: BackendFixture
    private let sessions: ConsoleSessionStore
    private let tokens: AccessTokenStore

    init() throws {
        fixture = try BackendFixture()
        sessions = ConsoleSessionStore(context: fixture.context)
        tokens = AccessTokenStore(context: fixture.context)
    }

    private static func person(_ subject: String = "ann") throws -> OpenIDPerson {
        let claims = #"{"sub":"\#(subject)","email":"Ann@example.com","email_verified":true}"#
        return try #require(try JSONValue.parse(Array(claims.utf8)).objectValue.flatMap(OpenIDPerson.init))
    }

    private static func grant(
        _ rule: String = "mail:ann@example.com=owner", issuer: String = "https://id.example", client: String = "console"
    ) throws -> OpenIDGrant {
        OpenIDGrant(try #require(OpenIDRoleRule(rule)), issuer: issuer, clientID: client)
    }

    private func admitted(_ admission: OpenIDAdmission) throws -> String {
        guard case .admitted(let secret) = admission else {
            Issue.record("\(admission)")
            throw CancellationError()
        }
        return secret
    }

    /// Any client may begin a sign-in. Many of them push out the oldest ones, and keep no one from beginning one.
    @Test func strangersKeepNobodyOut() throws {
        let first = try sessions.beginOpenID(next: nil)
        fixture.now = fixture.now.adding(seconds: 1)
        let end = SQLValue.integer(fixture.now.adding(seconds: 600).millisecondsSinceEpoch)
        try fixture.context.store.write { transaction in
            try transaction.execute(
                "INSERT INTO console_openid_pending (state_hash, browser_hash, expires_at) VALUES (?, ?, ?)",
                rows: (0..<9_999).map { number in
                    let hash = SQLValue.blob(SHA256.hash(of: "\(number)".utf8))
                    return [hash, hash, end]
                })
        }
        let honest = try sessions.beginOpenID(next: "/console")
        #expect(try fixture.count("SELECT count(*) FROM console_openid_pending") == 10_000)
        #expect(try sessions.takeOpenID(state: first.state, browser: first.browser) == nil)
        #expect(try sessions.takeOpenID(state: honest.state, browser: honest.browser)?.next == "/console")
    }

    /// Several servers on one database, each with its own connections, all at once.
    @Test func firstSignInsAtOnceShareOneToken() throws {
        let fixtures = try [fixture] + (2...4).map { try fixture.reopened(seed: $0) }
        let (person, grant) = try (Self.person(), Self.grant())
        let outcomes = OwnThread.each(of: 8) { index in
            let sessions = ConsoleSessionStore(context: fixtures[index % fixtures.count].context)
            return try sessions.admit(person, by: grant, browser: nil)
        }
        let secrets = try outcomes.map { try admitted(try $0.get()) }
        #expect(Set(secrets).count == 8)
        #expect(try tokens.list().count { $0.name == "oidc: ann@example.com" } == 1)
        #expect(try fixture.count("SELECT count(*) FROM console_openid_people") == 1)
        for secret in secrets { #expect(try sessions.find(secret, grants: [grant.hash])?.token.role == .owner) }
    }

    @Test func peopleOfTwoIssuersAreTwo() throws {
        let person = try Self.person()
        _ = try sessions.admit(person, by: Self.grant(), browser: nil)
        _ = try sessions.admit(person, by: Self.grant(issuer: "https://id.example/"), browser: nil)
        _ = try sessions.admit(try Self.person("ann2"), by: Self.grant(), browser: nil)
        #expect(try fixture.count("SELECT count(*) FROM console_openid_people") == 3)
    }

    /// The settings change while a user is signed in.
    @Test func sessionsEndWithWhatGaveTheRole() throws {
        let (person, grant) = try (Self.person(), Self.grant())
        let secret = try admitted(try sessions.admit(person, by: grant, browser: nil))
        #expect(try sessions.find(secret, grants: [grant.hash]) != nil)
        let others = try [
            Self.grant("mail:ann@example.com=analyst"), Self.grant("group:admins=owner"),
            Self.grant(issuer: "https://other.example"), Self.grant(client: "other"),
        ]
        #expect(try sessions.find(secret, grants: Set(others.map(\.hash))) == nil)
        #expect(try sessions.find(secret) == nil, "no provider is configured any more")
        let later = try admitted(try sessions.admit(person, by: others[0], browser: nil))
        #expect(try sessions.find(later, grants: [others[0].hash])?.token.role.name == "analyst")
    }
}
