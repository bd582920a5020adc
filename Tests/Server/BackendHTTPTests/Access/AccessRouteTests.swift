import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Tokens, roles and the audit log over HTTP.
@Suite struct AccessRouteTests {
    private static let tokens = "/api/v1/admin/tokens"
    private static let roles = "/api/v1/admin/roles"

    @Test func makesAToken() throws {
        let server = try TestServer()
        defer { server.end() }
        let answer = try server.admin(
            .owner, "POST", Self.tokens,
            json: #"{"name":"Café “🍵”","role":"analyst","expires_at":"2028-02-29T12:00:00+02:00"}"#)
        #expect(answer.status == 201)
        #expect(answer["Cache-Control"] == "no-store")
        let token = try answer.json()
        #expect(token["expires_at"]?.stringValue == "2028-02-29T10:00:00Z")
        let secret = try #require(token["token"]?.stringValue)
        #expect(try server.get("/api/v1/admin/dashboard", "Authorization: Bearer \(secret)").status == 200)
        let list = try server.admin(.owner, "GET", Self.tokens + "?limit=500")
        #expect(!list.text.contains(secret.dropFirst(8)))
        #expect(try list.items().strings("name").contains("Café “🍵”"))
        let id = try #require(token["id"]?.stringValue)
        #expect(try server.admin(.owner, "DELETE", "\(Self.tokens)/\(id)").status == 204)
        try server.expectProblem(
            try server.get("/api/v1/admin/dashboard", "Authorization: Bearer \(secret)"), .unauthorized)
        #expect(try server.admin(.owner, "DELETE", "\(Self.tokens)/\(id)").status == 204)
    }

    @Test func refusesWhatNoTokenCanBe() throws {
        let server = try TestServer()
        defer { server.end() }
        try server.expectInvalid(
            try server.admin(.owner, "POST", Self.tokens, json: #"{"rôle":"x","expires_at":"soon"}"#),
            [
                ("#/r%C3%B4le", "unknown_field"), ("#/name", "required"), ("#/role", "required"),
                ("#/expires_at", "invalid_timestamp"),
            ])
        try server.expectInvalid(
            try server.admin(.owner, "POST", Self.tokens, json: #"{"name":"x","role":"admin"}"#),
            [("#/role", "not_found")])
        try server.expectInvalid(
            try server.admin(
                .owner, "POST", Self.tokens,
                json: #"{"name":"x","role":"owner","expires_at":"2026-11-20T10:00:00Z"}"#),
            [("#/expires_at", "not_in_future")])
        try server.expectInvalid(
            try server.admin(
                .owner, "POST", Self.tokens, json: #"{"name":"x","role":"nope","expires_at":"2020-02-29T10:00:00Z"}"#),
            [("#/expires_at", "not_in_future"), ("#/role", "not_found")])
    }

    @Test func keepsTheLastOwner() throws {
        let server = try TestServer()
        defer { server.end() }
        let owners = try server.admin(.owner, "GET", Self.tokens).items().filter { $0["role"]?.stringValue == "owner" }
        let id = try #require(owners.first?["id"]?.stringValue)
        try server.expectProblem(try server.admin(.owner, "DELETE", "\(Self.tokens)/\(id)"), .lastOwner)
    }

    @Test func pagesAndLinksToTheNextPage() throws {
        let server = try TestServer()
        defer { server.end() }
        var target = Self.tokens + "?limit=3"
        var seen: [String] = []
        while true {
            let page = try server.admin(.owner, "GET", target)
            seen += try page.items().strings("id")
            guard let link = page["Link"] else {
                #expect(try page.json()["next_cursor"]?.isNull == true)
                break
            }
            #expect(link.hasSuffix(">; rel=\"next\""))
            target = String(link.dropFirst().prefix { $0 != ">" })
        }
        #expect(seen.count == Role.builtIn.count)
        #expect(Set(seen).count == seen.count)
    }

    @Test func givesRolesOfOnesOwn() throws {
        let server = try TestServer()
        defer { server.end() }
        let before = try server.admin(.owner, "GET", Self.roles)
        let tag = try before.etag()
        let support = #"{"items":[{"name":"support","permissions":["catalogue.read","audit.read"]}]}"#
        let changed = try server.admin(.owner, "PUT", Self.roles, json: support, "If-Match: \(tag)")
        #expect(changed.status == 200)
        #expect(try changed.items().strings("name") == ["owner", "editor", "moderator", "analyst", "support"])
        try server.expectProblem(
            try server.admin(.owner, "PUT", Self.roles, json: support, "If-Match: \(tag)"), .preconditionFailed)
        let made = try server.admin(.owner, "POST", Self.tokens, json: #"{"name":"x","role":"support"}"#)
        let line = "Authorization: Bearer \(try #require(try made.json()["token"]?.stringValue))"
        #expect(try server.get("/api/v1/admin/catalogue", line).status == 200)
        try server.expectProblem(try server.get("/api/v1/admin/dashboard", line), .forbidden)
        // The list from GET may be sent back; a role in use cannot be removed.
        let same = try server.admin(.owner, "PUT", Self.roles, json: changed.text)
        #expect(same.status == 200)
        try server.expectProblem(
            try server.admin(.owner, "PUT", Self.roles, json: #"{"items":[]}"#, "If-Match: *"), .roleInUse)
        // The permission is revoked at once.
        let less = support.replacing(#""catalogue.read","#, with: "")
        #expect(try server.admin(.owner, "PUT", Self.roles, json: less).status == 200)
        try server.expectProblem(try server.get("/api/v1/admin/catalogue", line), .forbidden)
    }

    @Test func letsNobodyChangeABuiltInRoleOrGiveWhatTheyDoNotHold() throws {
        let server = try TestServer()
        defer { server.end() }
        try server.expectInvalid(
            try server.admin(
                .owner, "PUT", Self.roles,
                json: """
                    {"items":[{"name":"analyst","permissions":["access.manage"]},{"name":"É","permissions":[]},
                    {"name":"a","permissions":["catalogue.eat"]},{"name":"b","permissions":[]}]}
                    """),
            [
                ("#/items/0/permissions", "built_in"), ("#/items/1/name", "invalid_format"),
                ("#/items/1/permissions", "out_of_range"),
                ("#/items/2/permissions/0", "unknown_value"), ("#/items/3/permissions", "out_of_range"),
            ])
        try server.expectInvalid(
            try server.admin(
                .owner, "PUT", Self.roles,
                json: """
                    {"items":[{"name":"analyst","permissions":["access.manage"]},
                    {"name":"b","permissions":["audit.read"]},{"name":"b","permissions":["audit.read"]}]}
                    """),
            [("#/items/0/permissions", "built_in"), ("#/items/2/name", "duplicate")])
        let unreadable =
            #"{"items":[{"name":"b","permissions":[7]},{"name":"b","permissions":null},{"name":"owner","#
            + #""permissions":["catalogue.eat"]}]}"#
        try server.expectInvalid(
            try server.admin(.owner, "PUT", Self.roles, json: unreadable),
            [
                ("#/items/0/permissions/0", "invalid_type"), ("#/items/1/permissions", "required"),
                ("#/items/2/permissions/0", "unknown_value"), ("#/items/2/permissions", "built_in"),
                ("#/items/1/name", "duplicate"),
            ])
        try server.expectInvalid(
            try server.admin(.owner, "PUT", Self.roles, json: #"{"next_cursor":"x","items":[5],"more":1}"#),
            [("#/more", "unknown_field"), ("#/items/0", "invalid_type"), ("#/next_cursor", "invalid_type")])
        let many = (1...55).map { #"{"name":"r\#($0)","permissions":["audit.read"]}"# }.joined(separator: ",")
        try server.expectInvalid(
            try server.admin(.owner, "PUT", Self.roles, json: #"{"items":[\#(many)]}"#), [("#/items", "out_of_range")])
        let manager = #"{"items":[{"name":"manager","permissions":["access.manage"]}]}"#
        #expect(try server.admin(.owner, "PUT", Self.roles, json: manager).status == 200)
        let made = try server.admin(.owner, "POST", Self.tokens, json: #"{"name":"x","role":"manager"}"#)
        let line = "Authorization: Bearer \(try #require(try made.json()["token"]?.stringValue))"
        try server.expectInvalid(
            try server.post(Self.tokens, #"{"name":"y","role":"owner"}"#, line), [("#/role", "not_held")])
    }

    @Test func letsNobodyTakeWhatTheyDoNotHold() throws {
        let server = try TestServer()
        defer { server.end() }
        let roles = #"""
            {"items":[{"name":"manager","permissions":["access.manage"]},
            {"name":"support","permissions":["audit.read"]}]}
            """#
        #expect(try server.admin(.owner, "PUT", Self.roles, json: roles).status == 200)
        func token(_ role: String) throws -> (id: String, line: String) {
            let made = try server.admin(.owner, "POST", Self.tokens, json: #"{"name":"été","role":"\#(role)"}"#).json()
            return (
                try #require(made["id"]?.stringValue),
                "Authorization: Bearer \(try #require(made["token"]?.stringValue))"
            )
        }
        let manager = try token("manager")
        for role in ["owner", "analyst", "support"] {
            let other = try token(role)
            let refused = try server.exchange(HTTPCall("DELETE", "\(Self.tokens)/\(other.id)", [manager.line]))
            try server.expectProblem(refused, .forbidden)
            #expect(refused.text.contains("permissions that you do not hold"))
            #expect(try server.get("/api/v1/admin/me", other.line).status != 401)
        }
        func put(_ json: String) throws -> RawResponse {
            try server.exchange(HTTPCall("PUT", Self.roles, [manager.line, "If-Match: *"], json: json))
        }
        // The owner role cannot be emptied, changed or removed; listing it unchanged is allowed.
        let less = roles.replacing(#""audit.read""#, with: #""access.manage""#)
        try server.expectProblem(try put(less), .forbidden)
        try server.expectProblem(
            try put(#"{"items":[{"name":"manager","permissions":["access.manage"]}]}"#), .forbidden)
        let more = roles.replacing("]}\n", with: "]}").replacing(
            #"["audit.read"]}"#, with: #"["audit.read"]},{"name":"deputy","permissions":["access.manage"]}"#)
        #expect(try put(more).status == 200)
        try server.expectInvalid(
            try put(roles.replacing("support", with: "helper")), [("#/items/1/permissions", "not_held")])
        // One's own token, and one of the same role, may be revoked.
        let deputy = try token("deputy")
        #expect(
            try server.exchange(HTTPCall("DELETE", "\(Self.tokens)/\(deputy.id)", [manager.line])).status == 204)
        #expect(
            try server.exchange(HTTPCall("DELETE", "\(Self.tokens)/\(manager.id)", [manager.line])).status == 204)
    }

    @Test func showsTheAuditLog() throws {
        let server = try TestServer()
        defer { server.end() }
        let id = try server.item("netflix").id.lowercased
        try server.admin(
            .editor, "PATCH", "/api/v1/admin/catalogue/\(id)", json: #"{"name":"L'Été “12.34”"}"#, "X-Request-Id: r-29")
        let rows = try server.admin(.owner, "GET", "/api/v1/admin/audit?subject_id=\(id)").items()
        #expect(rows.strings("action") == ["catalogue.update", "catalogue.insert"])
        let row = try #require(rows.first)
        #expect(row["request_id"]?.stringValue == "r-29")
        #expect(row["actor"]?.stringValue == "Zoë, editor")
        #expect(row["before"]?["name"]?.stringValue == "Netflix")
        #expect(row["after"]?["name"]?.stringValue == "L'Été “12.34”")
        let lines = try server.admin(.owner, "GET", "/api/v1/admin/audit?format=jsonl&limit=2")
        #expect(lines["Content-Type"] == "application/jsonl")
        #expect(String(decoding: try lines.decodedBody(), as: UTF8.self).split(separator: "\n").count == 2)
        try server.expectInvalid(
            try server.admin(.owner, "GET", "/api/v1/admin/audit?subject_id=x&cursor=-1&format=xml"),
            [("cursor", "invalid_cursor"), ("subject_id", "invalid_id"), ("format", "unknown_value")])
        let first = try server.admin(.owner, "GET", "/api/v1/admin/audit?limit=1").json()
        let cursor = try #require(first["next_cursor"]?.stringValue)
        #expect(try server.admin(.owner, "GET", "/api/v1/admin/audit?limit=1&cursor=\(cursor)").items().count == 1)
        try server.expectInvalid(
            try server.admin(.owner, "GET", "/api/v1/admin/audit?action=token.create&cursor=\(cursor)"),
            [("cursor", "invalid_cursor")])
        try server.expectInvalid(
            try server.admin(.owner, "GET", "/api/v1/admin/audit?action=catalogue.updated"),
            [("action", "unknown_value")])
    }

    @Test func logsARefusalWithoutTheCredential() throws {
        let server = try TestServer()
        defer { server.end() }
        let guess = "sgt_" + String(repeating: "Q", count: 43)
        let response = try server.get("/api/v1/admin/catalogue", "Authorization: Bearer \(guess)")
        let id = try #require(response["X-Request-Id"])
        #expect(
            try server.logs { line in
                line["message"]?.stringValue == "admin call refused" && line["request_id"]?.stringValue == id
                    && line["client"]?.stringValue == "127.0.0.1"
            })
        #expect(try !server.logLines().contains { $0.objectValue.map { "\($0)".contains("QQQQ") } ?? false })
    }

    /// A script that knows of one role must not remove the others.
    @Test func removesARoleOnlyWithTheTagOfTheList() throws {
        let server = try TestServer()
        defer { server.end() }
        func put(_ names: [String], _ more: String...) throws -> RawResponse {
            let items = names.map { #"{"name":"\#($0)","permissions":["audit.read"]}"# }.joined(separator: ",")
            return try server.admin(.owner, "PUT", Self.roles, json: #"{"items":[\#(items)]}"#, more.first ?? "X-A: b")
        }
        #expect(try put(["one", "two"]).status == 200)
        let refused = try put(["one"])
        try server.expectProblem(refused, .conflict)
        expect(refused.text, contains: ["would remove two", "If-Match"])
        #expect(try put(["two", "three", "one"]).status == 200)
        let tag = try #require(try server.admin(.owner, "GET", Self.roles)["ETag"])
        #expect(try put(["three"], "If-Match: \(tag)").status == 200)
        try server.expectProblem(try put([], "If-Match: \(tag)"), .preconditionFailed)
        #expect(try put([], "If-Match: *").status == 200)
    }
}
