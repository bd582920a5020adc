import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct AccountTests {
    private static let sessionRoutes = APIOperation.all.filter(\.needsSession)

    @Test func signsInRefreshesAndSignsOut() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let first = try world.signIn(nonce: "n-1")
        #expect(try world.call("GET", "/api/v1/premium", first.access).status == 200)
        let second = try world.tokens(try world.refresh(first.refresh))
        #expect(try world.call("GET", "/api/v1/premium", second.access).status == 200)
        try world.server.expectInvalid(
            try world.call("POST", "/api/v1/auth/sign_out?all=1", second.access, json: #"{"all":true}"#),
            [("all", "unknown_parameter")])
        try world.server.expectInvalid(
            try world.call("POST", "/api/v1/auth/sign_out", second.access, json: #"{"all":true}"#),
            [("#/all", "unknown_field")])
        #expect(try world.call("POST", "/api/v1/auth/sign_out", second.access).status == 204)
        for token in [first.access, second.access] {
            try world.server.expectProblem(try world.call("GET", "/api/v1/premium", token), .unauthorized)
        }
        try world.server.expectProblem(try world.refresh(second.refresh), .invalidRefreshToken)
        #expect(world.keys.requests == 1)
    }

    @Test func asksForASessionExactlyWhereTheContractSays() throws {
        let world = try AppleWorld()
        defer { world.end() }
        #expect(Self.sessionRoutes.count == 4)
        let owner = try #require(world.server.tokens[.owner])
        for route in Self.sessionRoutes {
            let bare = try world.server.exchange(HTTPCall(route.method.rawValue, route.path))
            try world.server.expectProblem(bare, .unauthorized)
            #expect(bare["WWW-Authenticate"] == "Bearer realm=\"subguard\"")
            // Admin tokens are not valid here.
            for token in ["x", owner, "sga_" + String(repeating: "A", count: 43)] {
                let answer = try world.call(route.method.rawValue, route.path, token)
                try world.server.expectProblem(answer, .unauthorized)
                #expect(answer["WWW-Authenticate"] == "Bearer realm=\"subguard\", error=\"invalid_token\"")
            }
        }
        let tokens = try world.signIn(nonce: "n-1")
        try world.server.expectProblem(
            try world.call("GET", "/api/v1/admin/dashboard", tokens.access), .unauthorized)
        let twice = HTTPCall(
            "GET", "/api/v1/premium", ["Authorization: Bearer \(tokens.access)", "Authorization: Bearer x"])
        try world.server.expectProblem(try world.server.exchange(twice), .malformedRequest)
        #expect(try world.call("GET", "/api/v1/premium", tokens.access).status == 200)
    }

    @Test func tellsNotWhyATokenIsBad() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let good = try world.identityToken(nonce: "n-1")
        let bodies = [
            #"{"identity_token":"\#(good)","nonce":"n-2"}"#, #"{"identity_token":"x","nonce":"n-1"}"#,
            #"{"identity_token":"\#(good)x","nonce":"n-1"}"#,
        ]
        let details = try Set(
            bodies.map { body in
                let answer = try world.server.post("/api/v1/auth/apple", body)
                #expect(answer["WWW-Authenticate"]?.contains("invalid_token") == true)
                return try world.server.expectProblem(answer, .invalidIdentityToken)["detail"]?.stringValue
            })
        #expect(details.count == 1)
        // The log contains the reason, but no token.
        #expect(try world.server.logs { $0["reason"]?.stringValue == "another nonce" })
        let log = try world.server.logLines().map { String(decoding: $0.serialized(), as: UTF8.self) }.joined()
        expect(log, lacks: [good, "n-2"])
    }

    @Test func namesTheFieldsThatAreWrong() throws {
        let world = try AppleWorld()
        defer { world.end() }
        try world.server.expectInvalid(
            try world.server.post("/api/v1/auth/apple", #"{"nonce":7,"identity_token":null,"email":"a@b"}"#),
            [("#/email", "unknown_field"), ("#/identity_token", "required"), ("#/nonce", "invalid_type")])
        try world.server.expectInvalid(
            try world.server.post("/api/v1/auth/refresh", "{}"), [("#/refresh_token", "required")])
        try world.server.expectInvalid(
            try world.server.post("/api/v1/auth/apple/notifications", #"{"more":1}"#), [("#/payload", "required")])
        let long = String(repeating: "é", count: 129)
        try world.server.expectInvalid(
            try world.server.post("/api/v1/auth/apple", #"{"nonce":"\#(long)","identity_token":""}"#),
            [("#/identity_token", "required"), ("#/nonce", "out_of_range")])
        let huge = String(repeating: "A", count: 20_000)
        try world.server.expectProblem(
            try world.server.post("/api/v1/auth/apple", #"{"nonce":"n","identity_token":"\#(huge)"}"#), .bodyTooLarge)
    }

    @Test func saysWhenSignInIsNotSetUp() throws {
        let server = try TestServer()
        defer { server.end() }
        try server.expectProblem(
            try server.post("/api/v1/auth/apple", #"{"identity_token":"x","nonce":"n"}"#), .signInNotConfigured)
        try server.expectProblem(
            try server.post("/api/v1/auth/apple/notifications", #"{"payload":"x"}"#), .signInNotConfigured)
    }

    @Test func waitsForAppleAndGoesOnWithoutIt() throws {
        let world = try AppleWorld()
        defer { world.end() }
        world.keys.answer("<html>", status: "503 Service Unavailable")
        let answer = try world.signInAnswer(nonce: "n-1")
        try world.server.expectProblem(answer, .appleUnavailable)
        #expect(answer["Retry-After"] == "5")
        world.keys.answer(AppleIssuer.keySet([try AppleWorld.issuer.get().publicKey()]))
        world.server.clock.advance(by: .seconds(5))
        // The same identity token: the failed sign-in did not use it up.
        let tokens = try world.signIn(nonce: "n-1")
        world.keys.close()
        world.server.clock.advance(by: .seconds(90_000))
        _ = try world.signIn(nonce: "n-2")
        try world.server.expectProblem(try world.call("GET", "/api/v1/premium", tokens.access), .unauthorized)
        #expect(try world.server.logs { $0["message"]?.stringValue?.hasPrefix("Apple's keys were not read") == true })
    }

    @Test func erasesTheAccount() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let (mine, tablet) = (try world.signIn(nonce: "n-1"), try world.signIn(nonce: "n-2"))
        let other = try world.signIn("002.max", nonce: "n-3")
        #expect(try world.call("DELETE", "/api/v1/me", mine.access).status == 204)
        for token in [mine.access, tablet.access] {
            try world.server.expectProblem(try world.call("DELETE", "/api/v1/me", token), .unauthorized)
        }
        #expect(try world.call("GET", "/api/v1/premium", other.access).status == 200)
        _ = try world.signIn(nonce: "n-4")
    }

    @Test func takesApplesWord() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let tokens = try world.signIn(nonce: "n-1")
        func send(_ type: String, id: String, app: String = "app.example.subguard") throws -> RawResponse {
            let event = #""{\"type\":\"\#(type)\",\"sub\":\"001.zoe\",\"event_time\":1763632800000}""#
            let claims = AppleIssuer.claims(
                audience: app, nonce: "", issuedAt: world.seconds,
                changes: ["nonce": nil, "jti": "\"\(id)\"", "events": event])
            let payload = try AppleWorld.issuer.get().token(claims)
            return try world.server.post("/api/v1/auth/apple/notifications", #"{"payload":"\#(payload)"}"#)
        }
        #expect(try send("email-disabled", id: "1").status == 200)
        try world.server.expectProblem(try send("account-delete", id: "2", app: "other"), .invalidSignature)
        #expect(try world.call("GET", "/api/v1/premium", tokens.access).status == 200)
        #expect(try send("account-delete", id: "2").status == 200)
        try world.server.expectProblem(try world.call("GET", "/api/v1/premium", tokens.access), .unauthorized)
        _ = try world.signIn(nonce: "n-2")
        #expect(try send("account-delete", id: "2").status == 200)
        _ = try world.signIn(nonce: "n-3")
    }

    @Test func limitsWhoGuesses() throws {
        let world = try AppleWorld(settings: ["rate_limit_enabled": "true"])
        defer { world.end() }
        let tokens = try world.signIn(nonce: "n-1")
        let guess = "sga_" + String(repeating: "B", count: 43)
        let statuses = try (0..<31).map { _ in try world.call("GET", "/api/v1/premium", guess).status }
        #expect(statuses.prefix(30).allSatisfy { $0 == 401 } && statuses.last == 429)
        // Clients with a valid token are not locked out.
        #expect(try world.call("GET", "/api/v1/premium", tokens.access).status == 200)
        let refreshes = try (0..<120).map { _ in try world.refresh("x").status }
        #expect(refreshes.first == 401 && refreshes.last == 429)
    }
}
