import BackendHTTP
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct AlertRouteTests {
    /// Unreachable targets, so that deliveries end as dead.
    private static let settings = [
        "alerts_webhook_url": "http://127.0.0.1:9/hook?token=s3cret", "alerts_webhook_secret": "wh-s3cret",
    ]

    @Test func tellsOfTheThresholdsOfTheContract() throws {
        let server = try TestServer()
        defer { server.end() }
        let answer = try server.admin(.analyst, "GET", "/api/v1/admin/alerts")
        #expect(answer.status == 200)
        let document = try answer.json()
        let thresholds = document["thresholds"]?.arrayValue?.compactMap { $0["threshold"]?.integerValue }
        #expect(thresholds == [1000, 5000, 10_000, 50_000, 100_000])
        #expect(document["channels"] == .array([]))
        #expect(document["items"] == .array([]))
        #expect(document["next_cursor"]?.isNull == true)
        let again = try server.admin(
            .analyst, "GET", "/api/v1/admin/alerts", "If-None-Match: \(try #require(answer["ETag"]))")
        #expect(again.status == 304)
    }

    /// A comma within an address stays, and addresses at one host are told apart.
    @Test func tellsOfEveryReceiver() throws {
        let server = try TestServer(settings: [
            "alerts_webhook_url": "http://127.0.0.1:9/a?x=1,2, http://127.0.0.1:9/b",
            "alerts_webhook_secret": "one,two", "alerts_slack_webhook_url": "http://127.0.0.1:9/slack",
            "alerts_permitted_hosts": "127.0.0.1",
        ])
        defer { server.end() }
        let channels = try server.admin(.analyst, "GET", "/api/v1/admin/alerts").json()["channels"]?.arrayValue ?? []
        #expect(channels.strings("channel") == ["slack", "webhook", "webhook"])
        #expect(
            channels.strings("target")
                == ["http://127.0.0.1:9/…", "http://127.0.0.1:9/…", "http://127.0.0.1:9/… (2)"])
        let test = try server.admin(.owner, "POST", "/api/v1/admin/alerts/test", json: #"{"channel":"webhook"}"#)
        #expect(
            try test.json()["deliveries"]?.arrayValue?.strings("target")
                == ["http://127.0.0.1:9/…", "http://127.0.0.1:9/… (2)"])
    }

    @Test func changesTheListOnlyAtTheRevisionThatWasRead() throws {
        let server = try TestServer()
        defer { server.end() }
        for path in ["/api/v1/admin/alerts", "/api/v1/admin/alerts/thresholds"] {
            let tag = try #require(try server.admin(.owner, "GET", path)["ETag"])
            let body = #"{"thresholds":[\#(path.count),7]}"#
            let first = try server.admin(
                .owner, "PUT", "/api/v1/admin/alerts/thresholds", json: body, "If-Match: \(tag)")
            #expect(first.status == 200)
            #expect(first["ETag"] != nil && first["ETag"] != tag)
            let second = try server.admin(
                .owner, "PUT", "/api/v1/admin/alerts/thresholds", json: #"{"thresholds":[8]}"#, "If-Match: \(tag)")
            try server.expectProblem(second, .preconditionFailed)
        }
        for tag in [#""r""#, #""r99""#, #"W/"r1""#, #""r""#, "r1"] {
            let answer = try server.admin(
                .owner, "PUT", "/api/v1/admin/alerts/thresholds", json: #"{"thresholds":[8]}"#, "If-Match: \(tag)")
            try server.expectProblem(answer, .preconditionFailed)
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"thresholds":5}"#, #"{"thresholds":["5"]}"#, #"{"thresholds":[1.5]}"#, #"{"thresholds":[0]}"#,
        #"{"thresholds":[5,5]}"#, #"{"thresholds":[5],"more":1}"#, #"{"thresholds":[1e3]}"#,
        #"{"thresholds":[99999999999999999999]}"#,
    ])
    func refusesAListThatBreaksARule(_ body: String) throws {
        let server = try TestServer()
        defer { server.end() }
        try server.expectProblem(
            try server.admin(.owner, "PUT", "/api/v1/admin/alerts/thresholds", json: body), .validationFailed)
    }

    @Test func namesEveryNumberThatIsWrong() throws {
        let server = try TestServer()
        defer { server.end() }
        let path = "/api/v1/admin/alerts/thresholds"
        try server.expectInvalid(
            try server.admin(.owner, "PUT", path, json: #"{"thresholds":[5,0,5,-1,"7",null]}"#),
            [
                ("#/thresholds/1", "out_of_range"), ("#/thresholds/2", "duplicate"), ("#/thresholds/3", "out_of_range"),
                ("#/thresholds/4", "invalid_type"), ("#/thresholds/5", "required"),
            ])
        let list = (1...101).map(String.init).joined(separator: ",")
        try server.expectInvalid(
            try server.admin(.owner, "PUT", path, json: #"{"thresholds":[\#(list)]}"#),
            [("#/thresholds", "out_of_range")])
    }

    @Test func namesEveryParameterThatIsWrong() throws {
        let server = try TestServer()
        defer { server.end() }
        try server.expectInvalid(
            try server.admin(.owner, "GET", "/api/v1/admin/alerts?colour=red&limit=501&cursor=AAAA"),
            [("colour", "unknown_parameter"), ("limit", "out_of_range"), ("cursor", "invalid_cursor")])
    }

    @Test func guardsItsTargetsAndShowsNoSecret() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        let sent = try server.admin(.owner, "POST", "/api/v1/admin/alerts/test")
        #expect(sent.status == 202)
        let id = try #require(try sent.json()["deliveries"]?.arrayValue?.first?["id"]?.stringValue)
        #expect(
            try eventually {
                let items = try server.admin(.owner, "GET", "/api/v1/admin/alerts").json()["items"]?.arrayValue ?? []
                return items.first { $0["id"]?.stringValue == id }?["status"]?.stringValue == "dead"
            })
        let shown = String(decoding: try server.admin(.owner, "GET", "/api/v1/admin/alerts").body, as: UTF8.self)
        #expect(shown.contains("private or loopback range"))
        #expect(!shown.contains("s3cret"))
        #expect(try server.logs { $0["message"]?.stringValue == "alert" && $0["state"]?.stringValue == "dead" })
        let metrics = String(decoding: try server.get("/metrics").body, as: UTF8.self)
        #expect(metrics.contains(#"subguard_alert_outbox_deliveries{state="dead"} 1"#))
        #expect(metrics.contains(#"subguard_alert_attempts_total{channel="webhook",outcome="dead"} 1"#))
        let again = try server.admin(.owner, "POST", "/api/v1/admin/alerts/deliveries/\(id)/resend")
        #expect(again.status == 202)
    }

    @Test func refusesAChannelThatIsUnknownOrNotConfigured() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        let path = "/api/v1/admin/alerts/test"
        try server.expectProblem(try server.admin(.owner, "POST", path, json: #"{"channel":"fax"}"#), .validationFailed)
        try server.expectProblem(
            try server.admin(.owner, "POST", path, json: #"{"chanel":"slack"}"#), .validationFailed)
        try server.expectProblem(try server.admin(.owner, "POST", path, json: #"{"channel":"slack"}"#), .conflict)
    }

    @Test func firesFromTheCallThatCounts() throws {
        let server = try TestServer()
        defer { server.end() }
        try server.admin(.owner, "PUT", "/api/v1/admin/alerts/thresholds", json: #"{"thresholds":[1,2]}"#)
        let event = """
            {"events":[{"id":"01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b","name":"app_opened",\
            "timestamp":"2026-11-20T09:00:00Z",
            "user_id":"\(String(repeating: "ab", count: 32))"}]}
            """
        #expect(try server.post("/api/v1/analytics", event).status == 202)
        let thresholds = try server.admin(.owner, "GET", "/api/v1/admin/alerts").json()["thresholds"]?.arrayValue ?? []
        #expect(thresholds.map { $0["fired_at"]?.stringValue } == ["2026-11-20T10:00:00Z", nil])
    }
}
