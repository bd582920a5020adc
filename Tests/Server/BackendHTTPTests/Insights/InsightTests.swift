import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct InsightTests {
    private static let reports = [
        "dashboard", "funnel", "cohorts", "ranking", "funnel?by=platform&within=7d", "cohorts?by=month",
    ]

    private func get(_ server: TestServer, _ report: String, _ fields: String...) throws -> RawResponse {
        let lines = fields + [try server.authorization(.analyst)]
        return try server.exchange(HTTPCall("GET", "/api/v1/admin/\(report)", lines))
    }

    private func post(_ server: TestServer, _ events: [EventText]) throws {
        let answer = try server.post("/api/v1/analytics", events.text)
        #expect(try answer.json()["rejected"]?.arrayValue?.isEmpty == true)
    }

    @Test func countUsersThroughTheFunnelAndTheirWeeks() throws {
        let server = try TestServer()
        defer { server.end() }
        try post(
            server,
            [
                EventText(1, "app_downloaded", user: 1, at: "2026-11-09T00:00:00Z"),
                EventText(2, "app_opened", user: 1, at: "2026-11-08T23:59:59Z"),
                EventText(3, "first_subscription_added", user: 1), EventText(4, "first_subscription_added", user: 1),
                EventText(5, "retention_d7", user: 1, at: "2026-11-16T08:00:00+01:00"),
                EventText(6, "app_downloaded", user: 2, at: "2026-11-08T23:59:59.999Z"),
                EventText(7, "app_opened", user: 3, at: "2026-11-19T10:00:00.001Z"),
            ])
        let funnel = try get(server, "funnel?from=2026-11-01&to=2026-11-09").json()
        #expect(funnel["zone"]?.stringValue == "UTC")
        #expect(funnel["definition"]?.stringValue?.isEmpty == false)
        let stages = try #require(funnel["stages"]?.arrayValue)
        #expect(
            stages.strings("name") == [
                "downloads", "first_subscription", "five_subscriptions", "retention_d7", "retention_d30",
            ])
        #expect(stages.compactMap { $0["count"]?.integerValue } == [2, 1, 0, 1, 0])
        #expect(stages.map { $0["percent_of_first"]?.numberText } == ["100.0", "50.0", "0.0", "50.0", "0.0"])
        #expect(stages.map { $0["percent_of_previous"]?.numberText } == [nil, "50.0", "0.0", nil, "0.0"])
        #expect(stages[3]["percent_of_previous"] == .null)

        let cohorts = try #require(try get(server, "cohorts").json()["cohorts"]?.arrayValue)
        #expect(cohorts.strings("week") == ["2026-W45", "2026-W46", "2026-W47"])
        #expect(cohorts.strings("starts_on") == ["2026-11-02", "2026-11-09", "2026-11-16"])
        #expect(cohorts[1]["d7"]?["count"]?.integerValue == 1)
        #expect(cohorts[1]["d7"]?["eligible"]?.integerValue == 1)
        #expect(cohorts[1]["d7"]?["percent"]?.numberText == "100.0")
        #expect(cohorts[1]["d7"]?["rating"]?.stringValue == "green")
        #expect(cohorts[0]["d7"]?["rating"]?.stringValue == "red")
        #expect(cohorts[2]["d1"] == .null, "24 hours are not over by a millisecond")
        server.clock.now += 1
        let later = try #require(try get(server, "cohorts?from=2026-11-20").json()["cohorts"]?.arrayValue)
        #expect(later.count == 1 && later[0]["d1"]?["eligible"]?.integerValue == 1)
        #expect(later[0]["d1"]?["percent"]?.numberText == "0.0")
        #expect(later[0]["d7"] == .null && later[0]["users"]?.integerValue == 1)
    }

    @Test func tellUsersApartByPlatformAndWindow() throws {
        let server = try TestServer()
        defer { server.end() }
        let ios = #"{"platform":"iOS","app_version":"1.2"}"#
        try post(
            server,
            [
                EventText(1, "app_downloaded", user: 1, at: "2026-11-09T00:00:00Z", properties: ios),
                EventText(2, "first_subscription_added", user: 1, at: "2026-11-12T00:00:00Z"),
                EventText(3, "five_subscriptions_reached", user: 1, at: "2026-11-12T00:00:00.001Z"),
                EventText(4, "app_downloaded", user: 2, at: "2026-11-10T00:00:00Z", properties: ios),
                EventText(5, "app_downloaded", user: 3, at: "2026-11-17T00:00:00Z"),
            ])
        let plain = try get(server, "funnel").json()
        let head = ["as_of", "complete", "counted_until", "zone", "definition", "from", "to"]
        #expect(plain.names == head + ["stages"])
        let funnel = try get(server, "funnel?within=3d&by=platform").json()
        #expect(funnel.names == head + ["within", "by", "users", "stages", "unfinished", "segments"])
        #expect(funnel["within"]?.stringValue == "3d" && funnel["by"]?.stringValue == "platform")
        #expect(funnel["definition"]?.stringValue?.contains("at most 3 x 24 h") == true)
        func counts(_ part: JSONValue?) -> [Int64] {
            (part?["stages"]?.arrayValue ?? []).compactMap { $0["count"]?.integerValue }
        }
        #expect(funnel["users"]?.integerValue == 2 && counts(funnel) == [2, 1, 0, 0, 0])
        #expect(funnel["unfinished"]?["users"]?.integerValue == 1 && counts(funnel["unfinished"]) == [1, 0, 0, 0, 0])
        let segments = try #require(funnel["segments"]?.arrayValue)
        #expect(segments.strings("platform") == ["ios", "unknown"])
        #expect(segments.map(\.names).allSatisfy { $0 == ["platform", "users", "stages", "unfinished"] })
        #expect(segments.map(counts) == [[2, 1, 0, 0, 0], [0, 0, 0, 0, 0]])
        #expect(segments.map { counts($0["unfinished"]) } == [[0, 0, 0, 0, 0], [1, 0, 0, 0, 0]])
        let versions = try get(server, "funnel?by=app_version").json()
        #expect(versions.names == head + ["by", "users", "stages", "segments"])
        #expect(versions["segments"]?.arrayValue?.strings("app_version") == ["1.2", "unknown"])
        #expect(counts(versions) == [3, 1, 1, 0, 0])
        let query = "funnel?within=3d&by=platform&from=2026-11-01&format=csv"
        let csv = try get(server, query).text.split(separator: "\r\n")
        #expect(
            csv.first == """
                platform,stage,count,percent_of_previous,percent_of_first,from,to,within,users,unfinished_users,\
                unfinished_count,unfinished_percent_of_previous,unfinished_percent_of_first,zone,definition
                """)
        #expect(csv.count == 11)
        #expect(csv[2].hasPrefix("ios,first_subscription,1,50.0,50.0,2026-11-01,,3d,2,0,0,,,UTC,"))
        #expect(csv[6].hasPrefix("unknown,downloads,0,,,2026-11-01,,3d,0,1,1,,100.0,UTC,"))
    }

    @Test func comeByMonth() throws {
        let server = try TestServer()
        defer { server.end() }
        try post(
            server,
            [
                EventText(1, "app_downloaded", user: 1, at: "2026-10-31T23:59:59.999Z"),
                EventText(2, "app_downloaded", user: 2, at: "2026-11-01T00:00:00Z"),
                EventText(3, "retention_d7", user: 2, at: "2026-11-08T00:00:00Z"),
            ])
        let answer = try get(server, "cohorts?by=month&from=2026-11-19").json()
        let cohorts = try #require(answer["cohorts"]?.arrayValue)
        #expect(cohorts.count == 1 && cohorts[0].names == ["month", "starts_on", "users", "d1", "d7", "d30"])
        #expect(cohorts[0]["month"]?.stringValue == "2026-11" && cohorts[0]["starts_on"]?.stringValue == "2026-11-01")
        #expect(cohorts[0]["d7"]?["percent"]?.numberText == "100.0" && cohorts[0]["d30"] == .null)
        #expect(answer["definition"]?.stringValue?.contains("calendar month") == true)
        #expect(try get(server, "cohorts?by=week").json()["cohorts"]?[0]?["week"]?.stringValue == "2026-W44")
        let csv = try get(server, "cohorts?by=month&to=2026-10-01&format=csv").text.split(separator: "\r\n")
        #expect(csv.count == 2 && csv[0].hasPrefix("month,starts_on,users,d1_count,"))
        #expect(csv[1].hasPrefix("2026-10,2026-10-01,1,0,1,0.0,red,0,1,0.0,red,,,,,UTC,"))
    }

    @Test(arguments: reports)
    func keepTheirTagUntilTheFiguresChange(report: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let item = try server.item("netflix").id.lowercased
        let first = EventText(
            1, "subscription_added", at: "2026-11-20T00:00:00Z", properties: #"{"catalogue_item_id":"\#(item)"}"#)
        try post(server, [first, EventText(2, "app_downloaded", at: "2026-11-02T00:00:00Z")])
        for format in ["json", "csv"] {
            let target = "\(report)\(report.contains("?") ? "&" : "?")format=\(format)"
            let plain = try get(server, target)
            let tag = try plain.etag()
            #expect(tag.hasPrefix("\""))
            #expect(plain["Vary"] == "Accept-Encoding")
            let coded = try get(server, target, "Accept-Encoding: gzip")
            if let coding = coded["Content-Encoding"] {
                #expect(coding == "gzip")
                #expect(try coded.etag() != tag)
                #expect(try coded.decodedBody() == plain.body)
            }
            server.clock.now += 61_000
            let same = try get(server, target, "If-None-Match: \(tag)")
            #expect(same.status == 304 && same.body.isEmpty, "\(target)")
            #expect(try same.etag() == tag)
        }
        let tag = try get(server, report).etag()
        let second = EventText(
            3, "subscription_added", user: 2, at: "2026-11-20T09:00:00Z",
            properties: #"{"catalogue_item_id":"\#(item)"}"#)
        try post(server, [second, EventText(4, "app_downloaded", user: 3, at: "2026-11-02T00:00:00Z")])
        server.clock.now += 86_400_000
        #expect(try get(server, report, "If-None-Match: \(tag)").status == 200)
    }

    @Test func defineEachFigureOfTheDashboard() throws {
        let server = try TestServer()
        defer { server.end() }
        let dashboard = try get(server, "dashboard").json()
        let figures = [
            "total_users", "active_users_30d", "subscriptions_tracked", "premium_conversions", "crash_free_sessions",
        ]
        #expect(dashboard.names == ["as_of", "complete", "counted_until", "zone", "definition"] + figures)
        for name in figures {
            let figure = try #require(dashboard[name])
            #expect(figure.names == ["value", "this_week", "last_week", "trend_percent", "definition"])
            #expect(figure["definition"]?.stringValue?.isEmpty == false)
            #expect(figure["trend_percent"] == .null)
            #expect(figure["value"]?.integerValue == (name == "crash_free_sessions" ? nil : 0))
        }
    }

    @Test(arguments: reports)
    func comeAsCSVForASpreadsheet(report: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let answer = try get(server, "\(report)\(report.contains("?") ? "&" : "?")format=csv")
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "text/csv; charset=utf-8; header=present")
        #expect(answer["Content-Disposition"] == "attachment; filename=\"\(report.prefix { $0 != "?" }).csv\"")
        #expect(answer["Figures-Complete"] == "true")
        #expect(answer["Figures-Counted-Until"] == "2026-11-20T10:00:00Z")
        let header = answer.text.split(separator: "\r\n").first
        #expect(header?.hasSuffix(",zone,definition") == true)
    }

    @Test(arguments: [
        ("dashboard?format=xml", "format"), ("dashboard?from=2026-01-01", "from"), ("funnel?from=2026-02-29", "from"),
        ("funnel?from=2026-1-1", "from"), ("funnel?to=", "to"), ("funnel?from=2026-03-02&to=2026-03-01", "to"),
        ("cohorts?to=2026-W01", "to"), ("cohorts?limit=1", "limit"), ("ranking?limit=0", "limit"),
        ("ranking?limit=501", "limit"), ("ranking?limit=ten", "limit"), ("funnel?to=2026-01-01&to=2026-01-01", "to"),
        ("funnel?within=0d", "within"), ("funnel?within=91d", "within"), ("funnel?within=7", "within"),
        ("funnel?within=", "within"), ("funnel?by=country", "by"), ("funnel?by=platform&by=platform", "by"),
        ("cohorts?by=day", "by"), ("cohorts?within=7d", "within"), ("cohorts?from=2026-11-02&to=2026-11-01", "to"),
    ])
    func nameTheParameterThatIsWrong(target: String, pointer: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let problem = try server.expectProblem(try get(server, target), .validationFailed)
        #expect(problem["errors"]?[0]?["pointer"]?.stringValue == pointer)
    }

    @Test func rankTheItemsThatWereAddedMost() throws {
        let server = try TestServer()
        defer { server.end() }
        let ids = try ["cine-ocs", "netflix", "netflix", "spotify"].map { try server.item($0).id.lowercased }
        try post(
            server,
            ids.enumerated().map { index, id in
                EventText(
                    UInt64(index), "subscription_added", user: index,
                    properties: #"{"catalogue_item_id":"\#(id.uppercased())"}"#)
            })
        let answer = try get(server, "ranking?limit=2").json()
        #expect(answer["as_of"]?.stringValue == "2026-11-20T10:00:00Z")
        let items = try #require(answer["items"]?.arrayValue)
        #expect(items.strings("name") == ["Netflix", "Ciné+ “OCS” 🎬"])
        #expect(items.compactMap { $0["count"]?.integerValue } == [2, 1])
        #expect(items[0].names == ["id", "name", "logo_url", "count"])
    }
}
