import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct SentryTests {
    private static let target = "/ingest/api/7/envelope/"
    private static let auth = "X-Sentry-Auth: Sentry sentry_version=7, sentry_key=k1, sentry_client=test/1"
    private static let id = "9ec79c33ec9942ab8353589fcb2e04dc"

    private func server(_ settings: [String: String] = [:]) throws -> TestServer {
        try TestServer(settings: ["ingest_sentry_key": "k1", "ingest_project_id": "7"].merging(settings) { $1 })
    }

    private func call(_ body: String, _ fields: String..., target: String = target) -> HTTPCall {
        HTTPCall("POST", target, fields, body: Array(body.utf8))
    }

    private func envelope(_ items: (type: String, payload: String)..., header: String = "{}") -> String {
        header + "\n"
            + items.map { "{\"type\":\"\($0.type)\",\"length\":\($0.payload.utf8.count)}\n\($0.payload)\n" }.joined()
    }

    private func groups(_ server: TestServer) throws -> [JSONValue] {
        try server.admin(.analyst, "GET", "/api/v1/admin/crashes").items()
    }

    private func session(_ status: String, _ number: UInt64 = 1) -> String {
        #"""
        {"sid":"\#(makeID(number).lowercased)","init":true,"started":"2026-11-20T09:59:00Z","status":"\#(status)",\#
        "attrs":{"release":"1.0"}}
        """#
    }

    @Test func takesAnEventOnceWhateverItsCoding() throws {
        let server = try server()
        defer { server.end() }
        let text = envelope(
            ("event", #"{"message":"hello a@b.example","level":"warning","release":"1.0"}"#), ("attachment", "\u{0}x"),
            header: #"{"event_id":"\#(Self.id)"}"#)
        let plain = call(text, Self.auth)
        for call in [
            plain, plain.gzipped(), plain.coded(as: "deflate") { StoredDeflate.zlib($0) },
            plain.coded(as: "br") { $0.storedBrotli },
        ] {
            let response = try server.exchange(call)
            #expect(response.status == 200)
            #expect(response.text == #"{"id":"\#(Self.id)"}"#)
        }
        let group = try #require(try groups(server).first)
        #expect(group["title"]?.stringValue == "hello [email]")
        #expect(group["count"]?.integerValue == 1)
        #expect(group["level"]?.stringValue == "warning")
        #expect(group["status"]?.stringValue == "open")
        #expect(group["versions"]?[0]?["release"]?.stringValue == "1.0")
        let metrics = try server.get("/metrics").text
        expect(
            metrics,
            contains: [
                #"subguard_envelope_items_total{type="event",outcome="accepted"} 4"#,
                #"subguard_envelope_items_total{type="attachment",outcome="skipped"} 4"#,
                #"subguard_crash_reports_total{outcome="duplicate"} 3"#,
                #"subguard_crash_maskings_total{kind="email"} 4"#,
            ])
    }

    /// A screenshot beside the report, as iOS SDKs attach it: a PNG, which does not compress.
    @Test(arguments: [false, true])
    func keepsTheReportBesideALargeAttachment(isCoded: Bool) throws {
        let server = try server()
        defer { server.end() }
        var random = SeededRandom(seed: 29)
        let picture = (0..<(3 << 20)).map { _ in UInt8.random(in: 0...255, using: &random) }
        var body = Array("{\"event_id\":\"\(Self.id)\"}\n".utf8)
        func add(_ type: String, _ payload: [UInt8], more: String = "") {
            body += Array("{\"type\":\"\(type)\",\"length\":\(payload.count)\(more)}\n".utf8) + payload + [0x0A]
        }
        add("attachment", picture, more: #","filename":"screenshot.png","content_type":"image/png""#)
        add("event", Array(#"{"message":"with a picture"}"#.utf8))
        add("view_hierarchy", Array("{}".utf8))
        add("session", Array(session("exited").utf8))
        let call = HTTPCall("POST", Self.target, [Self.auth], body: body)
        for _ in 0..<2 {
            let response = try server.exchange(isCoded ? call.gzipped() : call)
            #expect(response.status == 200 && response.text == #"{"id":"\#(Self.id)"}"#)
        }
        #expect(try groups(server).strings("title") == ["with a picture"])
        expect(
            try server.get("/metrics").text,
            contains: [
                #"subguard_envelope_items_total{type="event",outcome="accepted"} 2"#,
                #"subguard_envelope_items_total{type="attachment",outcome="skipped"} 2"#,
                #"subguard_crash_reports_total{outcome="duplicate"} 1"#, "subguard_sessions_total 1",
            ])
    }

    @Test func refusesAnEnvelopeOfMoreThan20MiBAndOneWithoutAKeyEarly() throws {
        let server = try server()
        defer { server.end() }
        // Half of random letters compresses to more than a hundredth, and to less than the limit as sent.
        var random = SeededRandom(seed: 29)
        let piece = String((0..<(1 << 20)).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
        let large = "{}\n{\"type\":\"attachment\"}\n" + String(repeating: piece, count: 21)
        #expect(try server.exchange(call(large, Self.auth).gzipped()).status == 413)
        let keyless = "{}\n{\"type\":\"attachment\"}\n" + String(repeating: "x", count: 2 << 20)
        #expect(try server.exchange(call(keyless)).status == 403)
        let dsn = #"{"dsn":"http://k1@h/ingest/7"}"# + keyless.dropFirst(2)
        #expect(try server.exchange(call(dsn)).status == 200)
        #expect(try server.exchange(call(dsn, "Content-Encoding: zstd")).status == 415)
        // Too large for an event: the session beside it counts.
        let events = envelope(
            ("event", #"{"message":"\#(String(repeating: "m", count: 1 << 20))"}"#), ("session", session("exited")))
        #expect(try server.exchange(call(events, Self.auth)).status == 200)
        expect(
            try server.get("/metrics").text,
            contains: [
                #"subguard_envelope_items_total{type="event",outcome="malformed"} 1"#, "subguard_sessions_total 1",
            ])
    }

    @Test func countsSessionsForTheDashboard() throws {
        let server = try server()
        defer { server.end() }
        let aggregates = #"""
            {"aggregates":[{"started":"2026-11-20T09:00:00Z","exited":5,"errored":2,"crashed":1}],\#
            "attrs":{"release":"2.0"}}
            """#
        let text = envelope(
            ("session", session("crashed")), ("session", session("exited", 2)), ("sessions", aggregates),
            header: #"{"sent_at":"2026-11-20T10:00:00Z"}"#)
        for _ in 0..<2 { #expect(try server.exchange(call(text, Self.auth)).text == "{}") }
        let figure = try server.admin(.analyst, "GET", "/api/v1/admin/dashboard").json()["crash_free_sessions"]
        #expect(figure?["value"]?.numberText == "80.0")
        let releases = try server.admin(.analyst, "GET", "/api/v1/admin/crashes/releases").items()
        #expect(releases.strings("release") == ["2.0", "1.0"])
        #expect(releases.compactMap { $0["crash_free_sessions"]?.numberText } == ["87.5", "50.0"])
    }

    @Test func sessionsOfReleasesWhoseNamesAreNotKeptCountTogether() throws {
        let server = try server()
        defer { server.end() }
        let kept = ["app@v1.2.3", "@myorg/web@1.2.3", "web@main-3f2c1ab", "com.acme.app@1.2.3:45", "app@1.2.3~rc1"]
        let others = ["zoe@example.org", "web@main", String(repeating: "a", count: 97)]
        let items = (kept + others).enumerated().map { index, release in
            let named = session("exited", UInt64(index)).replacing(#"":"1.0""#, with: #"":"\#(release)""#)
            return "{\"type\":\"session\",\"length\":\(named.utf8.count)}\n\(named)\n"
        }
        let aggregates = #"""
            {"aggregates":[{"started":"2026-11-20T09:00:00Z","exited":4,"crashed":1}],"attrs":{"release":"z@b.example"}}
            """#
        let text = envelope(("sessions", aggregates)) + items.joined()
        #expect(try server.exchange(call(text, Self.auth)).status == 200)
        let releases = try server.admin(.analyst, "GET", "/api/v1/admin/crashes/releases").items()
        #expect(Set(releases.strings("release")) == Set(kept + ["(other)"]))
        #expect(releases.first { $0["release"]?.stringValue == "(other)" }?["sessions"]?.integerValue == 8)
        expect(
            try server.get("/metrics").text,
            contains: [
                "subguard_sessions_total 13", #"subguard_crash_folded_total{reason="release_name"} 4"#,
            ], lacks: [#"{type="session",outcome="malformed"}"#])
    }

    /// SDKs cut texts between the two halves of an emoji.
    @Test func aHalfOfAPairOfSurrogatesCostsNothingBesideIt() throws {
        let server = try server()
        defer { server.end() }
        let event = #"{"message":"cut \ud83d","extra":{"\ude00":"\ud83d"},"breadcrumbs":[{"message":"\ud83dx"}]}"#
        let text = envelope(
            ("event", event), ("session", session("exited").replacing(#""attrs""#, with: #""did":"\udc00","attrs""#)),
            header: #"{"sdk":{"name":"\ud83d"}}"#)
        #expect(try server.exchange(call(text, Self.auth)).status == 200)
        #expect(try server.exchange(call(event, Self.auth, target: "/ingest/api/7/store/")).status == 200)
        let group = try #require(try groups(server).first)
        #expect(group["title"]?.stringValue == "cut \u{FFFD}")
        #expect(group["count"]?.integerValue == 2)
        expect(try server.get("/metrics").text, contains: ["subguard_sessions_total 1"])
    }

    @Test func takesAddressesWithoutTheFinalSlash() throws {
        let server = try server(["ingest_posthog_key": "phc_mine"])
        defer { server.end() }
        #expect(try server.exchange(call("{}", Self.auth, target: "/ingest/api/7/envelope")).status == 200)
        let event = call(#"{"message":"m"}"#, Self.auth, target: "/ingest/api/7/store?sentry_key=k1")
        #expect(try server.exchange(event).status == 200)
        let batch = call(#"{"api_key":"phc_mine","batch":[]}"#, target: "/batch")
        #expect(try server.exchange(batch).text == #"{"status":1}"#)
        #expect(try server.exchange(HTTPCall("GET", "/batch")).status == 405)
        #expect(try server.exchange(call("{}", target: "/array/phc_mine/config.js")).status == 404)
        let metrics = try server.get("/metrics").text
        expect(
            metrics,
            contains: [
                #"subguard_ingest_unknown_requests_total{endpoint="asset"} 1"#,
                #"subguard_ingest_unknown_requests_total{endpoint="misplaced"} 0"#, #"route="/batch/""#,
            ])
    }

    @Test func countsSessionsThatEndedWithAnUnhandledErrorAsEnded() throws {
        let server = try server()
        defer { server.end() }
        let aggregates = #"""
            {"aggregates":[{"started":"2026-11-20T09:00:00Z","exited":5,"unhandled":4,"paused":3}],\#
            "attrs":{"release":"2.0"}}
            """#
        let text = envelope(
            ("session", session("unhandled")), ("session", session("suspended", 2)), ("sessions", aggregates))
        #expect(try server.exchange(call(text, Self.auth)).status == 200)
        let releases = try server.admin(.analyst, "GET", "/api/v1/admin/crashes/releases").items()
        #expect(releases.compactMap { $0["crash_free_sessions"]?.numberText } == ["100.0", "100.0"])
        expect(
            try server.get("/metrics").text,
            contains: [
                "subguard_sessions_total 10", #"subguard_session_unknown_statuses_total{status="paused"} 3"#,
                #"subguard_session_unknown_statuses_total{status="suspended"} 1"#,
                #"subguard_envelope_items_total{type="session",outcome="malformed"} 1"#,
            ])
    }

    @Test func aLateReportOfAnOldCrashDoesNotReopenItsGroup() throws {
        let server = try server()
        defer { server.end() }
        func send(_ timestamp: String) throws {
            let event = #"{"message":"m","timestamp":"\#(timestamp)"}"#
            #expect(try server.exchange(call(envelope(("event", event)), Self.auth)).status == 200)
        }
        try send("2026-11-20T09:00:00Z")
        let id = try #require(try groups(server).first?["id"]?.stringValue)
        #expect(try server.admin(.owner, "POST", "/api/v1/admin/crashes/\(id)/resolve").status == 200)
        // 66 days old: within the 90 days for which crashes are kept.
        try send("2026-09-15T09:00:00Z")
        let late = try #require(try groups(server).first)
        #expect(late["status"]?.stringValue == "resolved")
        #expect(late["count"]?.integerValue == 2)
        #expect(late["first_seen_at"]?.stringValue == "2026-09-15T09:00:00Z")
        #expect(late["last_seen_at"]?.stringValue == "2026-11-20T09:00:00Z")
        try send("2026-07-01T09:00:00Z")
        #expect(try groups(server).first?["count"]?.integerValue == 2)
        expect(
            try server.get("/metrics").text, contains: [#"subguard_crash_reports_total{outcome="expired"} 1"#])
    }

    @Test func takesTheKeyFromAnyPlaceAndWantsThemToAgree() throws {
        let server = try server()
        defer { server.end() }
        let dsn = #"{"dsn":"http://k1@h/ingest/7"}"#
        #expect(try server.exchange(call("{}", Self.auth)).status == 200)
        #expect(try server.exchange(call("{}", target: Self.target + "?sentry_key=k1&sentry_version=7")).status == 200)
        #expect(try server.exchange(call(dsn)).status == 200)
        #expect(try server.exchange(call(dsn, Self.auth, target: Self.target + "?sentry_key=k1")).status == 200)
        for refused in [
            call("{}"), call("{}", "X-Sentry-Auth: Sentry sentry_key=k2"),
            call("{}", Self.auth, target: Self.target + "?sentry_key=k2"),
            call(#"{"dsn":"http://k2@h/7"}"#, Self.auth), call(#"{"dsn":"http://k1@h/8"}"#),
            call("{}", "X-Sentry-Auth: Sentry"),
            call("{}", Self.auth, target: "/ingest/api/8/envelope/"),
        ] {
            let response = try server.exchange(refused)
            #expect(response.status == 403, "\(refused)")
            let error = try response.json()
            #expect(error["detail"]?.stringValue == response["X-Sentry-Error"])
            expect(error["title"]?.stringValue ?? "role", lacks: ["role"])
            #expect(error["causes"]?.arrayValue?.isEmpty == false)
        }
    }

    @Test func isOffWithoutAKey() throws {
        let server = try TestServer()
        defer { server.end() }
        let response = try server.exchange(call("{}", Self.auth, target: "/ingest/api/1/envelope/"))
        #expect(response.status == 404)
        expect(response.text, contains: ["ingest_sentry_key"])
    }

    @Test func refusesWhatItCannotRead() throws {
        let server = try server()
        defer { server.end() }
        let nonsense = try server.exchange(call("nonsense", Self.auth))
        #expect(nonsense.status == 400)
        expect(nonsense.text, contains: [#""title":"The request is malformed""#], lacks: ["HTTP/1.1"])
        #expect(try server.exchange(call("{}\n{\"type\":\"event\",\"length\":9}\n{}", Self.auth)).status == 400)
        #expect(try server.exchange(call("{}", Self.auth, "Content-Encoding: zstd")).status == 415)
        let bomb = call("{}\n" + String(repeating: " ", count: 9 << 20), Self.auth).gzipped()
        let response = try server.exchange(bomb)
        #expect(response.status == 413)
        #expect(response["X-Sentry-Error"] != nil)
        // A malformed item does not affect the others.
        let text = envelope(("event", "{"), ("session", session("exited")), ("session", "[]"))
        #expect(try server.exchange(call(text, Self.auth)).status == 200)
        expect(
            try server.get("/metrics").text,
            contains: [
                #"subguard_envelope_items_total{type="event",outcome="malformed"} 1"#,
                #"subguard_envelope_items_total{type="session",outcome="malformed"} 1"#, "subguard_sessions_total 1",
            ])
    }

    @Test func saysInTheProtocolsOwnWordsThatThereWasTooMuch() throws {
        let server = try server()
        defer { server.end() }
        var response = try server.exchange(call("{}", Self.auth))
        for _ in 0..<Quota.report where response.status == 200 { response = try server.exchange(call("{}", Self.auth)) }
        #expect(response.status == 429)
        let seconds = try #require(response["Retry-After"])
        #expect(response["X-Sentry-Rate-Limits"] == "\(seconds)::key:rate_limited")
    }

    /// The quota of reports; the clock does not move, so it is not restored.
    private enum Quota { static let report = 600 }

    @Test func leavesNothingPersonalInTheStore() throws {
        let server = try server()
        defer { server.end() }
        let event = #"""
            {"message":"m 192.0.2.17 zoe.p@example.org","user":{"email":"zoe.q@example.org",\#
            "ip_address":"198.51.100.7"},
             "breadcrumbs":{"values":[{"message":"crumb"}]},"tags":{"a":"tagged"},\#
            "request":{"headers":{"Cookie":"biscuit"}},
             "exception":{"values":[{"type":"E","value":"/Users/zoeplantee/x","stacktrace":{"frames":[
              {"function":"f","filename":"/home/zoeplantee/f.py","vars":{"v":"variable"},"context_line":"source"}]}}]}}
            """#
        _ = try server.exchange(call(envelope(("event", event.replacing("\n", with: " "))), Self.auth))
        let group = try #require(try groups(server).first?["id"]?.stringValue)
        let detail = try server.admin(.analyst, "GET", "/api/v1/admin/crashes/\(group)").json()
        let text = String(decoding: detail.serialized(), as: UTF8.self)
        expect(
            text, contains: ["/Users/[user]/x", "/home/[user]/f.py", "[address]", "[email]"],
            lacks: ["192.0.2", "zoe", "198.51", "crumb", "tagged", "biscuit", "variable", "source"])
        #expect(detail["samples"]?.arrayValue?.count == 1)
    }
}
