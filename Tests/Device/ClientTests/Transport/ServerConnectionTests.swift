import SubGuardClient
import SubGuardContract
import Testing

@Suite struct ServerConnectionTests {
    @Test func repeatsWhatMayBeRepeated() async throws {
        let fixture = try ClientFixture { _, number throws(TransportError) in
            switch number {
            case 1: throw .unreachable(.nobodyListens)
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
        await #expect(throws: ClientError.unreachable(.timedOut)) {
            try await fixture.server.object(ServerCall(.premium))
        }
        #expect(fixture.transport.requests.count == 4)
    }

    @Test func sendsOnceWhatMustNotBeSentTwice() async throws {
        let fixture = try ClientFixture { _, _ throws(TransportError) in throw .unreachable(.other("x")) }
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
        let fixture = try ClientFixture { _, _ in .json("{}", status: 202) }
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

    /// RFC 9110 section 10.2.3: seconds or a date, of which there are three forms.
    @Test(arguments: [
        ("3", 3), ("0", 0), ("Fri, 20 Nov 2026 10:00:07 GMT", 7), ("Friday, 20-Nov-26 10:00:07 GMT", 7),
        ("Fri Nov 20 10:00:07 2026", 7), ("Sun Nov  1 10:00:07 2026", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
    ])
    func waitsAsLongAsTheServerAsks(_ field: String, _ seconds: Int) async throws {
        let fixture = try ClientFixture { _, number throws(TransportError) in
            number == 1 ? .problem(503, "not_ready", fields: ["retry-after": field]) : .json("{}")
        }
        _ = try await fixture.server.object(ServerCall(.premium))
        #expect(fixture.pauses.all == [.seconds(seconds) + .milliseconds(250)])
    }

    /// A date is compared with the clock of the server that sent it.
    @Test func aDateIsHeldAgainstTheServersOwnClock() async throws {
        let fixture = try ClientFixture { _, number throws(TransportError) in
            number == 1
                ? .problem(
                    429, "rate_limited",
                    fields: [
                        "retry-after": "Fri, 01 Mar 2024 00:00:05 GMT", "date": "Wed, 28 Feb 2024 23:59:58 GMT",
                    ]) : .json("{}")
        }
        await #expect(throws: ClientError.self) { try await fixture.server.object(ServerCall(.premium)) }
        #expect(fixture.pauses.all.isEmpty, "a day and seven seconds are too long")
        let near = try ClientFixture { _, number throws(TransportError) in
            number == 1
                ? .problem(
                    429, "rate_limited",
                    fields: [
                        "retry-after": "Thu, 29 Feb 2024 00:00:02 GMT", "date": "Wed, 28 Feb 2024 23:59:58 GMT",
                    ]) : .json("{}")
        }
        _ = try await near.server.object(ServerCall(.premium))
        #expect(near.pauses.all == [.milliseconds(4250)])
    }

    @Test(arguments: [
        "31", "3600", "99999999999999999999999", "Fri, 20 Nov 2026 10:00:31 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
    ])
    func whatIsTooLongToWaitForIsLeftToTheNextTime(_ field: String) async throws {
        let fixture = try ClientFixture { _, _ in .problem(503, "not_ready", fields: ["retry-after": field]) }
        await #expect(throws: ClientError.self) { try await fixture.server.object(ServerCall(.premium)) }
        #expect(fixture.transport.requests.count == 1 && fixture.pauses.all.isEmpty)
    }

    @Test(arguments: ["", "soon", "-3", "1.5", "Fri, 31 Feb 2026 10:00:00 GMT", "2026-11-20T10:00:07Z", "Fri, 20 Nov"])
    func whatIsNeitherNumberNorDateSaysNothing(_ field: String) async throws {
        let fixture = try ClientFixture { _, number throws(TransportError) in
            number == 1 ? .problem(503, "not_ready", fields: ["retry-after": field]) : .json("{}")
        }
        _ = try await fixture.server.object(ServerCall(.premium))
        #expect(fixture.pauses.all == [.milliseconds(250)])
    }

    /// Retrying a rejected certificate is pointless.
    @Test func whoCannotBeTrustedIsAskedOnce() async throws {
        let fixture = try ClientFixture { _, _ throws(TransportError) in throw .untrusted(.expired) }
        await #expect(throws: ClientError.untrusted(.expired)) {
            try await fixture.server.object(ServerCall(.premium))
        }
        #expect(fixture.transport.requests.count == 1)
    }

    /// If the second attempt is rejected, the first may still have arrived.
    @Test func anAttemptThatMayHaveArrivedIsNotForgotten() async throws {
        for last in [TransportError.untrusted(.otherHost), .unreachable(.noTLS), .unreachable(.nobodyListens)] {
            let fixture = try ClientFixture { _, number throws(TransportError) in
                throw number == 1 ? .unreachable(.cut) : last
            }
            await #expect(throws: ClientError.unreachable(.cut)) {
                try await fixture.server.object(ServerCall(.premium))
            }
        }
    }

    /// No pause begins that would end after the deadline of the call.
    @Test func aCallEndsWithItsPatience() async throws {
        let fixture = try ClientFixture(callTimeout: .seconds(5)) { _, _ in
            .problem(503, "not_ready", fields: ["retry-after": "6"])
        }
        await #expect(throws: ClientError.refused(status: 503, code: "not_ready", detail: "D")) {
            try await fixture.server.object(ServerCall(.premium))
        }
        #expect(fixture.transport.requests.count == 1 && fixture.pauses.all.isEmpty)
        #expect(fixture.transport.requests.allSatisfy { $0.timeout <= .seconds(5) })
    }
}
