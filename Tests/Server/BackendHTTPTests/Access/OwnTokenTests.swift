import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Calls that every token may make.
@Suite struct OwnTokenTests {
    @Test(arguments: Role.builtIn) func tellsATokenWhatItMayDo(_ role: Role) throws {
        let server = try TestServer()
        defer { server.end() }
        let own = try server.admin(role, "GET", "/api/v1/admin/me").json()
        #expect(own.names == ["id", "name", "role", "permissions", "expires_at"])
        #expect(own["name"]?.stringValue == "Zoë, \(role.name)")
        #expect(own["role"]?.stringValue == role.name)
        #expect(
            Set((own["permissions"]?.arrayValue ?? []).compactMap(\.stringValue))
                == Set(role.permissions.map(\.rawValue)))
        #expect(own["expires_at"]?.isNull == true)
        let listed = try server.admin(.owner, "GET", "/api/v1/admin/tokens").items()
        #expect(listed.first { $0["id"] == own["id"] }?["role"]?.stringValue == role.name)
    }

    private func line(_ created: JSONValue) throws -> String {
        "Authorization: Bearer \(try #require(created["token"]?.stringValue))"
    }

    private func rotate(_ server: TestServer, _ line: String, _ json: String? = nil) throws -> RawResponse {
        let type = json == nil ? [] : ["Content-Type: application/json"]
        return try server.exchange(
            HTTPCall("POST", "/api/v1/admin/me/rotate", [line] + type, body: Array((json ?? "").utf8)))
    }

    @Test(arguments: Role.builtIn) func everyTokenReplacesItself(_ role: Role) throws {
        let server = try TestServer()
        defer { server.end() }
        let made = try server.admin(
            .owner, "POST", "/api/v1/admin/tokens",
            json: #"{"name":"Été “29” 🦊","role":"\#(role.name)","expires_at":"2026-11-30T10:00:00Z"}"#
        ).json()
        let old = try line(made)
        server.clock.advance(by: .seconds(86_400))
        let replaced = try rotate(server, old)
        #expect(replaced.status == 201)
        let next = try replaced.json()
        #expect(next["name"] == made["name"] && next["role"] == made["role"] && next["id"] != made["id"])
        // It was made for ten days.
        #expect(next["expires_at"]?.stringValue == "2026-12-01T10:00:00Z")
        let new = try line(next)
        #expect(try server.get("/api/v1/admin/me", new).status == 200)
        server.clock.advance(by: .seconds(299))
        #expect(try server.get("/api/v1/admin/me", old).status == 200)
        // The first response was lost: the second one gives as much, and does not lengthen the grace.
        #expect(try rotate(server, old).json()["expires_at"]?.stringValue == "2026-12-01T10:04:59Z")
        server.clock.advance(by: .seconds(1))
        #expect(try server.get("/api/v1/admin/me", old).status == 401)
        let log = try server.admin(.owner, "GET", "/api/v1/admin/audit?action=token.rotate").items()
        #expect(log.last?["subject_id"] == next["id"] && log.count == 2)
    }

    /// A token that was stolen for a moment must not outlive its revocation in copies.
    @Test func aTokenCannotBeMultiplied() throws {
        let server = try TestServer(settings: ["rate_limit_enabled": "false"])
        defer { server.end() }
        let made = try server.admin(
            .owner, "POST", "/api/v1/admin/tokens", json: #"{"name":"n","role":"analyst"}"#
        ).json()
        let old = try line(made)
        let week = #"{"grace_seconds":604800}"#
        var copies: [String] = []
        for _ in 0..<10 { copies.append(try line(try rotate(server, old, week).json())) }
        try server.expectProblem(try rotate(server, old, week), .conflict)
        let alive = try copies.map { try server.get("/api/v1/admin/me", $0).status == 200 }
        #expect(alive == [Bool](repeating: false, count: 9) + [true])
        #expect(try server.get("/api/v1/admin/me", old).status == 200)
        server.clock.advance(by: .seconds(3601))
        // A chain of replacements has two ends as well.
        let next = try line(try rotate(server, copies[9], week).json())
        #expect(try server.get("/api/v1/admin/me", old).status == 401)
        #expect(try server.get("/api/v1/admin/me", copies[9]).status == 200)
        let id = try #require(made["id"]?.stringValue)
        #expect(try server.admin(.owner, "DELETE", "/api/v1/admin/tokens/\(id)").status == 204)
        for line in [old, copies[9], next] { #expect(try server.get("/api/v1/admin/me", line).status == 401) }
    }

    /// Revoking an owner's token revokes what replaced it, which may be the last owner.
    @Test func theLastOwnersFamilyStays() throws {
        let server = try TestServer()
        defer { server.end() }
        let own = try server.admin(.owner, "GET", "/api/v1/admin/me").json()
        let id = try #require(own["id"]?.stringValue)
        let next = try line(try rotate(server, "Authorization: Bearer \(try #require(server.tokens[.owner]))").json())
        let refused = try server.exchange(HTTPCall("DELETE", "/api/v1/admin/tokens/\(id)", [next]))
        try server.expectProblem(refused, .lastOwner)
        #expect(try server.get("/api/v1/admin/me", next).status == 200)
    }

    @Test func choosesExpiryAndGraceWithinWhatItWasMadeFor() throws {
        let server = try TestServer()
        defer { server.end() }
        let made = try server.admin(
            .owner, "POST", "/api/v1/admin/tokens",
            json: #"{"name":"n","role":"analyst","expires_at":"2026-11-21T10:00:00Z"}"#
        ).json()
        let old = try line(made)
        for (json, field, code) in [
            (#"{"expires_at":"2026-11-21T10:00:01Z"}"#, "#/expires_at", "not_held"),
            (#"{"expires_at":"2026-11-20T10:00:00Z"}"#, "#/expires_at", "not_in_future"),
            (#"{"grace_seconds":604801}"#, "#/grace_seconds", "out_of_range"),
            (#"{"grace_seconds":-1}"#, "#/grace_seconds", "out_of_range"),
            (#"{"role":"owner"}"#, "#/role", "unknown_field"),
        ] {
            try server.expectInvalid(try rotate(server, old, json), [(field, code)])
        }
        let next = try rotate(server, old, #"{"expires_at":"2026-11-20T11:00:00Z","grace_seconds":0}"#).json()
        #expect(next["expires_at"]?.stringValue == "2026-11-20T11:00:00Z")
        #expect(try rotate(server, old).status == 401)
        // A token without an end may stay one.
        let owner = try server.admin(.owner, "POST", "/api/v1/admin/tokens", json: #"{"name":"o","role":"owner"}"#)
            .json()
        #expect(try rotate(server, try line(owner)).json()["expires_at"]?.isNull == true)
        try server.expectProblem(try rotate(server, "Authorization: Bearer sgt_x"), .unauthorized)
    }

    /// Replacing a token must not let it outlive the token that created it.
    @Test func noReplacementOutlivesTheCreator() throws {
        let server = try TestServer()
        defer { server.end() }
        let tokens = "/api/v1/admin/tokens"
        let end = "2026-11-22T10:00:00Z"
        let creator = try server.admin(
            .owner, "POST", tokens, json: #"{"name":"n","role":"owner","expires_at":"\#(end)"}"#
        ).json()
        let made = HTTPCall("POST", tokens, [try line(creator)], json: #"{"name":"child","role":"owner"}"#)
        var child = try server.exchange(made).json()
        for _ in 0..<3 {
            server.clock.advance(by: .seconds(12 * 3600))
            child = try rotate(server, try line(child)).json()
            #expect(child["expires_at"]?.stringValue == end)
        }
        let longer = #"{"expires_at":"2026-11-22T10:00:01Z"}"#
        try server.expectInvalid(try rotate(server, try line(child), longer), [("#/expires_at", "not_held")])
        // Nor does what the replacement creates.
        let grandchild = HTTPCall("POST", tokens, [try line(child)], json: #"{"name":"g","role":"analyst"}"#)
        #expect(try server.exchange(grandchild).json()["expires_at"]?.stringValue == end)
        server.clock.advance(by: .seconds(12 * 3600))
        #expect(try server.get("/api/v1/admin/me", try line(child)).status == 401)
    }

    @Test func tellsATokenOfAnOwnRoleAndNobodyElse() throws {
        let server = try TestServer()
        defer { server.end() }
        let roles = #"{"items":[{"name":"support","permissions":["audit.read"]}]}"#
        #expect(try server.admin(.owner, "PUT", "/api/v1/admin/roles", json: roles).status == 200)
        let made = try server.admin(
            .owner, "POST", "/api/v1/admin/tokens",
            json: #"{"name":"Été “29” 🦊","role":"support","expires_at":"2026-11-21T10:00:00Z"}"#
        ).json()
        let line = "Authorization: Bearer \(try #require(made["token"]?.stringValue))"
        let own = try server.get("/api/v1/admin/me", line).json()
        #expect(own["name"]?.stringValue == "Été “29” 🦊")
        #expect(own["permissions"] == .array([.string("audit.read")]))
        #expect(own["expires_at"]?.stringValue == "2026-11-21T10:00:00Z")
        #expect(try server.get("/api/v1/admin/categories", line).status == 200)
        for target in ["/api/v1/admin/me", "/api/v1/admin/categories"] {
            try server.expectProblem(try server.get(target), .unauthorized)
            try server.expectProblem(try server.get(target, "Authorization: Bearer sgt_x"), .unauthorized)
            try server.expectInvalid(try server.get(target + "?x=1", line), [("x", "unknown_parameter")])
        }
        server.clock.advance(by: .seconds(86_400))
        try server.expectProblem(try server.get("/api/v1/admin/me", line), .unauthorized)
    }

    @Test func listsTheCategoriesOfTheCatalogue() throws {
        let server = try TestServer()
        defer { server.end() }
        let target = "/api/v1/admin/categories"
        let all = try server.admin(.analyst, "GET", target).items()
        #expect(all.strings("name") == ["cloud", "food", "music", "press", "streaming"])
        #expect(all.compactMap { $0["count"]?.integerValue } == [1, 1, 1, 2, 3])
        var (names, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try server.admin(.analyst, "GET", "\(target)?limit=2" + (cursor.map { "&cursor=\($0)" } ?? ""))
            names += try page.items().strings("name")
            cursor = try page.json()["next_cursor"]?.stringValue
        } while cursor != nil
        #expect(names == all.strings("name"))
        let netflix = try server.item("netflix").id.lowercased
        try server.admin(.editor, "PATCH", "/api/v1/admin/catalogue/\(netflix)", json: #"{"category":"tv_2"}"#)
        #expect(try server.admin(.analyst, "GET", target).items().strings("name").last == "tv_2")
        try server.expectInvalid(
            try server.admin(.analyst, "GET", target + "?cursor=%2F&limit=0"),
            [("limit", "out_of_range"), ("cursor", "invalid_cursor")])
    }
}
