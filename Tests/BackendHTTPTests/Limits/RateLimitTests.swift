import Backend
import SubGuardAPI
import TestKit
import Testing

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
        // A clock that steps back gives nothing and takes nothing.
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

    @Test func limitsGuessingOfTokens() throws {
        let server = try TestServer()
        defer { server.end() }
        let client = try server.connect()
        let guess = HTTPCall("GET", "/api/v1/admin/dashboard", ["Authorization: Bearer sgt_guess"])
        for _ in 0..<30 { #expect(try client.exchange(guess.bytes).status == 401) }
        let refused = try client.exchange(guess.bytes)
        try server.expectProblem(refused, .rateLimited)
        #expect(refused["RateLimit-Policy"] == #""credentials";q=30;w=60"#)
        // Nobody's guessing locks out who has a token, or changes what others are told.
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
