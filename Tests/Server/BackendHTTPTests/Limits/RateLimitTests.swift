import HTTPServer
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@testable import BackendHTTP

@Suite struct RateLimitTests {
    @Test func asksAnEagerClientToWait() throws {
        let server = try TestServer()
        defer { server.end() }
        let client = try server.connect()
        let call = HTTPCall("POST", "/api/v1/suggestions", json: "[]")
        for left in (0..<120).reversed() {
            let answer = try client.exchange(call.bytes)
            #expect(answer.status == 422)
            #expect(answer["RateLimit-Policy"] == #""suggest";q=120;w=60"#)
            #expect(answer["RateLimit"]?.hasPrefix(#""suggest";r=\#(left);t="#) == true)
        }
        let refused = try client.exchange(call.bytes)
        try server.expectProblem(refused, .rateLimited)
        #expect(refused["Retry-After"] == "1")
        #expect(try server.get("/healthz").status == 200, "other calls have allowances of their own")
        server.clock.advance(by: .milliseconds(500))
        #expect(try client.exchange(call.bytes).status == 422)
        // A clock that is set back neither adds nor removes allowance.
        server.clock.advance(by: .seconds(-10))
        try server.expectProblem(try client.exchange(call.bytes), .rateLimited)
    }

    @Test func tellsClientsBehindATrustedProxyApart() throws {
        let server = try TestServer(settings: ["trusted_proxies": "127.0.0.1, 10.0.0.1"])
        defer { server.end() }
        func remaining(_ forwarded: String) throws -> String? {
            try server.post("/api/v1/suggestions", "[]", "X-Forwarded-For: \(forwarded)")["RateLimit"]
        }
        _ = try remaining("203.0.113.7")
        #expect(try remaining("203.0.113.7, 10.0.0.1")?.contains("r=118;") == true)
        #expect(try remaining("203.0.113.7, 2001:db8::1")?.contains("r=119;") == true, "the last one counts")
    }

    /// A client with an IPv6 /64 can use another address for each request.
    @Test func countsAnIPv6NetworkAsOneClient() throws {
        let server = try TestServer(settings: ["trusted_proxies": "127.0.0.1"])
        defer { server.end() }
        func remaining(_ forwarded: String) throws -> String? {
            try server.post("/api/v1/suggestions", "[]", "X-Forwarded-For: \(forwarded)")["RateLimit"]
        }
        #expect(try remaining("2001:db8:0:1::1")?.contains("r=119;") == true)
        #expect(try remaining("2001:db8:0:1:ffff::2")?.contains("r=118;") == true)
        #expect(try remaining("2001:db8:0:2::1")?.contains("r=119;") == true)
    }

    /// A flood of other clients must not evict the clients that have used up their allowance.
    @Test func remembersTheEagerInACrowd() throws {
        let limiter = RateLimiter(isEnabled: true, now: { UTCInstant(millisecondsSinceEpoch: 1_000_000) })
        let eager = try #require(SocketAddress(numeric: "203.0.113.7"))
        while limiter.take(.suggest, from: eager)?.isAllowed == true {}
        for number in 0..<150_000 {
            let address = try #require(
                SocketAddress(numeric: "2001:db8:\(String(number, radix: 16).suffix(4)):\(number / 65_536)::1"))
            _ = limiter.take(.suggest, from: address)
        }
        #expect(limiter.take(.suggest, from: eager)?.isAllowed == false)
    }

    @Test(arguments: ["Bearer sgt_guess", "Basic b3duZXI6ZXTDqQ==", "Bearer"])
    func limitsGuessingOfTokens(_ credentials: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let client = try server.connect()
        let guess = HTTPCall("GET", "/api/v1/admin/dashboard", ["Authorization: \(credentials)"])
        for _ in 0..<30 { #expect(try client.exchange(guess.bytes).status == 401) }
        let refused = try client.exchange(guess.bytes)
        try server.expectProblem(refused, .rateLimited)
        #expect(refused["RateLimit-Policy"] == #""credentials";q=30;w=60"#)
        // Guessed tokens neither lock out clients with a valid token nor change other responses.
        #expect(try server.admin(.analyst, "GET", "/api/v1/admin/dashboard").status == 200)
        try server.expectProblem(try server.get("/api/v1/admin/dashboard"), .unauthorized)
    }

    @Test func canBeSwitchedOff() throws {
        let server = try TestServer(settings: ["rate_limit_enabled": "false"])
        defer { server.end() }
        let client = try server.connect()
        for _ in 0..<200 {
            let answer = try client.exchange(HTTPCall("POST", "/api/v1/suggestions", json: "[]").bytes)
            #expect(answer.status == 422 && answer["RateLimit"] == nil)
        }
    }
}
