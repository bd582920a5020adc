import Accounts
import BackendTestKit
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

@Suite struct SigningKeyTests {
    private let fixture: AccountFixture

    init() throws { fixture = try AccountFixture() }

    private func signsIn(_ nonce: String, _ issuer: AppleIssuer) throws -> Result<Void, any Error> {
        let token = try fixture.token(nonce: nonce, issuer: issuer)
        return Result { _ = try fixture.accounts.signIn(token, nonce: nonce, identity: fixture.identity) }
    }

    private func wait(_ seconds: Int64) { fixture.backend.now = fixture.backend.now.adding(seconds: seconds) }

    @Test func readsTheKeysOnceAndAgainTheNextDay() throws {
        let first = try AccountFixture.first.get()
        for nonce in ["a", "b", "c"] { try signsIn(nonce, first).get() }
        #expect(fixture.fetches == 1)
        wait(86_399)
        try signsIn("d", first).get()
        #expect(fixture.fetches == 1)
        wait(1)
        try signsIn("e", first).get()
        #expect(fixture.fetches == 2)
    }

    @Test func followsARotationAtOnceAndStrangersOnceAMinute() throws {
        let (first, second) = try (AccountFixture.first.get(), AccountFixture.second.get())
        try signsIn("a", first).get()
        fixture.serve([try second.publicKey()])
        try signsIn("b", second).get()
        #expect(fixture.fetches == 2)
        // The old key was removed, and it is too early to fetch the keys again.
        #expect(throws: SignatureRefusal.self) { try signsIn("c", first).get() }
        #expect(throws: SignatureRefusal.self) { try signsIn("d", first).get() }
        #expect(fixture.fetches == 2)
        wait(60)
        #expect(throws: SignatureRefusal.self) { try signsIn("e", first).get() }
        #expect(fixture.fetches == 3)
    }

    @Test func goesOnWithTheKeysAtHandWhenAppleIsDown() throws {
        let (first, second) = try (AccountFixture.first.get(), AccountFixture.second.get())
        try signsIn("a", first).get()
        fixture.goDown()
        wait(90_000)
        try signsIn("b", first).get()
        #expect((fixture.fetches, fixture.failures) == (2, 1))
        // Not for each request, but soon again.
        try signsIn("c", first).get()
        #expect(fixture.fetches == 2)
        #expect(throws: SigningKeyCache.Failure.unavailable) { try signsIn("d", second).get() }
        fixture.serve([try first.publicKey(), try second.publicKey()])
        wait(5)
        try signsIn("e", second).get()
        #expect((fixture.fetches, fixture.failures) == (3, 1))
    }

    @Test func saysThatItCannotKnowWhenAppleWasNeverReached() throws {
        let first = try AccountFixture.first.get()
        fixture.goDown()
        #expect(throws: SigningKeyCache.Failure.unavailable) { try signsIn("a", first).get() }
        fixture.serve([try first.publicKey()])
        #expect(throws: SigningKeyCache.Failure.unavailable) { try signsIn("b", first).get() }
        wait(5)
        try signsIn("b", first).get()
    }

    @Test func survivesAClockThatIsSetBack() throws {
        let first = try AccountFixture.first.get()
        try signsIn("a", first).get()
        wait(-864_000)
        fixture.goDown()
        try signsIn("b", first).get()
    }

    @Test(arguments: [
        ["kty": "EC"], ["use": "enc"], ["alg": "RS512"], ["kid": ""], ["n": "AQAB"], ["n": "!"], ["e": ""],
        ["e": "AQAB=="],
    ])
    func passesOverOtherKeys(_ changes: [String: String]) throws {
        let issuer = try AccountFixture.first.get()
        fixture.serve([try issuer.publicKey(changes)])
        #expect(throws: (any Error).self) { try signsIn("a", issuer).get() }
        #expect(fixture.fetches == 1)
    }

    @Test func readsNoSetOutOfWhatIsNone() {
        for text in ["", "{}", "[]", #"{"keys":{}}"#, "<html>", #"{"keys":[],"keys":[]}"#] {
            #expect(SigningKey.set(Array(text.utf8)) == nil, "\(text)")
        }
        #expect(SigningKey.set(Array(#"{"keys":[7,{},{"kty":"RSA"}]}"#.utf8))?.count == 0)
    }
}
