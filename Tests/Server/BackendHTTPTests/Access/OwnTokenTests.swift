import Backend
import JSONWire
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
