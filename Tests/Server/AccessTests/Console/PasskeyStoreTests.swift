import BackendTestKit
import Foundation
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing
import TextCoding

@Suite struct PasskeyStoreTests {
    private let fixture: BackendFixture
    private let tokens: AccessTokenStore
    private let passkeys: PasskeyStore
    private let sessions: ConsoleSessionStore
    private let party = RelyingParty(id: "subguard.example", origin: "https://subguard.example")

    init() throws {
        fixture = try BackendFixture()
        tokens = AccessTokenStore(context: fixture.context)
        passkeys = PasskeyStore(context: fixture.context, maximumSignIns: 30)
        sessions = ConsoleSessionStore(context: fixture.context)
    }

    private func token(expiresAt: UTCInstant? = nil) throws -> AccessToken {
        try tokens.create(role: .editor, name: "Zoë", expiresAt: expiresAt, by: .editor).record
    }

    /// Registers a device, as a browser does.
    @discardableResult
    private func add(
        _ device: SoftAuthenticator, to token: AccessToken, challenge: String? = nil, origin: String? = nil,
        type: String = "webauthn.create", host: String? = nil, dropping count: Int = 0
    ) throws -> Passkey {
        let creation = try passkeys.beginCreation(tokenID: token.id, at: party)
        device.userHandle = Base64URL.bytes(of: creation.userHandle) ?? []
        let clientData = SoftAuthenticator.clientData(
            type, challenge: challenge ?? creation.challenge, origin: origin ?? party.origin)
        return try passkeys.add(
            name: " Blue \"key\" ", clientData: clientData,
            attestation: Array(try device.attestation(host ?? party.id).dropLast(count)), tokenID: token.id, at: party,
            by: .editor)
    }

    private func assertion(
        _ device: SoftAuthenticator, challenge: String? = nil, origin: String? = nil, type: String = "webauthn.get",
        crossOrigin: Bool = false, host: String? = nil
    ) throws -> PasskeyAssertion {
        device.signCount += 1
        let clientData = SoftAuthenticator.clientData(
            type, challenge: try challenge ?? passkeys.beginSignIn(), origin: origin ?? party.origin,
            crossOrigin: crossOrigin)
        let data = try device.data(host ?? party.id)
        return PasskeyAssertion(
            credentialID: device.credentialID, clientData: clientData, authenticatorData: data,
            signature: try device.signature(of: data, clientData), userHandle: device.userHandle)
    }

    private func signIn(_ assertion: PasskeyAssertion) throws -> String {
        try passkeys.signIn(assertion, at: party, browser: "Firefox", requestID: "r1")
    }

    private func actions() throws -> [String] {
        try AuditLog(context: fixture.context).list(after: nil, limit: 20).map(\.change.action)
            .filter { $0.hasPrefix("console.") }
    }

    // MARK: The way it goes

    @Test(arguments: SoftAuthenticator.Kind.allCases)
    func signsInAsItsToken(_ kind: SoftAuthenticator.Kind) throws {
        let token = try token()
        let device = try SoftAuthenticator(kind)
        let made = try add(device, to: token)
        #expect(made.name == "Blue \"key\"" && made.relyingParty == party.id && device.userHandle.count == 32)
        fixture.now = fixture.now.adding(seconds: 60)
        let found = try #require(try sessions.find(try signIn(try assertion(device))))
        #expect(found.token == token && found.session.browser == "Firefox")
        let listed = try passkeys.list(ofToken: token.id)
        #expect(listed.map(\.passkey.id) == [made.id] && listed.first?.passkey.lastUsedAt == fixture.now)
        let other = Actor(tokenID: makeID(7), name: "m", requestID: nil, permissions: [.accessManage])
        #expect(throws: BackendError.self) { try passkeys.remove(made.id, ofToken: nil, by: other) }
        #expect(try passkeys.remove(made.id, ofToken: token.id, by: .editor))
        #expect(try !passkeys.remove(made.id, ofToken: token.id, by: .editor))
        #expect(throws: PasskeyRefusal.unknown) { try signIn(try assertion(device)) }
        #expect(try actions() == ["console.passkey_remove", "console.sign_in", "console.passkey_add"])
    }

    @Test func givesAllPasskeysOfATokenOneUserAndExcludesThem() throws {
        let token = try token()
        let (one, two) = (try SoftAuthenticator(.es256), try SoftAuthenticator(.es256, credentialID: [1, 2, 3]))
        try add(one, to: token)
        try add(two, to: token)
        #expect(one.userHandle == two.userHandle)
        let creation = try passkeys.beginCreation(tokenID: token.id, at: party)
        #expect(Set(creation.excluded) == [Base64URL.text(of: one.credentialID), Base64URL.text(of: [1, 2, 3])])
        #expect(try passkeys.beginCreation(tokenID: try self.token().id, at: party).userHandle != creation.userHandle)
    }

    @Test func endsWithItsToken() throws {
        let token = try token()
        let device = try SoftAuthenticator(.es256)
        try add(device, to: token)
        try tokens.revoke(token.id, by: .editor)
        #expect(try passkeys.list().isEmpty)
        #expect(throws: PasskeyRefusal.unknown) { try signIn(try assertion(device)) }

        let short = try self.token(expiresAt: fixture.now.adding(seconds: 100))
        try add(device, to: short)
        fixture.now = fixture.now.adding(seconds: 100)
        #expect(throws: PasskeyRefusal.token) { try signIn(try assertion(device)) }
    }

    // MARK: Attacks

    @Test func refusesRegistrationsThatAreNotForHereAndNow() throws {
        let token = try token()
        let device = try SoftAuthenticator(.es256)
        let foreign = try passkeys.beginCreation(tokenID: try self.token().id, at: party).challenge
        for challenge in [try passkeys.beginSignIn(), foreign, String(repeating: "A", count: 43), "", "x"] {
            #expect(throws: PasskeyRefusal.challenge) { try add(device, to: token, challenge: challenge) }
        }
        for origin in ["https://subguard.example:444", "http://subguard.example", "https://evil.example", ""] {
            #expect(throws: PasskeyRefusal.origin) { try add(device, to: token, origin: origin) }
        }
        #expect(throws: PasskeyRefusal.type) { try add(device, to: token, type: "webauthn.get") }
        #expect(throws: PasskeyRefusal.relyingParty) { try add(device, to: token, host: "evil.example") }
        #expect(throws: PasskeyRefusal.malformed) { try add(device, to: token, dropping: 1) }
        device.flags = 4
        #expect(throws: PasskeyRefusal.userAbsent) { try add(device, to: token) }
        device.flags = 1
        try add(device, to: token)
        // The id of another user's passkey.
        #expect(throws: PasskeyRefusal.registered) {
            try add(try SoftAuthenticator(.es256), to: try self.token())
        }
        #expect(try passkeys.list().count == 1)
    }

    @Test func refusesSignInsThatAreNotForHereAndNow() throws {
        let token = try token()
        let device = try SoftAuthenticator(.es256)
        try add(device, to: token)
        #expect(throws: PasskeyRefusal.origin) { try signIn(try assertion(device, origin: "https://evil.example")) }
        #expect(throws: PasskeyRefusal.origin) { try signIn(try assertion(device, crossOrigin: true)) }
        #expect(throws: PasskeyRefusal.type) { try signIn(try assertion(device, type: "webauthn.create")) }
        #expect(throws: PasskeyRefusal.relyingParty) { try signIn(try assertion(device, host: "evil.example")) }
        let creation = try passkeys.beginCreation(tokenID: token.id, at: party).challenge
        #expect(throws: PasskeyRefusal.challenge) { try signIn(try assertion(device, challenge: creation)) }

        let replayed = try assertion(device)
        _ = try signIn(replayed)
        #expect(throws: PasskeyRefusal.challenge) { try signIn(replayed) }
        let late = try assertion(device)
        fixture.now = fixture.now.adding(seconds: 300)
        #expect(throws: PasskeyRefusal.challenge) { try signIn(late) }

        let stranger = try SoftAuthenticator(.es256)
        stranger.userHandle = device.userHandle
        stranger.signCount = 100
        #expect(throws: PasskeyRefusal.signature) { try signIn(try assertion(stranger)) }
        let unknown = try SoftAuthenticator(.es256, credentialID: [9])
        #expect(throws: PasskeyRefusal.unknown) { try signIn(try assertion(unknown)) }
        let handle = device.userHandle
        device.userHandle = Array(handle.reversed())
        #expect(throws: PasskeyRefusal.userHandle) { try signIn(try assertion(device)) }
        device.userHandle = handle
        device.flags = 4
        #expect(throws: PasskeyRefusal.userAbsent) { try signIn(try assertion(device)) }
        device.flags = 1
        _ = try signIn(try assertion(device))
        device.signCount -= 1
        #expect(throws: PasskeyRefusal.signCount, "a copy of the authenticator") {
            try signIn(try assertion(device))
        }
    }

    /// A key without a PIN can be given one by anyone who finds it, so that both times count.
    @Test(arguments: [(made: UInt8(5), used: UInt8(5), true), (5, 1, false), (1, 5, false), (1, 1, false)])
    func confirmsOnlyWithAVerifiedUser(made: UInt8, used: UInt8, isConfirmed: Bool) throws {
        let device = try SoftAuthenticator(.es256)
        device.flags = made
        try add(device, to: try token())
        device.flags = used
        let secret = try signIn(try assertion(device))
        let session = try #require(try sessions.find(secret)).session
        #expect(session.isConfirmed(at: fixture.now) == isConfirmed)
        try sessions.confirm(session.id, at: fixture.now)
        #expect(try #require(try sessions.find(secret)).session.isConfirmed(at: fixture.now))
    }

    /// Any client may ask for challenges of sign-ins.
    @Test func keepsRegistrationsThroughAFloodOfSignIns() throws {
        let token = try token()
        let creation = try passkeys.beginCreation(tokenID: token.id, at: party)
        let first = try passkeys.beginSignIn()
        for _ in 0..<30 { _ = try passkeys.beginSignIn() }
        let device = try SoftAuthenticator(.es256)
        try add(device, to: token, challenge: creation.challenge)
        #expect(throws: PasskeyRefusal.challenge) { try signIn(try assertion(device, challenge: first)) }
        let stale = try passkeys.beginCreation(tokenID: token.id, at: party)
        for _ in 0..<20 { _ = try passkeys.beginCreation(tokenID: token.id, at: party) }
        #expect(throws: PasskeyRefusal.challenge) {
            try add(try SoftAuthenticator(.es256, credentialID: [1]), to: token, challenge: stale.challenge)
        }
    }

    /// A refused answer has used its challenge up.
    @Test func usesAChallengeOnce() throws {
        let device = try SoftAuthenticator(.es256)
        try add(device, to: try token())
        let challenge = try passkeys.beginSignIn()
        #expect(throws: PasskeyRefusal.relyingParty) {
            try signIn(try assertion(device, challenge: challenge, host: "evil.example"))
        }
        #expect(throws: PasskeyRefusal.challenge) { try signIn(try assertion(device, challenge: challenge)) }
    }

    @Test func takesAuthenticatorsThatDoNotCount() throws {
        let device = try SoftAuthenticator(.es256)
        try add(device, to: try token())
        for _ in 0..<2 {
            let clientData = SoftAuthenticator.clientData(
                "webauthn.get", challenge: try passkeys.beginSignIn(), origin: party.origin)
            let data = try device.data(party.id)
            _ = try signIn(
                PasskeyAssertion(
                    credentialID: device.credentialID, clientData: clientData, authenticatorData: data,
                    signature: try device.signature(of: data, clientData), userHandle: device.userHandle))
        }
    }

    @Test func purgesOldChallenges() throws {
        _ = try passkeys.beginSignIn()
        fixture.now = fixture.now.adding(seconds: 300)
        #expect(try sessions.purge() == 1)
    }

    @Test(arguments: ["", " ", "a\nb", String(repeating: "x", count: 121)])
    func refusesNames(_ name: String) {
        #expect(throws: BackendError.self) { try PasskeyStore.checked(name) }
    }
}
