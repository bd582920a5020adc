import Backend
import Console
import Foundation
import SubGuardDomain
import TestKit
import Testing

/// What needs a user is the first thing on the first page.
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
