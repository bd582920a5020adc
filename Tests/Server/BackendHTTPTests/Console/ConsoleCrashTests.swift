import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct ConsoleCrashTests {
    private static let path = "/console/crashes"
    private static let hostile = "<b>\"Zoé\" & 'x' 🦊"

    /// A server with a group for each type, and sessions of one release.
    private func withServer(
        _ types: [String] = ["Alpha", "Beta"], role: Role = .owner,
        _ body: (ConsoleBrowser, TestServer, [String]) throws -> Void
    ) throws {
        let server = try TestServer()
        defer { server.end() }
        try report(types, to: server)
        let listed = try server.admin(.owner, "GET", "/api/v1/admin/crashes").items()
        let ids = try types.map { type in
            try #require(listed.first { $0["title"]?.stringValue?.contains(type) ?? false }?["id"]?.stringValue)
        }
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[role]))
        try body(browser, server, ids)
    }

    private func report(_ types: [String], from first: UInt64 = 0, to server: TestServer) throws {
        let crashes = types.enumerated().map { index, type in
            JSONValue.object([
                "id": .string(makeID(first + UInt64(index)).lowercased), "timestamp": .string(server.now),
                "type": .string(type), "app_version": "1.0", "platform": "ios", "os_name": "iOS",
            ])
        }
        let sessions = JSONValue.object([
            "id": .string(makeID(900 + first).lowercased), "started_at": .string(server.now), "app_version": "1.0",
            "total": .number("200"), "crashed": .number("3"),
        ])
        let body = JSONValue.object(["crashes": .array(crashes), "sessions": .array([sessions])])
        let response = try server.post("/api/v1/crashes", String(decoding: body.serialized(), as: UTF8.self))
        #expect(response.status == 202, "\(response.text)")
    }

    private func status(_ server: TestServer, _ id: String) throws -> String? {
        try server.admin(.owner, "GET", "/api/v1/admin/crashes/\(id)").json()["status"]?.stringValue
    }

    /// The value of the last hidden field of a name.
    private func field(_ name: String, _ page: String) throws -> String {
        let parts = page.components(separatedBy: "name=\"\(name)\" value=\"")
        return String(try #require(parts.count > 1 ? parts.last : nil).prefix { $0 != "\"" })
    }

    @Test func listsGroupsWithFiltersInTheAddress() throws {
        try withServer([Self.hostile, "Beta"]) { browser, server, ids in
            let page = try browser.get(Self.path).text
            expect(
                page,
                contains: [
                    "&lt;b&gt;&quot;Zoé&quot; &amp; &#39;x&#39; 🦊", "href=\"/console/crashes/\(ids[0])\"",
                    "2 of 2 shown",
                    "href=\"/console/crashes?status=open&amp;format=csv\"", "1 report",
                ], lacks: ["<b>\""])
            let found = try browser.get(Self.path + "?q=beta&status=all&platform=&release=1.0&sort=-count").text
            expect(
                found, contains: ["Beta", "value=\"beta\"", "value=\"1.0\"", "Clear filters"], lacks: ["Zoé"])
            expect(try browser.get(Self.path + "?release=2.0").text, contains: ["No crash groups here"])
            expect(try browser.get(Self.path + "?status=all&lang=fr", "Accept-Language: fr").text, lacks: ["<b>\""])
            let csv = try browser.get(Self.path + "?format=csv")
            #expect(csv["Content-Type"] == "text/csv; charset=utf-8")
            // With a byte order mark, for Excel.
            #expect(
                try csv.decodedBody() == [0xEF, 0xBB, 0xBF]
                    + server.admin(.owner, "GET", "/api/v1/admin/crashes?format=csv").decodedBody())
            #expect(try browser.get(Self.path + "?sort=x").status == 422)
        }
    }

    @Test func decidesOnManyAndUndoesItExactly() throws {
        try withServer(["Alpha", "Beta", "Gamma"]) { browser, server, ids in
            #expect(try server.admin(.owner, "POST", "/api/v1/admin/crashes/\(ids[1])/ignore").status == 200)
            let form =
                "idempotency_key=k&list_status=all&action=resolve&groups=open.\(ids[0])&groups=ignored.\(ids[1])"
                + "&groups=open.\(makeID(77).lowercased)"
            let place = try #require(try browser.post(Self.path, form)["Location"])
            #expect(place.hasPrefix("\(Self.path)?status=all&notice=done."))
            let page = try browser.get(place).text
            expect(page, contains: ["Resolved: 2, no longer there: 1.", "Undo for 2 groups"])
            #expect(try [status(server, ids[0]), status(server, ids[1])] == ["resolved", "resolved"])
            // Sent twice, it is carried out once and answers the same.
            let audited = try server.admin(.owner, "GET", "/api/v1/admin/audit").items().count
            #expect(try browser.post(Self.path, form)["Location"] == place)
            #expect(try server.admin(.owner, "GET", "/api/v1/admin/audit").items().count == audited)
            // The statuses of the form do not decide what an undo gives back.
            let undo = "idempotency_key=k-undo&undo=\(try field("undo", page))&groups=ignored.\(ids[0])"
            expect(
                try browser.submit(Self.path, undo).text, contains: ["gnored: 1, reopened: 1."], lacks: ["Undo for"])
            #expect(try [status(server, ids[0]), status(server, ids[1])] == ["open", "ignored"])
        }
    }

    /// A page that is out of date must not overwrite what another user decided.
    @Test func leavesGroupsThatSomebodyElseDecidedOnMeanwhile() throws {
        try withServer([Self.hostile, "Beta"]) { browser, server, ids in
            #expect(try server.admin(.owner, "POST", "/api/v1/admin/crashes/\(ids[0])/ignore").status == 200)
            let form = "list_status=open&action=resolve&groups=open.\(ids[0])"
            let both = try browser.submit(Self.path, "idempotency_key=k&\(form)&groups=open.\(ids[1])")
            expect(
                both.text, contains: ["Left as another user decided meanwhile: &lt;b&gt;", "Resolved: 1."],
                lacks: ["<b>\""])
            #expect(try [status(server, ids[0]), status(server, ids[1])] == ["ignored", "resolved"])
            let one = try browser.post(Self.path, "idempotency_key=l&\(form)")
            #expect(one.status == 409)
            expect(one.text, contains: ["Left as another user decided"], lacks: ["Undo", "Resolved: "])
            #expect(try status(server, ids[0]) == "ignored")
        }
    }

    /// Enter on a checkbox presses the first button of a form that is not disabled.
    @Test func theFirstButtonDecidesNothing() throws {
        try withServer(["Alpha"]) { browser, server, ids in
            let page = try browser.get(Self.path).text
            expect(page, contains: ["<button type=\"submit\" hidden></button>"])
            let response = try browser.post(Self.path, "idempotency_key=k&groups=open.\(ids[0])")
            #expect(response.status == 422)
            expect(response.text, contains: ["Nothing was changed: select rows"])
            #expect(try status(server, ids[0]) == "open")
        }
    }

    @Test func deletesOnlyAfterAConfirmationThatSaysWhat() throws {
        try withServer([Self.hostile, "Beta"]) { browser, server, ids in
            let form = "idempotency_key=k&list_status=open&action=delete&groups=open.\(ids[0])"
            let asked = try browser.post(Self.path, form)
            expect(
                asked.text,
                contains: [
                    "Delete 1 crash group?", "This deletes 1 report with", "&lt;b&gt;&quot;Zoé&quot;", "value=\"yes\"",
                ],
                lacks: ["<b>\""])
            #expect(try status(server, ids[0]) == "open")
            expect(
                try browser.submit(Self.path, form + "&confirmed=yes").text, contains: ["Deleted: 1."], lacks: ["Undo"])
            #expect(try server.admin(.owner, "GET", "/api/v1/admin/crashes/\(ids[0])").status == 404)
            let one = "\(Self.path)/\(ids[1])/delete"
            expect(try browser.get(one).text, contains: ["Delete 1 crash group?", "action=\"\(one)\""])
            for _ in 0..<2 {
                let deleted = try browser.post(one, "idempotency_key=k&revision=1")
                #expect(deleted.status == 303 && deleted["Location"] == "/console/crashes?notice=deleted")
            }
            expect(
                try browser.get("/console/crashes?notice=deleted").text, contains: ["Deleted: 1.", "No crash groups"])
        }
    }

    @Test func explainsWhatItCannotDo() throws {
        try withServer { browser, server, ids in
            for (form, text) in [
                ("action=resolve", "Nothing was changed"), ("action=explode&groups=open.\(ids[0])", "Must be one of"),
                ("action=resolve&groups=open.x", "not one of the console"),
                ("action=resolve&groups=open.\(ids[0])&groups=open.\(ids[0])", "Must be given once"),
            ] {
                let page = try browser.post(Self.path, "idempotency_key=k&" + form)
                #expect(page.status == 422, "\(form)")
                expect(page.text, contains: [text])
            }
            #expect(try status(server, ids[0]) == "open")
            #expect(try browser.get("\(Self.path)/\(makeID(9).lowercased)").status == 404)
            #expect(try browser.get("\(Self.path)/\(makeID(9).lowercased)/delete").status == 404)
        }
    }

    /// What the call would refuse is refused before a group is read for it.
    @Test func refusesLongFormsBeforeItReads() throws {
        try withServer { browser, server, ids in
            let fields = (0..<501).map { "&groups=open.\(makeID(UInt64(5000 + $0)).lowercased)" }.joined()
            let again = String(repeating: "&groups=open.\(ids[0])", count: 590)
            for action in ["delete", "resolve"] {
                for (groups, text) in [(again, "Must be given once"), (fields, "1 to 500")] {
                    let page = try browser.post(Self.path, "idempotency_key=k\(action)&action=\(action)\(groups)")
                    #expect(page.status == 422, "\(action)")
                    expect(page.text, contains: [text])
                }
            }
            #expect(try status(server, ids[0]) == "open")
        }
    }

    @Test func showsAGroupAndDecidesOnIt() throws {
        try withServer([Self.hostile]) { browser, server, ids in
            let page = "\(Self.path)/\(ids[0])"
            let shown = try browser.get(page).text
            expect(
                shown,
                contains: [
                    "&lt;b&gt;&quot;Zoé&quot;", "Reports by day", "Stored reports", "Not decided yet.",
                ],
                lacks: ["<b>\""])
            let form = "idempotency_key=\(try field("idempotency_key", shown))&revision=1&former=open"
            for _ in 0..<2 {
                let decided = try browser.post("\(page)/resolve", form)
                #expect(decided.status == 303 && decided["Location"] == "\(page)?notice=decided.open")
            }
            let after = try browser.get("\(page)?notice=decided.open").text
            expect(
                after,
                contains: ["The group is now “Resolved”.", ">Undo</button>", "action=\"\(page)/reopen\"", "Zoë, owner"])
            // The page that another user read before is too old.
            let late = try browser.post("\(page)/ignore", "idempotency_key=other&revision=1&former=open")
            #expect(late.status == 412)
            expect(late.text, contains: ["meanwhile, the group became “Resolved”"])
            #expect(try status(server, ids[0]) == "resolved")
            #expect(try browser.post("\(page)/reopen", "idempotency_key=u&revision=2&former=resolved").status == 303)
            #expect(try status(server, ids[0]) == "open")
        }
    }

    @Test func showsTheRateAndDeletesReleases() throws {
        try withServer { browser, server, _ in
            let page = try browser.get("\(Self.path)/releases?days=30").text
            expect(
                page,
                contains: [
                    "98.5%", "class=\"marker\"", ">1.0</text>", "<bdi>1.0</bdi>", "The axis begins at 98.5%.",
                    "value=\"1.0\"",
                ])
            let form = "idempotency_key=k&days=30&releases=1.0"
            expect(
                try browser.post("\(Self.path)/releases", form).text,
                contains: ["Delete 1 release?", "Sessions: 200, 2 reports"])
            #expect(try browser.post("\(Self.path)/releases", "idempotency_key=k&days=30").status == 422)
            expect(
                try browser.submit("\(Self.path)/releases", form + "&confirmed=yes").text,
                contains: ["Releases deleted: 1.0."])
            #expect(
                try server.admin(.owner, "GET", "/api/v1/admin/crashes/releases").items().strings("release") == [
                    "(other)"
                ])
        }
    }

    /// At ten in the morning of 20 November UTC, the 21st begins there.
    @Test func ratesAndReleasesAreOfTheDaysOfTheZone() throws {
        try withBrowser(.owner, settings: ["reports_time_zone": "Pacific/Kiritimati"]) { browser, server in
            try server.waitForZone("Pacific/Kiritimati")
            try report(["Alpha"], to: server)
            let page = try browser.get("\(Self.path)/releases?days=30").text
            expect(
                page,
                contains: [
                    "from 23 Oct 2026 to 21 Nov 2026: lowest 98.5%", "class=\"marker\"",
                    "title=\"20 Nov 2026, 10:00 UTC\">21 Nov 2026</time>",
                    "Days begin at midnight in Pacific/Kiritimati.", "to=2026-11-21",
                ])
        }
    }

    @Test(arguments: Role.builtIn)
    func asksForThePermissionOfItsCalls(_ role: Role) throws {
        try withServer(role: role) { browser, server, ids in
            let (mayRead, mayDecide) = (role.allows(.metricsRead), role.allows(.crashesWrite))
            for page in [Self.path, "\(Self.path)/\(ids[0])", "\(Self.path)/releases"] {
                let response = try browser.get(page)
                #expect(response.status == (mayRead ? 200 : 403), "\(page)")
                if mayRead { #expect(response.text.contains("idempotency_key") == mayDecide, "\(page)") }
            }
            #expect(try browser.get("\(Self.path)/\(ids[0])/delete").status == (mayDecide ? 200 : 403))
            #expect(try browser.get("/console").text.contains("href=\"\(Self.path)\"") == mayRead)
            for (target, form) in [
                (Self.path, "idempotency_key=a&action=resolve&groups=open.\(ids[1])"),
                ("\(Self.path)/\(ids[0])/ignore", "idempotency_key=b&revision=1&former=open"),
                ("\(Self.path)/\(ids[0])/delete", "idempotency_key=c&revision=2"),
                ("\(Self.path)/releases", "idempotency_key=d&days=90&confirmed=yes&releases=1.0"),
            ] {
                #expect(try browser.post(target, form, "Sec-Fetch-Site: cross-site").status == 403, "\(target)")
                let status = try browser.post(target, form).status
                #expect(mayDecide ? [200, 303].contains(status) : status == 403, "\(target)")
            }
        }
    }
}
