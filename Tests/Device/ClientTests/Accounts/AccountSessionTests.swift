import Foundation
import JSONWire
import SubGuardClient
import SubGuardContract
import SubGuardDomain
import SubGuardEngine
import Synchronization
import TestKit
import Testing

@Suite struct AccountSessionTests {
    /// A server with rotating sessions. It rejects `spent` tokens, except the last one while its successor is unused.
    private final class Sessions: Sendable {
        struct State {
            var generation = 1
            var refreshes = 0
        }
        let state = Mutex(State())

        func answer(_ request: TransportRequest) -> TransportAnswer {
            state.withLock { state in
                let path = URLComponents(string: request.url)?.path ?? ""
                let body = (try? JSONValue.parse(request.body ?? []))?.objectValue
                switch path {
                case "/api/v1/auth/apple": return Self.tokens(state.generation)
                case "/api/v1/auth/refresh":
                    guard body?["refresh_token"]?.stringValue == "r\(state.generation)" else {
                        return .problem(401, "unauthorized")
                    }
                    state.generation += 1
                    state.refreshes += 1
                    return Self.tokens(state.generation)
                default:
                    guard request.fields["Authorization"] == "Bearer a\(state.generation)" else {
                        return .problem(401, "unauthorized")
                    }
                    if request.method == "DELETE" || path == "/api/v1/auth/sign_out" { return .json("", status: 204) }
                    return .json(
                        #"{"status":"active","product_id":"p","expires_at":"2027-01-01T00:00:00Z","#
                            + #""app_account_token":"01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b"}"#)
                }
            }
        }

        static func tokens(_ generation: Int) -> TransportAnswer {
            .json(
                #"""
                {"access_token":"a\#(generation)","refresh_token":"r\#(generation)","expires_in":3600,\#
                "token_type":"Bearer"}
                """#
            )
        }
    }

    private func fixture(_ sessions: Sessions) throws -> ClientFixture {
        try ClientFixture { request, _ in sessions.answer(request) }
    }

    @Test func manyAtOnceRefreshOnce() async throws {
        let sessions = Sessions()
        let fixture = try fixture(sessions)
        try await fixture.account().signIn(identityToken: "t", nonce: "n")
        // The access token expires on the server, as after an hour.
        let held = try #require(try CredentialFile(path: fixture.folder.file("session")).load())
        try CredentialFile(path: fixture.folder.file("session")).save(
            Credentials(server: held.server, accessToken: "old", refreshToken: held.refreshToken))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try await fixture.account().answer(to: ServerCall(.premium)).status }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(sessions.state.withLock { $0.refreshes } == 1)
    }

    @Test func aSessionThatTheServerEndedIsSaid() async throws {
        let sessions = Sessions()
        let fixture = try fixture(sessions)
        try await fixture.account().signIn(identityToken: "t", nonce: "n")
        sessions.state.withLock { $0.generation = 9 }
        await #expect(throws: ClientError.sessionEnded) {
            try await fixture.account().answer(to: ServerCall(.premium))
        }
        #expect(sessions.state.withLock { $0.refreshes } == 0)
    }

    @Test func tokensGoToTheirServerAlone() async throws {
        let fixture = try fixture(Sessions())
        try await fixture.account().signIn(identityToken: "t", nonce: "n")
        let transport = ScriptedTransport { _, _ in .json("{}") }
        let other = AccountSession(
            server: ServerConnection(try ServerAddress("https://b.example"), transport: transport, version: "1"),
            credentials: CredentialFile(path: fixture.folder.file("session")), lockPath: fixture.folder.file("l"))
        #expect(try !other.isSignedIn)
        await #expect(throws: ClientError.notSignedIn) { try await other.answer(to: ServerCall(.premium)) }
        #expect(transport.requests.isEmpty)
    }

    @Test func signingOutForgetsAlsoWhereTheServerIsAway() async throws {
        let sessions = Sessions()
        let isDown = Mutex(false)
        let fixture = try ClientFixture { request, _ throws(TransportError) in
            if isDown.withLock({ $0 }) { throw .unreachable(.other("x")) }
            return sessions.answer(request)
        }
        try await fixture.account().signIn(identityToken: "t", nonce: "n")
        #expect(try await fixture.account().signOut())
        try await fixture.account().signIn(identityToken: "t", nonce: "n")
        isDown.withLock { $0 = true }
        #expect(try await !fixture.account().signOut())
        #expect(try !fixture.account().isSignedIn)
        #expect(try await !fixture.account().signOut())
    }

    /// While a refresh of another process is in flight.
    @Test func aSignOutOrSignInStandsWhenARefreshComesBack() async throws {
        let sessions = Sessions()
        let path = Mutex<String?>(nil)
        let meanwhile = Mutex<Credentials?>(nil)
        let fixture = try ClientFixture { request, _ in
            if request.url.hasSuffix("/auth/refresh"), let path = path.withLock({ $0 }) {
                let file = CredentialFile(path: path)
                if let other = meanwhile.withLock({ $0 }) { try? file.save(other) } else { try? file.remove() }
            }
            return sessions.answer(request)
        }
        let file = CredentialFile(path: fixture.folder.file("session"))
        try await fixture.account().signIn(identityToken: "t", nonce: "n")
        let held = try #require(try file.load())
        path.withLock { $0 = file.path }
        let spent = Credentials(server: held.server, accessToken: "old", refreshToken: held.refreshToken)
        try file.save(spent)
        await #expect(throws: ClientError.notSignedIn) {
            try await fixture.account().answer(to: ServerCall(.premium))
        }
        #expect(try file.load() == nil && !fixture.account().isSignedIn)

        let other = Credentials(server: held.server, accessToken: "a3", refreshToken: "other")
        meanwhile.withLock { $0 = other }
        try file.save(Credentials(server: held.server, accessToken: "old", refreshToken: "r2"))
        #expect(try await fixture.account().answer(to: ServerCall(.premium)).status == 200)
        #expect(try file.load() == other)
    }

    @Test(arguments: [true, false])
    func leavingWaitsForARefreshOfAnotherProcess(isErasure: Bool) async throws {
        let sessions = Sessions()
        let fixture = try fixture(sessions)
        let file = CredentialFile(path: fixture.folder.file("session"))
        try await fixture.account().signIn(identityToken: "t", nonce: "n")
        let held = try #require(try file.load())
        var lock = try await FileLock.take(fixture.folder.file("session-lock"), timeout: .seconds(5))
        #expect(lock != nil)
        let leaving = Task {
            if isErasure { try await fixture.account().erase() } else { try await fixture.account().signOut() }
        }
        while fixture.transport.requests.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        // The refresh writes what it got, and ends.
        try file.save(held)
        lock = nil
        try await leaving.value
        #expect(try file.load() == nil)
    }

    @Test func signingOutGetsRidOfCredentialsThatCannotBeUsed() async throws {
        let fixture = try fixture(Sessions())
        try await fixture.account().signIn(identityToken: "t", nonce: "n")
        let path = fixture.folder.file("session")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        #expect(throws: ClientError.self) { try fixture.account().isSignedIn }
        #expect(try await !fixture.account().signOut())
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// What a proxy answers in the server's place, with a status that looks like success.
    @Test(arguments: [200, 201, 202, 206, 304]) func aPageOfAProxyIsNoErasureAndNoSignOut(_ status: Int) async throws {
        let sessions = Sessions()
        let isProxied = Mutex(false)
        let fixture = try ClientFixture { request, _ in
            isProxied.withLock { $0 } ? .json("<html>Maintenance</html>", status: status) : sessions.answer(request)
        }
        try await fixture.account().signIn(identityToken: "t", nonce: "n")
        isProxied.withLock { $0 = true }
        await #expect(throws: ClientError.self) { try await fixture.account().erase() }
        #expect(try fixture.account().isSignedIn)
        #expect(try await !fixture.account().signOut())
    }

    @Test func anErasureThatFailsChangesNothing() async throws {
        let sessions = Sessions()
        let isDown = Mutex(true)
        let fixture = try ClientFixture { request, _ throws(TransportError) in
            if request.method == "DELETE", isDown.withLock({ $0 }) { throw .unreachable(.other("x")) }
            return sessions.answer(request)
        }
        try await fixture.account().signIn(identityToken: "t", nonce: "n")
        await #expect(throws: ClientError.unreachable(.other("x"))) { try await fixture.account().erase() }
        #expect(try fixture.account().isSignedIn)
        isDown.withLock { $0 = false }
        try await fixture.account().erase()
        #expect(try !fixture.account().isSignedIn)
    }

    /// Without an account only a server is asked that says it gives premium to all.
    @Test func premiumForAllNeedsNoAccount() async throws {
        let isGiven = Mutex(false)
        let fixture = try ClientFixture(consent: .revoked) { request, _ in
            let isGiven = isGiven.withLock { $0 }
            guard request.url.hasSuffix("/api/v1/premium") else {
                return .json(
                    #"{"items":[],"next_cursor":null,"sync_token":"t"}"#,
                    fields: isGiven ? ["subguard-premium": "all"] : [:])
            }
            return .json(
                #"{"status":"active","product_id":null,"expires_at":"2027-01-01T00:00:00Z","environment":null,"#
                    + #""app_account_token":null}"#)
        }
        let premium = { (now: String) in
            await fixture.synchroniser().run(force: true, at: ClientFixture.moment(now)).parts.last?.reason
        }
        func asked() -> Int { fixture.transport.targets.count { $0 == "/api/v1/premium" } }
        #expect(await premium("2026-11-20T10:00:00Z") == "not_signed_in")
        #expect(asked() == 0)
        isGiven.withLock { $0 = true }
        #expect(await premium("2026-11-21T10:00:00Z") == "active")
        #expect(asked() == 1)
        #expect(try fixture.store.premium.proof()?.expiresAt == UTCInstant(rfc3339: "2027-01-01T00:00:00Z"))
        // No one bought anything.
        #expect(try fixture.store.analytics.queueCounts().waiting == 0)
        isGiven.withLock { $0 = false }
        #expect(await premium("2026-12-21T10:00:00Z") == "not_signed_in")
        #expect(asked() == 1)
    }

    @Test func syncProvesPremiumOnceADay() async throws {
        let sessions = Sessions()
        let fixture = try fixture(sessions)
        let account = fixture.account()
        try await account.signIn(identityToken: "t", nonce: "n")
        let premium = { (now: String) in
            await fixture.synchroniser(account).run(at: ClientFixture.moment(now)).parts.last?.reason
        }
        #expect(await premium("2026-11-20T10:00:00Z") == "active")
        #expect(await premium("2026-11-20T20:00:00Z") == "fresh")
        #expect(await premium("2026-11-21T10:00:00Z") == "active")
        #expect(try fixture.store.premium.proof()?.productID == "p")
    }
}
