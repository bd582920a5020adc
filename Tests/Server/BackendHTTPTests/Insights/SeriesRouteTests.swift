import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Telemetry
import TestKit
import Testing

@Suite struct SeriesRouteTests {
    private func get(_ server: TestServer, _ query: String, _ fields: String...) throws -> RawResponse {
        let lines = fields + [try server.authorization(.analyst)]
        return try server.exchange(HTTPCall("GET", "/api/v1/admin/series?\(query)", lines))
    }

    private func post(_ server: TestServer, _ events: [EventText]) throws {
        let answer = try server.post("/api/v1/analytics", events.text)
        #expect(try answer.json()["rejected"]?.arrayValue?.isEmpty == true)
    }

    @Test func haveAPointForEachPeriod() throws {
        let server = try TestServer()
        defer { server.end() }
        try post(
            server,
            [
                EventText(1, "app_downloaded", user: 1, at: "2026-11-15T23:59:59Z"),
                EventText(2, "app_downloaded", user: 2, at: "2026-11-16T00:00:00Z"),
            ])
        let answer = try get(server, "figure=downloads&from=2026-11-11&step=week").json()
        #expect(
            answer.names == [
                "as_of", "complete", "counted_until", "zone", "definition", "figure", "step", "from", "to", "points",
            ])
        #expect(answer["complete"]?.boolValue == true)
        #expect(answer["definition"]?.stringValue?.contains("signup") == true)
        #expect(answer["figure"]?.stringValue == "downloads" && answer["step"]?.stringValue == "week")
        #expect(answer["from"]?.stringValue == "2026-11-11" && answer["to"]?.stringValue == "2026-11-20")
        let points = try #require(answer["points"]?.arrayValue)
        #expect(points.strings("on") == ["2026-11-09", "2026-11-16"])
        #expect(points.compactMap { $0["value"]?.integerValue } == [1, 1])
        #expect(points.map { $0["unfinished"]?.boolValue } == [false, true])
        #expect(points[0].names == ["on", "value", "unfinished"])
    }

    @Test(arguments: SeriesFigure.allCases.map(\.rawValue))
    func existForEachFigure(figure: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let answer = try get(server, "figure=\(figure)")
        #expect(answer.status == 200)
        let points = try #require(try answer.json()["points"]?.arrayValue)
        #expect(points.count == 31 && points.strings("on").last == "2026-11-20")
        #expect(points.allSatisfy { $0["value"]?.integerValue == (figure == "crash_free_sessions" ? nil : 0) })
    }

    @Test func comeAsCSVAndKeepTheirTag() throws {
        let server = try TestServer()
        defer { server.end() }
        try post(server, [EventText(1, "app_opened", user: 1, at: "2026-11-20T09:00:00Z")])
        let query = "figure=active_7d&from=2026-11-19&format=csv"
        let answer = try get(server, query)
        #expect(answer["Content-Disposition"] == "attachment; filename=\"series.csv\"")
        #expect(answer["Figures-Complete"] == "true")
        #expect(answer["Figures-Counted-Until"] == "2026-11-20T10:00:00Z")
        let lines = answer.text.split(separator: "\r\n")
        #expect(lines.first == "figure,step,on,value,unfinished,zone,definition")
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("active_7d,day,2026-11-19,0,false,UTC,"))
        #expect(lines[2].hasPrefix("active_7d,day,2026-11-20,1,true,UTC,"))
        let tag = try answer.etag()
        server.clock.now += 61_000
        #expect(try get(server, query, "If-None-Match: \(tag)").status == 304)
        try post(server, [EventText(2, "app_opened", user: 2, at: "2026-11-20T09:00:00Z")])
        #expect(try get(server, query, "If-None-Match: \(tag)").status == 200)
    }

    @Test(arguments: [
        ("from=2026-11-01", "figure"), ("figure=revenue", "figure"), ("figure=events.nothing", "figure"),
        ("figure=Users", "figure"), ("figure=users&step=year", "step"), ("figure=users&format=xml", "format"),
        ("figure=users&from=2026-02-29", "from"), ("figure=users&from=2026-11-21", "from"),
        ("figure=users&from=2026-11-02&to=2026-11-01", "to"), ("figure=users&from=2023-11-16", "from"),
        ("figure=users&to=2026-W01", "to"), ("figure=users&limit=1", "limit"),
        ("figure=users&figure=users", "figure"),
    ])
    func nameTheParameterThatIsWrong(query: String, pointer: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let problem = try server.expectProblem(try get(server, query), .validationFailed)
        #expect(problem["errors"]?[0]?["pointer"]?.stringValue == pointer)
    }
}
