import BackendHTTP
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// 401: authentication.
@Suite struct AdminGateTests {
    private static let target = "/api/v1/admin/catalogue"
    private static let challenge = "Bearer realm=\"subguard\""
    private static let invalidToken = challenge + ", error=\"invalid_token\""

    @Test func asksForCredentialsWhereNoneCome() throws {
        let server = try TestServer()
        defer { server.end() }
        let response = try server.get(Self.target)
        let problem = try server.expectProblem(response, .unauthorized)
        #expect(response["WWW-Authenticate"] == Self.challenge)
        expect(problem["detail"]?.stringValue ?? "", contains: ["missing"])
        expect(response.text, lacks: ["items", "netflix"])
    }

    @Test func refusesWhatIsNoTokenOfOurs() throws {
        let server = try TestServer()
        defer { server.end() }
        let token = try #require(server.tokens[.owner])
        let last = try #require(token.last)
        let altered = String(token.dropLast()) + (last == "A" ? "E" : "A")
        for value in [
            "Basic b3duZXI6c2VjcmV0", "Bearer", "Token \(token)", "\(token)", "Bearer sgt_", "Bearer \(altered)",
            "Bearer \(token)A", "Bearer \(token.dropLast())", "Bearer \(token) x", "Bearer \(token.uppercased())",
            "Bearer sgt_' OR 1=1 --", "Bearer \(String(repeating: "a", count: 4000))",
        ] {
            let response = try server.get(Self.target, "Authorization: \(value)")
            try server.expectProblem(response, .unauthorized)
            // RFC 6750 section 3.1: without a token the response contains no error code.
            let isToken = value.split(separator: " ").count == 2 && value.hasPrefix("Bearer ")
            #expect(response["WWW-Authenticate"] == (isToken ? Self.invalidToken : Self.challenge), "\(value)")
            expect(response.text, lacks: ["items", "sgt_"])
        }
    }

    @Test func refusesTwoCredentials() throws {
        let server = try TestServer()
        defer { server.end() }
        let (good, other) = (try server.authorization(.owner), "authorization: Bearer sgt_guess")
        for fields in [[good, other], [other, good], [good, good]] {
            let response = try server.exchange(HTTPCall("GET", Self.target, fields))
            try server.expectProblem(response, .malformedRequest)
            expect(response.text, lacks: ["items", "sgt_"])
        }
        #expect(try server.logs { $0["reason"]?.stringValue == "several credentials" })
    }

    @Test func comparesTheSchemeWithoutCase() throws {
        let server = try TestServer()
        defer { server.end() }
        let token = try #require(server.tokens[.analyst])
        for scheme in ["bearer", "BEARER", "Bearer"] {
            let dashboard = "/api/v1/admin/dashboard"
            #expect(try server.get(dashboard, "Authorization: \(scheme) \(token)").status == 200)
        }
    }

    @Test func refusesATokenFromItsExpiryOn() throws {
        let server = try TestServer()
        defer { server.end() }
        let access = AccessTokenStore(context: server.outside.context)
        let expiry = try instant("2026-11-20T11:00:00Z")
        let token = try access.create(role: .owner, name: "guest", expiresAt: expiry, by: .setup).token
        let line = "Authorization: Bearer \(token)"
        server.clock.now = expiry.millisecondsSinceEpoch - 1
        #expect(try server.get(Self.target, line).status == 200)
        server.clock.now = expiry.millisecondsSinceEpoch
        let response = try server.get(Self.target, line)
        try server.expectProblem(response, .unauthorized)
        #expect(response["WWW-Authenticate"] == Self.invalidToken)
    }

    /// Uses one connection, before and after another process has revoked the token.
    @Test func refusesARevokedTokenAtOnce() throws {
        let server = try TestServer()
        defer { server.end() }
        let access = AccessTokenStore(context: server.outside.context)
        let created = try access.create(role: .owner, name: "leaver", expiresAt: nil, by: .setup)
        let call = HTTPCall("GET", Self.target, ["Authorization: Bearer \(created.token)"])
        let client = try server.connect()
        #expect(try client.exchange(call.bytes).status == 200)
        try access.revoke(created.record.id, by: .setup)
        let response = try client.exchange(call.bytes)
        try server.expectProblem(response, .unauthorized)
        #expect(response["WWW-Authenticate"] == Self.invalidToken)
        #expect(try server.admin(.owner, "GET", Self.target).status == 200)
    }

    @Test func notesWhenATokenWasLastUsed() throws {
        let server = try TestServer()
        defer { server.end() }
        let access = AccessTokenStore(context: server.outside.context)
        #expect(try access.list().allSatisfy { $0.lastUsedAt == nil })
        server.clock.advance(by: .seconds(90))
        try server.admin(.editor, "GET", Self.target)
        let used = try access.list().filter { $0.lastUsedAt != nil }
        #expect(used.map(\.role) == [.editor])
        #expect(used.first?.lastUsedAt == (try instant("2026-11-20T10:01:30Z")))
    }
}
