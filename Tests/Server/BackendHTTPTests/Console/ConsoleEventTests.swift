import BackendHTTP
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

/// The event explorer of the console, from the log.
@Suite struct ConsoleEventTests {
    private func send(_ server: TestServer, _ number: Int, _ name: String, item: String? = nil) throws {
        let properties = item.map { #","properties":{"catalogue_item_id":"\#($0)","platform":"ios"}"# } ?? ""
        let response = try server.post(
            "/api/v1/analytics",
            #"{"events":[{"id":"\#(makeID(UInt64(number)).lowercased)","name":"\#(name)","user_id":"#
                + #""\#(String(repeating: "0a", count: 32))","timestamp":"2026-11-20T09:00:00Z"\#(properties)}]}"#)
        #expect(response.status == 202, "\(response.text)")
    }

    @Test func countsByDayWithFiltersAndAsCSV() throws {
        let server = try TestServer()
        defer { server.end() }
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[.analyst]))
        let item = try server.item("netflix")
        try send(server, 1, "app_opened")
        try send(server, 2, "subscription_added", item: item.id.lowercased)
        try send(server, 3, "subscription_added", item: makeID(99).lowercased)
        let page = try browser.get("/console/events").text
        expect(
            page, contains: ["3 events from", "Counted in the database.", "Everything received until", "format=csv"])
        for (query, count) in [
            ("event=app_opened", "1 event from"), ("platform=ios", "2 events from"), ("platform=none", "1 event from"),
            ("item=netflix", "1 event from"), ("item=NETFLIX&event=app_opened", "0 events from"),
            ("item=\(item.id.lowercased)", "1 event from"), ("from=2026-11-01&to=2026-11-02", "0 events from"),
        ] {
            #expect(try browser.get("/console/events?\(query)").text.contains(">\(count)"), "\(query)")
        }
        let csv = try browser.get("/console/events?item=netflix&from=2026-11-19&to=2026-11-20&format=csv")
        #expect(csv["Content-Disposition"] == "attachment; filename=\"events.csv\"")
        let lines = csv.text.split(separator: "\r\n")
        #expect(lines.count == 3)
        #expect(lines[0] == "\u{FEFF}on,events,event,item,platform,source,complete_until,zone")
        #expect(lines[1].hasPrefix("2026-11-19,0,,Netflix,,log,") && lines[2].hasPrefix("2026-11-20,1,,Netflix,,log,"))
    }

    @Test func namesAnUnknownItemBesideItsField() throws {
        let server = try TestServer()
        defer { server.end() }
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[.owner]))
        let page = try browser.get("/console/events?item=odd&event=app_opened")
        #expect(page.status == 422)
        expect(
            page.text,
            contains: ["Must be an item of the catalogue", "value=\"odd\"", "aria-invalid=\"true\"", "0 events from"])
        for query in ["event=odd", "platform=odd", "x=1", "item=odd&format=csv", "from=2020-01-01&format=csv"] {
            #expect(try browser.get("/console/events?\(query)").status == 422, "\(query)")
        }
        #expect(try browser.get("/console/events?from=2020-01-01").status == 422)
    }
}
