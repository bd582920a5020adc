import BackendHTTP
import Console
import Foundation
import JSONWire
import Operations
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

/// What needs attention is the first thing on the first page.
@Suite struct ConsoleOverviewTests {
    private static let rule = #"""
        {"name": "Zoé “26”", "figure": "storage_percent", "comparison": "below", "value": 50}
        """#

    @Test(arguments: [
        (
            "en", ["1 alert rule fires", "No channel is configured, so no alert is sent", "There is no backup"],
            "1 pending suggestion"
        ),
        (
            "fr",
            [
                "1 règle d’alerte est déclenchée", "Aucun canal n’est configuré\u{202F}: aucune alerte n’est envoyée",
                "Il n’y a aucune sauvegarde",
            ], "1 suggestion en attente"
        ),
    ])
    func comesFirst(_ language: String, _ texts: [String], _ suggestion: String) throws {
        let server = try TestServer(settings: [
            "maximum_store_mebibytes": "64", "minimum_free_disk_mebibytes": "0", "backup_interval_hours": "0",
        ])
        defer { server.end() }
        #expect(try server.admin(.owner, "POST", "/api/v1/admin/alerts/rules", json: Self.rule).status == 201)
        let json = "{\"id\":\"\(makeID(1).lowercased)\",\"name\":\"Zoé 🎉\"}"
        #expect(try server.post("/api/v1/suggestions", json).status < 300)
        let browser = ConsoleBrowser(server)
        browser.fields.append("Accept-Language: \(language)")
        try browser.signIn(try #require(server.tokens[.owner]))
        let page = try browser.get("/console").text
        let isSQLite = TestDatabase.chosen == .sqlite
        // PostgreSQL has backups of its own.
        let places = try texts.prefix(isSQLite ? 3 : 2).map { try #require(page.range(of: $0)?.lowerBound) }
        #expect(places == places.sorted())
        let tiles = try #require(page.range(of: "class=\"tiles\"")?.lowerBound)
        let last = try #require(page.range(of: suggestion)?.lowerBound)
        #expect(places.allSatisfy { $0 < last } && last < tiles)
        // Small forms of the other figures are below them.
        let widgets = try #require(page.range(of: "class=\"widgets\"")?.lowerBound)
        #expect(tiles < widgets)
        expect(
            String(page[widgets...]),
            contains: ["href=\"/console/funnel?from=", "href=\"/console/cohorts\"", "href=\"/console/ranking\""])
    }

    /// The lines of what needs attention, with the page that each leads to.
    private func attention(_ browser: ConsoleBrowser) throws -> [String: String] {
        let page = try browser.get("/console").text
        let part = page.components(separatedBy: "id=\"attention\"").dropFirst().first ?? ""
        let section = part.components(separatedBy: "</section>").first ?? ""
        let lines = section.matches(of: /<a href="([^"]*)">([^<]*)<\/a>/).map { (String($0.2), String($0.1)) }
        return Dictionary(lines) { first, _ in first }
    }

    @Test(.enabled(if: TestDatabase.chosen == .sqlite, "PostgreSQL has backups of its own"))
    func saysHowTheBackupsAre() throws {
        // The times of files are those of the machine, which are later.
        let server = try TestServer(
            TestServer.Setup(settings: ["backup_interval_hours": "0"], now: "2026-01-20T10:00:00Z"))
        defer { server.end() }
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[.owner]))
        func line(_ text: String) throws -> Bool { try attention(browser)[text] == "/console/operations" }
        func work(_ name: String, _ key: String) throws {
            #expect(try browser.post("/console/operations", "work=\(name)&idempotency_key=\(key)").status == 303)
        }
        #expect(try line("There is no backup"))
        try work("backup", "k1")
        let unverified = "No backup was restored for verification in the last 30 days"
        #expect(try eventually { try line(unverified) })
        try work("drill", "k2")
        #expect(try eventually { try !attention(browser).values.contains("/console/operations") })
        server.clock.advance(by: .seconds(8 * 86_400))
        try browser.signIn(try #require(server.tokens[.owner]))
        #expect(try line("The newest backup is of 20 Jan 2026"))
        try work("backup", "k3")
        #expect(try eventually { try !attention(browser).values.contains("/console/operations") })
        // One that is damaged.
        let backup = try #require(server.outside.backups.list(at: server.outside.context.now()).last)
        let files = try FileManager.default.contentsOfDirectory(
            at: URL(filePath: backup), includingPropertiesForKeys: nil)
        for url in files where url.lastPathComponent.contains("sqlite") {
            let file = try FileHandle(forWritingTo: url)
            try file.truncate(atOffset: 5000)
            try file.close()
        }
        try work("drill", "k4")
        #expect(try eventually { try line("The newest verification of a backup failed") })
    }

    @Test func saysWhatFailsInTheBackground() throws {
        let settings = [
            // Nothing listens there, and the range is refused.
            "alerts_webhook_url": "http://127.0.0.1:9/hook", "alerts_webhook_secret": "wh-s3cret",
            "event_sink_url": "clickhouse://subguard@127.0.0.1:9/subguard?tls=off",
        ]
        try withBrowser(.owner, settings: settings) { browser, server in
            #expect(try attention(browser)["No channel is configured, so no alert is sent"] == nil)
            #expect(try server.admin(.owner, "POST", "/api/v1/admin/alerts/test").status == 202)
            #expect(try eventually { try attention(browser)["1 alert could not be delivered"] == "/console/alerts" })

            struct Failure: Error {}
            let leases = JobLeases(context: server.outside.context)
            _ = try? leases.run("planted", everySeconds: 3600) { throw Failure() }
            let failed = "1 background job failed"
            #expect(try attention(browser)[failed] == "/console/operations")
            server.clock.advance(by: .seconds(3600))
            try leases.run("planted", everySeconds: 3600) {}
            #expect(try attention(browser)[failed] == nil)

            #expect(try server.post("/api/v1/analytics", [EventText(1)].text).status == 202)
            #expect(try attention(browser).keys.allSatisfy { !$0.contains("behind") })
            server.clock.advance(by: .seconds(11 * 60))
            let late = "The event sink is 11 minutes behind"
            #expect(try eventually { try attention(browser)[late] == "/console/operations" })
        }
    }

    @Test func saysThatCrashesAreNew() throws {
        try withBrowser(.owner) { browser, server in
            let id = makeID(7).lowercased
            let crash = #"{"id":"\#(id)","timestamp":"\#(server.now)","type":"Zoé 🎉","app_version":"1"}"#
            let answer = try server.post("/api/v1/crashes", #"{"sent_at":"\#(server.now)","crashes":[\#(crash)]}"#)
            #expect(answer.status == 202, "\(answer.text)")
            #expect(try attention(browser)["1 open crash group"] == "/console/crashes")
            let group = try #require(try server.admin(.owner, "GET", "/api/v1/admin/crashes").items().first)
            let path = "/api/v1/admin/crashes/\(try #require(group["id"]?.stringValue))/resolve"
            #expect(try server.admin(.owner, "POST", path).status < 300)
            #expect(try attention(browser)["1 open crash group"] == nil)
        }
    }

    @Test(.enabled(if: TestDatabase.chosen == .sqlite, "about the disk of an SQLite file"))
    func saysThatTheStorageIsFull() throws {
        // More free space than any disk has.
        try withBrowser(.owner, settings: ["minimum_free_disk_mebibytes": "1073741824"]) { browser, _ in
            let lines = try attention(browser)
            #expect(lines["Storage full"] == "/console/operations")
        }
    }

    /// The navigation has what pages counted, for as long as that holds: it counts nothing itself.
    @Test func countsWhatWaitsBesideTheNavigation() throws {
        try ConsoleBrowser.withSuggestions(["Zoé 🎉", "Netfix", "<b>"]) { browser, server, ids in
            func navigation(_ page: RawResponse) throws -> String {
                try #require(page.text.components(separatedBy: "<nav").dropFirst().first)
            }
            // Groups without a page that the role may open are left out.
            let unknown = try navigation(browser.get("/console/catalogue"))
            expect(
                unknown, contains: ["<ul aria-label=\"Content\">", "<ul aria-label=\"Figures\">"],
                lacks: ["Health", "Administration", "wait"])
            expect(try navigation(browser.get("/console")), contains: ["aria-label=\"3 wait\""])
            expect(try navigation(browser.get("/console/catalogue")), contains: ["aria-label=\"3 wait\""])
            let form = "idempotency_key=k1&list_status=pending&reject=\(ids[1])"
            let rejected = try browser.post("/console/suggestions", form)
            expect(try navigation(browser.get("/console/catalogue")), contains: [], lacks: ["wait"])
            expect(try navigation(browser.follow(rejected)), contains: ["aria-label=\"2 wait\""])
            // Another role sees it beside the pages that it may open.
            let other = ConsoleBrowser(server)
            try other.signIn(try #require(server.tokens[.analyst]))
            expect(try navigation(other.get("/console/funnel")), contains: ["Health"], lacks: ["wait"])
        }
    }

    /// A role sees what it may open.
    @Test func namesNothingThatARoleMayNotSee() throws {
        let server = try TestServer()
        defer { server.end() }
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[.moderator]))
        let page = try browser.get("/console").text
        #expect(page.contains("Nothing needs attention."))
        expect(page, contains: [], lacks: ["There is no backup", "No channel is configured"])
    }

    @Test(
        arguments: [
            (nil, nil, nil, 24, BackupConcern.none), (-47, true, -47, 24, nil),
            (-49, true, -49, 24, .old(now.adding(seconds: -49 * 3600))),
            (-167, true, -167, nil, nil), (-169, true, -169, nil, .old(now.adding(seconds: -169 * 3600))),
            (-1, false, -48, 24, .failed), (-1, nil, nil, 24, .unproven), (-1, true, -31 * 24, 24, .unproven),
        ] as [(Int64?, Bool?, Int64?, Int?, BackupConcern?)])
    func sayWhatIsWrongWithBackups(
        _ backup: Int64?, _ drill: Bool?, _ proven: Int64?, _ hours: Int?, _ concern: BackupConcern?
    ) {
        var status = BackupStatus(in: BackupFolder(path: "/nowhere"))
        status.lastBackupAt = backup.map { Self.now.adding(seconds: $0 * 3600) }
        status.lastDrillSucceeded = drill
        status.lastProvenAt = proven.map { Self.now.adding(seconds: $0 * 3600) }
        #expect(BackupConcern(status, everyHours: hours, at: Self.now) == concern)
    }

    private static let now = UTCInstant(secondsSinceEpoch: 1_795_860_000)
}
