import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct CrashDecisionRouteTests {
    private static let list = "/api/v1/admin/crashes"

    private func fill(_ server: TestServer, _ types: String..., from first: UInt64 = 0) throws {
        let crashes = types.enumerated().map { index, type in
            #"""
            {"id":"\#(makeID(first + UInt64(index)).lowercased)","timestamp":"\#(server.now)","type":"\#(type)",\#
            "app_version":"1.0"}
            """#
        }
        #expect(try server.post("/api/v1/crashes", #"{"crashes":[\#(crashes.joined(separator: ","))]}"#).status == 202)
    }

    private func id(_ server: TestServer, _ title: String) throws -> String {
        let groups = try server.admin(.analyst, "GET", "\(Self.list)?q=\(title)").items()
        return try #require(groups.first?["id"]?.stringValue)
    }

    @Test func anOwnerDecidesAndNobodyElse() throws {
        let server = try TestServer()
        defer { server.end() }
        try fill(server, "Fault")
        let group = "\(Self.list)/\(try id(server, "Fault"))"
        let calls: [(String, String, String?)] = [
            ("POST", "\(group)/resolve", nil), ("POST", "\(group)/ignore", nil), ("POST", "\(group)/reopen", nil),
            ("POST", "\(Self.list)/bulk", "{}"), ("POST", "\(Self.list)/releases/bulk", "{}"),
            ("DELETE", group, nil),
        ]
        for (method, target, body) in calls {
            for role in [Role.analyst, .editor, .moderator] {
                try server.expectProblem(try server.admin(role, method, target, json: body), .forbidden)
            }
            let anonymous = try server.exchange(HTTPCall(method, target, json: body))
            try server.expectProblem(anonymous, .unauthorized)
        }
        #expect(try server.admin(.analyst, "GET", group).json()["status"]?.stringValue == "open")
        // A custom role can have the permission.
        let roles = #"{"items":[{"name":"on_call","permissions":["metrics.read","crashes.write"]}]}"#
        #expect(try server.admin(.owner, "PUT", "/api/v1/admin/roles", json: roles).status == 200)
        let token = try server.admin(
            .owner, "POST", "/api/v1/admin/tokens", json: #"{"name":"pager","role":"on_call"}"#
        ).json()["token"]?.stringValue
        let call = HTTPCall("POST", "\(group)/resolve", ["Authorization: Bearer \(try #require(token))"])
        #expect(try server.exchange(call).json()["status"]?.stringValue == "resolved")
    }

    @Test func aGroupIsResolvedAndComesBack() throws {
        let server = try TestServer()
        defer { server.end() }
        try fill(server, "Fault", "Other")
        let group = "\(Self.list)/\(try id(server, "Fault"))"
        server.clock.advance(by: .seconds(60))
        let resolved = try server.admin(.owner, "POST", "\(group)/resolve", "Idempotency-Key: k1")
        #expect(resolved.status == 200)
        #expect(try resolved.json()["status"]?.stringValue == "resolved")
        #expect(try resolved.json()["decided_at"]?.stringValue == "2026-11-20T10:01:00Z")
        #expect(try resolved.json()["regressed_at"]?.isNull == true)
        #expect(try server.admin(.analyst, "GET", "\(Self.list)?status=open").items().strings("title") == ["Other"])
        server.clock.advance(by: .seconds(60))
        try fill(server, "Fault", from: 10)
        let open = try server.admin(.analyst, "GET", group).json()
        #expect(open["status"]?.stringValue == "open")
        #expect(open["regressed_at"]?.stringValue == "2026-11-20T10:02:00Z")
        expect(try server.get("/metrics").text, contains: ["subguard_crash_regressions_total 1\n"])
        // The same key returns the same response without resolving again.
        let again = try server.admin(.owner, "POST", "\(group)/resolve", "Idempotency-Key: k1")
        #expect(again["Idempotency-Replayed"] == "true")
        #expect(again.body == resolved.body)
        #expect(try server.admin(.analyst, "GET", group).json()["status"]?.stringValue == "open")
        #expect(try server.admin(.owner, "POST", "\(group)/ignore").json()["status"]?.stringValue == "ignored")
        #expect(try server.admin(.owner, "POST", "\(group)/reopen").json()["status"]?.stringValue == "open")
        let rows = try server.admin(.owner, "GET", "/api/v1/admin/audit?limit=3").items()
        #expect(rows.strings("action") == ["crash.reopen", "crash.ignore", "crash.resolve"])
        #expect(rows[2]["before"]?["type"]?.stringValue == "Fault")
        #expect(rows[2]["after"]?["status"]?.stringValue == "resolved")
    }

    /// The audit log is kept for ever; a message is deleted with its group.
    @Test func theAuditLogHasNoMessage() throws {
        let server = try TestServer()
        defer { server.end() }
        let crash = JSONValue.object([
            "id": .string(makeID(1).lowercased), "timestamp": .string(server.now), "type": "ParseError",
            "message": "no row for Zoe Vanderbeek", "app_version": "1.0", "platform": "ios",
        ])
        let body = String(decoding: JSONValue.object(["crashes": .array([crash])]).serialized(), as: UTF8.self)
        #expect(try server.post("/api/v1/crashes", body).status == 202)
        let group = "\(Self.list)/\(try id(server, "ParseError"))"
        for action in ["resolve", "ignore", "reopen"] {
            #expect(try server.admin(.owner, "POST", "\(group)/\(action)").status == 200)
        }
        #expect(try server.admin(.owner, "DELETE", group).status == 204)
        #expect(
            try server.post(
                "/api/v1/suggestions", #"{"id":"\#(makeID(2).lowercased)","name":"Zoe Vanderbeek's lessons"}"#
            ).status < 300)
        let suggested = try server.admin(.owner, "GET", "/api/v1/admin/suggestions").items().strings("id")
        for action in ["reject", "reopen", "delete"] {
            let decision = #"{"ids":["\#(suggested[0])"],"action":"\#(action)"}"#
            #expect(try server.admin(.owner, "POST", "/api/v1/admin/suggestions/bulk", json: decision).status == 200)
        }
        let log = try server.admin(.owner, "GET", "/api/v1/admin/audit")
        expect(
            log.text,
            contains: [
                #""action":"crash.delete""#,
                #""before":{"type":"ParseError","culprit":null,"count":1,"status":"open"}"#,
                #""action":"suggestion.reject""#, #""action":"suggestion.reopen""#, #""action":"suggestion.delete""#,
                #""before":{"id":"\#(suggested[0])","status":"pending","count":1}"#,
            ], lacks: ["Zoe"])
    }

    @Test func aDeletionRestsOnWhatWasSeen() throws {
        let server = try TestServer()
        defer { server.end() }
        try fill(server, "Fault")
        let group = "\(Self.list)/\(try id(server, "Fault"))"
        let tag = try server.admin(.analyst, "GET", group).etag()
        #expect(try server.admin(.owner, "POST", "\(group)/ignore", "If-Match: \(tag)").status == 200)
        try server.expectProblem(
            try server.admin(.owner, "DELETE", group, "If-Match: \(tag)"), .preconditionFailed)
        let current = try server.admin(.analyst, "GET", group).etag()
        // A report changes the counts, but not the decision.
        try fill(server, "Fault", from: 10)
        #expect(try server.admin(.owner, "DELETE", group, "If-Match: \(current)").status == 204)
        try server.expectProblem(try server.admin(.owner, "DELETE", group), .notFound)
        try server.expectProblem(try server.admin(.owner, "POST", "\(group)/resolve"), .notFound)
        try server.expectProblem(
            try server.admin(.owner, "DELETE", group, "If-Match: \(current)"), .notFound)
        #expect(try server.admin(.analyst, "GET", Self.list).items().isEmpty)
    }

    @Test func manyAreDecidedAtOnce() throws {
        let server = try TestServer()
        defer { server.end() }
        try fill(server, "One", "Two", "Three")
        let one = try id(server, "One")
        let two = try id(server, "Two")
        let unknown = makeID(99).lowercased
        for (action, result, former) in [
            ("ignore", "ignored", "open"), ("resolve", "resolved", "ignored"), ("reopen", "reopened", "resolved"),
            ("delete", "deleted", "open"),
        ] {
            let body = #"{"ids":["\#(one)","\#(unknown)","\#(two)"],"action":"\#(action)"}"#
            let response = try server.admin(.owner, "POST", "\(Self.list)/bulk", json: body)
            func row(_ id: String, _ result: String, _ former: String?) -> String {
                #"{"id":"\#(id)","result":"\#(result)","former_status":\#(former.map { "\"\($0)\"" } ?? "null")}"#
            }
            let rows = [row(one, result, former), row(unknown, "not_found", nil), row(two, result, former)]
            #expect(response.text == #"{"results":[\#(rows.joined(separator: ","))]}"#)
        }
        #expect(try server.admin(.analyst, "GET", Self.list).items().strings("title") == ["Three"])
        let rows = try server.admin(.owner, "GET", "/api/v1/admin/audit?action=crash.delete").items()
        #expect(rows.strings("subject_id") == [two, one])
        try server.expectInvalid(
            try server.admin(
                .owner, "POST", "\(Self.list)/bulk",
                json: #"{"ids":["x","\#(one)","\#(one)"],"action":"close","n":1}"#),
            [
                ("#/n", "unknown_field"), ("#/ids/0", "invalid_id"), ("#/ids/2", "duplicate"),
                ("#/action", "unknown_value"),
            ])
        let many = (0..<501).map { #""\#(makeID(UInt64($0)).lowercased)""# }.joined(separator: ",")
        try server.expectInvalid(
            try server.admin(.owner, "POST", "\(Self.list)/bulk", json: #"{"ids":[\#(many)],"action":"delete"}"#),
            [("#/ids", "out_of_range")])
    }

    @Test func inventedReleasesAreDeleted() throws {
        let server = try TestServer()
        defer { server.end() }
        try fill(server, "Fault")
        let sessions = ["1.0", "pkg/x y@6+7"].enumerated().map { index, release in
            #"""
            {"id":"\#(makeID(UInt64(50 + index)).lowercased)","started_at":"2026-11-20T09:00:00Z",\#
            "app_version":"\#(release)","total":10,"crashed":\#(index * 10)}
            """#
        }
        let body = #"{"sessions":[\#(sessions.joined(separator: ","))]}"#
        #expect(try server.post("/api/v1/crashes", body).status == 202)
        let releases = "\(Self.list)/releases"
        let before = try server.admin(.analyst, "GET", releases).items()
        #expect(before.strings("release") == ["1.0", "pkg/x y@6+7"])
        #expect(before.compactMap { $0["reports"]?.integerValue } == [1, 0])
        let results = try server.admin(
            .owner, "POST", "\(releases)/bulk", json: #"{"releases":["pkg/x y@6+7","never"],"action":"delete"}"#)
        #expect(
            results.text
                == #"""
                {"results":[{"release":"pkg/x y@6+7","result":"deleted"},{"release":"never","result":"not_found"}]}
                """#
        )
        #expect(try server.admin(.analyst, "GET", releases).items().strings("release") == ["1.0"])
        let figure = try server.admin(.analyst, "GET", "/api/v1/admin/dashboard").json()["crash_free_sessions"]
        #expect(figure?["value"]?.numberText == "100.0")
        let row = try server.admin(.owner, "GET", "/api/v1/admin/audit?action=crash.delete_release").items().first
        #expect(row?["before"]?["release"]?.stringValue == "pkg/x y@6+7")
        try server.expectInvalid(
            try server.admin(
                .owner, "POST", "\(releases)/bulk", json: #"{"releases":[1,"","é","a","a"],"action":"resolve"}"#),
            [
                ("#/releases/0", "invalid_type"), ("#/releases/1", "required"),
                ("#/releases/2", "invalid_format"),
                ("#/releases/4", "duplicate"), ("#/action", "unknown_value"),
            ])
    }
}

extension TestServer {
    /// The server's time in the format of requests.
    var now: String { UTCInstant(millisecondsSinceEpoch: clock.now).rfc3339 }
}
