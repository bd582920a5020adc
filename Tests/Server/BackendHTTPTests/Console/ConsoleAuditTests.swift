import BackendHTTP
import Foundation
import JSONWire
import Operations
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// The audit log and the pages of operations in the console.
@Suite struct ConsoleAuditTests {
    @Test func listsFiltersAndLinksRows() throws {
        try withBrowser(.owner) { browser, server in
            let item = try server.item("netflix")
            let name = "<b>\"Nétflix\" & 'x' 🦊"
            let json = JSONValue.object(JSONObject([("name", .string(name))]))
            let changed = try server.admin(
                .editor, "PATCH", "/api/v1/admin/catalogue/\(item.id.lowercased)",
                json: String(decoding: json.serialized(), as: UTF8.self), "If-Match: \"r\(item.revision)\"")
            #expect(changed.status == 200, "\(changed.text)")
            let page = try browser.get("/console/audit?action=catalogue.update").text
            expect(
                page, contains: ["Item changed", "Zoë, editor", "&lt;b&gt;&quot;Nétflix", "1 shown"],
                lacks: ["<b>\"", "Token created</a>"])
            let row = try #require(page.components(separatedBy: "href=\"/console/audit/").dropFirst().first)
            let sequence = row.prefix { $0 != "\"" }
            let one = try browser.get("/console/audit/\(sequence)").text
            expect(
                one,
                contains: ["<code>name</code>", "Netflix", "&lt;b&gt;&quot;Nétflix", ">changed<", item.id.lowercased],
                lacks: ["<b>\""])

            for (query, isThere) in [
                ("actor=Zo%C3%AB", true), ("actor=nobody", false), ("subject_id=\(item.id.lowercased)", true),
                ("from=2026-11-20&to=2026-11-20&action=catalogue.update", true), ("to=2026-11-19", false),
            ] {
                #expect(
                    try browser.get("/console/audit?\(query)").text.contains("Item changed</a>") == isThere, "\(query)")
                let api = try server.admin(.owner, "GET", "/api/v1/admin/audit?\(query)").items()
                #expect(api.contains { $0["action"]?.stringValue == "catalogue.update" } == isThere, "\(query)")
            }
            for (path, status) in [
                ("/console/audit?action=x", 422), ("/console/audit?from=2026-11-20&to=2026-11-19", 422),
                ("/console/audit/999999", 404), ("/console/audit/x", 404), ("/console/audit?limit=2", 200),
            ] {
                #expect(try browser.get(path).status == status, "\(path)")
            }
            let csv = try browser.get("/console/audit?action=catalogue.update&format=csv")
            #expect(csv["Content-Type"]?.hasPrefix("text/csv") == true)
            #expect(
                csv.body
                    == [0xEF, 0xBB, 0xBF]
                    + (try server.admin(.owner, "GET", "/api/v1/admin/audit?action=catalogue.update&format=csv").body))
        }
    }

    @Test func pagesThroughTheRows() throws {
        try withBrowser(.owner) { browser, server in
            let first = try browser.get("/console/audit?limit=3").text
            let next = try #require(first.components(separatedBy: "rel=\"next\" href=\"").dropFirst().first)
            let link = String(next.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
            #expect(link.contains("limit=3"))
            let second = try browser.get(link).text
            expect(second, contains: ["3 shown", ">Newest<"])
            #expect(
                first.components(separatedBy: "href=\"/console/audit/")[1]
                    != second.components(separatedBy: "href=\"/console/audit/")[1])
        }
    }

    @Test func verifiesTheChainOnRequest() throws {
        try withBrowser(.owner) { browser, server in
            expect(try browser.get("/console/audit").text, lacks: ["chain is intact"])
            let page = try browser.get("/console/audit?verify=1")
            let count = try AuditLog(context: server.outside.context).verify().count
            expect(page.text, contains: ["The chain is intact: \(count) rows verified."])
            #expect(try browser.get("/console/audit?verify=1", "Sec-Fetch-Site: cross-site").status == 403)
            #expect(try browser.get("/console/audit?verify=1", "Sec-Fetch-Site: same-origin").status == 200)
        }
    }

    // MARK: Operations

    @Test func showsTheStateOfTheServer() throws {
        try withBrowser(.owner, settings: ["metrics_token": "very-secret-metrics-token-123456789"]) { browser, server in
            let page = try browser.get("/console/operations").text
            expect(
                page, contains: ["The server is ready.", "Applied migrations", "Pending migrations"], lacks: ["failing"]
            )
            let settings = try browser.get("/console/operations/configuration").text
            expect(
                settings, contains: ["<code>metrics_<wbr>token</code>", "<code>***</code>", "flag", "default"],
                lacks: ["very-secret"])
            let set = try browser.get("/console/operations/configuration?show=set").text
            expect(set, contains: ["metrics_<wbr>token"], lacks: ["<code>catalogue_<wbr>tombstone_<wbr>days</code>"])
            expect(
                try browser.get("/console/operations/privacy").text,
                contains: ["<code>console_<wbr>sessions</code>", "Never stored", "/api/v1/privacy"])
        }
    }

    @Test(.enabled(if: TestDatabase.chosen == .sqlite)) func backsUpAndVerifies() throws {
        try withBrowser(.owner) { browser, server in
            expect(try browser.get("/console/operations").text, contains: ["No backups yet"])
            for _ in 0..<2 {
                let made = try browser.post("/console/operations", "work=backup&idempotency_key=k-backup")
                #expect(made.status == 303 && made["Location"] == "/console/operations")
            }
            #expect(try eventually { try browser.get("/console/operations").text.contains("is complete.") })
            #expect(server.outside.backups.newest(5, at: server.outside.context.now()).count == 1)
            _ = try browser.post("/console/operations", "work=drill&idempotency_key=k-drill")
            #expect(try eventually { try browser.get("/console/operations").text.contains("restored and verified") })
            expect(try browser.get("/console/operations").text, contains: ["subguard-2026", ">verified<"])
            #expect(try browser.post("/console/operations", "work=x").status == 422)
            let audit = try server.admin(.owner, "GET", "/api/v1/admin/audit?limit=2").items().strings("action")
            #expect(audit == ["store.drill", "store.backup"])
        }
    }

    @Test(.enabled(if: TestDatabase.chosen == .sqlite)) func downloadsABackupAsOneFile() throws {
        try withBrowser(.owner) { browser, server in
            _ = try browser.post("/console/operations", "work=backup&idempotency_key=k-backup")
            #expect(try eventually { try browser.get("/console/operations").text.contains("is complete.") })
            let backups = server.outside.backups
            let listed = try #require(backups.newest(1, at: server.outside.context.now()).first)
            let form = "download=\(listed.name)"
            expect(
                try browser.get("/console/operations").text,
                contains: ["name=\"download\" value=\"\(listed.name)\"", "aria-label=\"Download \(listed.name)\""])
            for name in ["subguard-x", "..", "subguard-..%2F..", "%2Fetc"] {
                #expect(try browser.post("/console/operations/backups", "download=\(name)").status == 404)
            }
            let archive = try browser.post("/console/operations/backups", form)
            #expect(archive.status == 200 && archive["Content-Type"] == "application/x-tar")
            #expect(archive["Content-Disposition"] == "attachment; filename=\"\(listed.name).tar\"")
            #expect(archive["Cache-Control"] == "no-store")
            let folder = try TemporaryFolder()
            try Data(try archive.decodedBody()).write(to: folder.url.appending(path: "a.tar"))
            let tar = Process()
            tar.executableURL = URL(filePath: "/bin/tar")
            tar.arguments = ["-xf", folder.file("a.tar"), "-C", folder.path]
            try tar.run()
            tar.waitUntilExit()
            #expect(tar.terminationStatus == 0)
            for file in ["manifest.json", "store.sqlite"] {
                #expect(
                    try Data(contentsOf: folder.url.appending(path: "\(listed.name)/\(file)"))
                        == Data(contentsOf: URL(filePath: backups.path).appending(path: "\(listed.name)/\(file)")))
            }
            let audit = try server.admin(.owner, "GET", "/api/v1/admin/audit?limit=1").items().strings("action")
            #expect(audit == ["store.download"])
            // It holds everything, so the token is asked for again after a while.
            server.clock.advance(by: .seconds(16 * 60))
            let asked = try browser.post("/console/operations/backups", form)
            #expect(asked.status == 403)
            expect(asked.text, contains: ["name=\"confirm_token\"", "value=\"\(listed.name)\""])
            let token = try #require(server.tokens[.owner])
            #expect(try browser.post("/console/operations/backups", "\(form)&confirm_token=\(token)").status == 200)
        }
    }

    // MARK: Search

    @Test func findsWhatTheRoleMaySee() throws {
        try withBrowser(.owner) { browser, server in
            let hostile = JSONValue.object(
                JSONObject([("id", .string(makeID(1).lowercased)), ("name", .string("Netflix <b>"))]))
            let text = String(decoding: hostile.serialized(), as: UTF8.self)
            #expect(try server.post("/api/v1/suggestions", text).status < 300)
            let item = try server.item("netflix").id.lowercased
            let page = try browser.get("/console/search?q=Netflix").text
            expect(page, contains: ["/console/catalogue/\(item)", "Netflix &lt;b&gt;"], lacks: ["<b>"])
            expect(try browser.get("/console/search?q=\(item)").text, contains: ["/console/audit?subject_id=\(item)"])
            expect(try browser.get("/console/search?q=nothing+at+all").text, contains: ["Nothing found"])
            expect(try browser.get("/console/search").text, lacks: ["Nothing found"])
            let analyst = ConsoleBrowser(server)
            try analyst.signIn(try #require(server.tokens[.analyst]))
            expect(try analyst.get("/console/search?q=Netflix").text, contains: ["Nothing found"], lacks: [item])
        }
    }

    /// The rows have no names of suggestions; the page shows those that still exist.
    @Test func namesSuggestionsUntilTheyAreDeleted() throws {
        try withBrowser(.owner) { browser, server in
            let body = #"{"id":"\#(makeID(1).lowercased)","name":"Zoe Vanderbeek’s lessons"}"#
            #expect(try server.post("/api/v1/suggestions", body).status < 300)
            let listed = try server.admin(.owner, "GET", "/api/v1/admin/suggestions").items()
            let id = try #require(listed.strings("id").first)
            func decide(_ action: String) throws {
                let json = #"{"ids":["\#(id)"],"action":"\#(action)"}"#
                #expect(try server.admin(.owner, "POST", "/api/v1/admin/suggestions/bulk", json: json).status == 200)
            }
            try decide("reject")
            let row = try #require(
                try server.admin(.owner, "GET", "/api/v1/admin/audit?action=suggestion.reject").items().first)
            #expect(row["subject_id"]?.stringValue == id && row["after"]?["name"] == nil)
            let sequence = try #require(row["sequence"]?.integerValue)
            let paths = ["/console/audit", "/console/audit/\(sequence)"]
            for path in paths { expect(try browser.get(path).text, contains: ["Zoe Vanderbeek’s lessons"]) }
            try decide("delete")
            for path in paths { expect(try browser.get(path).text, contains: [String(id.suffix(12))], lacks: ["Zoe"]) }
        }
    }

    /// The rows of an import are one in the list; the filter shows each.
    @Test func joinsTheRowsOfAnImport() throws {
        let server = try TestServer()
        defer { server.end() }
        func importing(_ names: [String]) throws {
            let items = names.map { name in
                #"{"name": "\#(name) “é”", "slug": "joined-\#(name)", "category": "music", "#
                    + #""typical_amount": "5.00", "currency": "EUR", "billing_cycle": "monthly"}"#
            }
            let file = "[\(items.joined(separator: ","))]"
            #expect(try server.admin(.owner, "POST", "/api/v1/admin/catalogue/import", json: file).status == 200)
        }
        try importing(["a", "b", "c"])
        try importing(["d"])
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[.owner]))
        let page = try browser.get("/console/audit").text
        expect(page, contains: [">3 items</a>", "d “é”</bdi>"], lacks: ["a “é”</bdi>", "c “é”</bdi>"])
        let all = try browser.get("/console/audit?action=catalogue.import").text
        expect(all, contains: ["a “é”</bdi>", "b “é”</bdi>", "c “é”</bdi>", "d “é”</bdi>"], lacks: [">3 items"])
        // Pages split between imports, never within one.
        let first = try browser.get("/console/audit?limit=1").text
        expect(first, contains: ["rel=\"next\""])
    }
}
