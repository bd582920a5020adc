import SubGuardAPI
import SubGuardClient
import Testing

@Suite struct ServerConnectionTests {
    @Test func repeatsWhatMayBeRepeated() async throws {
        let fixture = try ClientFixture { _, number throws(TransportError) in
            switch number {
            case 1: throw .unreachable("nothing listens there")
            case 2: .problem(503, "not_ready", fields: ["retry-after": "3"])
            default: .json("{}")
            }
        }
        _ = try await fixture.server.object(ServerCall(.premium))
        #expect(fixture.transport.requests.count == 3)
        #expect(fixture.pauses.all == [.milliseconds(250), .milliseconds(3500)])
    }

    @Test func givesUpInTheEnd() async throws {
        let fixture = try ClientFixture { _, _ throws(TransportError) in throw .timedOut }
        await #expect(throws: ClientError.unreachable("no answer came in time")) {
            try await fixture.server.object(ServerCall(.premium))
        }
        #expect(fixture.transport.requests.count == 4)
    }

    @Test func sendsOnceWhatMustNotBeSentTwice() async throws {
        let fixture = try ClientFixture { _, _ throws(TransportError) in throw .unreachable("x") }
        await #expect(throws: ClientError.self) {
            try await fixture.account().signIn(identityToken: "t", nonce: "n")
        }
        #expect(fixture.transport.requests.count == 1)
    }

    @Test(arguments: [400, 401, 403, 404, 409, 413, 422, 501])
    func doesNotRepeatAVerdict(_ status: Int) async throws {
        let fixture = try ClientFixture { _, _ in .problem(status, "some_code") }
        await #expect(throws: ClientError.refused(status: status, code: "some_code", detail: "D")) {
            try await fixture.server.object(ServerCall(.premium))
        }
        #expect(fixture.transport.requests.count == 1)
    }

    @Test(arguments: [300, 301, 302, 303, 307, 308])
    func followsNoRedirect(_ status: Int) async throws {
        let fixture = try ClientFixture { _, _ in
            TransportAnswer(status: status, fields: ["location": "https://evil.example/"])
        }
        await #expect(throws: ClientError.redirected) { try await fixture.server.object(ServerCall(.premium)) }
        #expect(fixture.transport.requests.count == 1)
    }

    @Test(arguments: ["", "[]", "{", "<html>", "{\"a\":1,\"a\":2}"])
    func anAnswerThatIsNoObjectIsUnreadable(_ body: String) async throws {
        let fixture = try ClientFixture { _, _ in .json(body) }
        await #expect(throws: ClientError.unreadable(call: "/api/v1/premium")) {
            try await fixture.server.object(ServerCall(.premium))
        }
    }

    @Test func aRequestTellsTheVersionAndNothingElse() async throws {
        let fixture = try ClientFixture { _, _ in .json("{}") }
        var call = ServerCall(.suggestions, body: Array("{}".utf8), mayRepeat: true)
        call.query = [("q", "a b+c&d=é")]
        _ = try await fixture.server.object(call)
        let request = try #require(fixture.transport.requests.first)
        #expect(
            request.url == "https://a.example/api/v1/suggestions?q=a%20b%2Bc%26d=%C3%A9"
                || request.url.contains("q=a%20b%2Bc%26d%3D%C3%A9"))
        #expect(
            request.fields == [
                "User-Agent": "subguard/1.2.3", "Accept": "application/json", "Accept-Language": "en",
                "Content-Type": "application/json",
            ])
    }
}
