import BackendHTTP
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct AlertRuleRouteTests {
    private static let path = "/api/v1/admin/alerts/rules"
    private static let example = """
        {"name":" Crash-free sessions ","figure":"crash_free_sessions","comparison":"below","value":99.9,\
        "window":"24h","minimum_sample":1000}
        """
    private static let storage = """
        {"name":"Storage","figure":"storage_percent","comparison":"below","value":50,"muted_until":null}
        """

    @Test func makesChangesAndDeletesARule() throws {
        let server = try TestServer()
        defer { server.end() }
        let created = try server.admin(.owner, "POST", Self.path, json: Self.example)
        #expect(created.status == 201)
        let rule = try created.json()
        #expect(
            rule.names == [
                "id", "name", "figure", "comparison", "value", "window", "minimum_sample", "muted_until", "current",
            ])
        #expect(rule["name"]?.stringValue == "Crash-free sessions" && rule["value"] == .number("99.9"))
        #expect(rule["current"]?["state"]?.stringValue == "pending")
        #expect(rule["current"]?["recovery_value"] == .number("99.91"))
        // It was evaluated at once, and there are no sessions.
        #expect(rule["current"]?["evaluated_at"]?.stringValue == "2026-11-20T10:00:00Z")
        let address = "\(Self.path)/\(try #require(rule["id"]?.stringValue))"
        #expect(created["Location"] == address)
        let shown = try server.admin(.analyst, "GET", address)
        #expect(try shown.json() == rule)
        #expect(try server.admin(.analyst, "GET", Self.path).items() == [rule])

        let tag = try shown.etag()
        let weaker = Self.example.replacing("99.9", with: "99.5")
        let changed = try server.admin(.owner, "PUT", address, json: weaker, "If-Match: \(tag)")
        #expect(changed.status == 200)
        #expect(try changed.json()["value"] == .number("99.5"))
        for method in ["PUT", "DELETE"] {
            let late = try server.admin(
                .owner, method, address, json: method == "PUT" ? weaker : nil, "If-Match: \(tag)")
            try server.expectProblem(late, .preconditionFailed)
        }
        #expect(try server.admin(.owner, "DELETE", address, "If-Match: \(try changed.etag())").status == 204)
        try server.expectProblem(try server.admin(.owner, "GET", address), .notFound)
        let actions = try server.admin(.owner, "GET", "/api/v1/admin/audit?action=alerts.rule").items()
        #expect(actions.map { $0["after"]?["value"]?.numberText } == [nil, "99.5", "99.9"])
    }

    @Test func replacesTheListAsItWasRead() throws {
        let server = try TestServer()
        defer { server.end() }
        try server.admin(.owner, "POST", Self.path, json: Self.example)
        try server.admin(.owner, "POST", Self.path, json: Self.storage)
        let before = try server.admin(.owner, "GET", Self.path)
        #expect(try before.items().strings("name") == ["Crash-free sessions", "Storage"])
        let tag = try before.etag()
        let same = try server.admin(.owner, "PUT", Self.path, json: before.text, "If-Match: \(tag)")
        #expect(try same.json() == before.json() && same.etag() == tag)
        let one = try server.admin(.owner, "PUT", Self.path, json: #"{"items":[\#(Self.storage)]}"#, "If-Match: \(tag)")
        #expect(try one.items().strings("id") == [try before.items()[1]["id"]?.stringValue])
        try server.expectProblem(
            try server.admin(.owner, "PUT", Self.path, json: #"{"items":[]}"#, "If-Match: \(tag)"), .preconditionFailed)
        try server.expectInvalid(
            try server.admin(
                .owner, "PUT", Self.path, json: #"{"items":[\#(Self.storage),{},{}],"next_cursor":null}"#),
            [
                ("#/items/1/name", "required"), ("#/items/1/figure", "required"), ("#/items/1/comparison", "required"),
                ("#/items/1/value", "required"), ("#/items/2/name", "required"), ("#/items/2/figure", "required"),
                ("#/items/2/comparison", "required"),
                ("#/items/2/value", "required"),
            ])
        try server.expectInvalid(
            try server.admin(.owner, "PUT", Self.path, json: #"{"items":[\#(Self.storage),\#(Self.storage)]}"#),
            [("#/items/1/name", "duplicate")])
        try server.expectProblem(try server.admin(.owner, "POST", Self.path, json: Self.storage), .conflict)
    }

    @Test func namesEveryFault() throws {
        let server = try TestServer()
        defer { server.end() }
        let body = """
            {"colour":1,"name":"a\\u0007b","figure":"moon","comparison":"near","value":"99","window":"1w",\
            "minimum_sample":-1,"muted_until":"tomorrow"}
            """
        try server.expectInvalid(
            try server.admin(.owner, "POST", Self.path, json: body),
            [
                ("#/colour", "unknown_field"), ("#/name", "invalid_characters"), ("#/figure", "unknown_value"),
                ("#/comparison", "unknown_value"), ("#/value", "invalid_type"), ("#/window", "invalid_format"),
                ("#/minimum_sample", "out_of_range"), ("#/muted_until", "invalid_timestamp"),
            ])
        try server.expectInvalid(
            try server.admin(
                .owner, "POST", Self.path,
                json: Self.example.replacing("99.9", with: "100.5").replacing("24h", with: "30d")),
            [("#/value", "out_of_range")])
        // Rules that could never alert.
        for (value, comparison) in [("0", "below"), ("100", "above")] {
            let never = Self.example.replacing("99.9", with: value).replacing("below", with: comparison)
            try server.expectInvalid(
                try server.admin(.owner, "POST", Self.path, json: never), [("#/value", "out_of_range")])
        }
        for value in ["-1", "1e2", "0.0001", "1000000001"] {
            try server.expectInvalid(
                try server.admin(.owner, "POST", Self.path, json: Self.example.replacing("99.9", with: value)),
                [("#/value", "out_of_range")])
        }
        #expect(try server.admin(.owner, "GET", Self.path).items().isEmpty)
    }

    /// An outbox that no one empties: the target is private.
    @Test func announcesACrossingThroughTheOutbox() throws {
        let server = try TestServer(settings: [
            "alerts_webhook_url": "http://127.0.0.1:9/hook", "alerts_webhook_secret": "s3cret",
            "maximum_store_mebibytes": "64", "minimum_free_disk_mebibytes": "0",
        ])
        defer { server.end() }
        let rule = try server.admin(.owner, "POST", Self.path, json: Self.storage).json()
        #expect(rule["current"]?["state"]?.stringValue == "firing")
        let sent = try server.admin(.owner, "GET", "/api/v1/admin/alerts").items()
        #expect(sent.strings("kind") == ["rule"] && sent.strings("rule") == ["Storage"])
        #expect(sent.first?["threshold"]?.isNull == true)
    }
}
