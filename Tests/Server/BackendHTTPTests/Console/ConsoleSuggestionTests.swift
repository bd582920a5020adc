import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct ConsoleSuggestionTests {
    private static let path = "/console/suggestions"

    /// The value of a hidden field of the table's form.
    private func key(_ page: String) throws -> String {
        let parts = page.components(separatedBy: "name=\"idempotency_key\" value=\"")
        return String(try #require(parts.last).prefix { $0 != "\"" })
    }

    @Test func listsWithTallyAndSearch() throws {
        let hostile = "<b>\"Zoé\" & 'x'"
        try ConsoleBrowser.withSuggestions([hostile, "Wordpad Plus", "Other"]) { browser, _, _ in
            let page = try browser.get(Self.path).text
            expect(
                page, contains: ["&lt;b&gt;&quot;Zoé&quot; &amp; &#39;x&#39;", "Wordpad Plus", "3 of 3 shown"],
                lacks: ["<b>\""])
            let found = try browser.get(Self.path + "?status=pending&q=wordpad&sort=-last_seen_at").text
            expect(found, contains: ["Wordpad Plus", "value=\"wordpad\""], lacks: ["Other</bdi>"])
            expect(try browser.get(Self.path + "?status=rejected").text, contains: ["No suggestions here"])
        }
    }

    @Test func rejectsOneAndUndoesIt() throws {
        try ConsoleBrowser.withSuggestions(["Alpha", "Beta"]) { browser, server, ids in
            let key = try key(try browser.get(Self.path).text)
            let form = "idempotency_key=\(key)&list_status=pending&reject=\(ids[0])&ids=\(ids[1])&reason=spam+%26+more"
            let first = try browser.post(Self.path, form)
            let place = try #require(first["Location"])
            #expect(first.status == 303 && place.hasPrefix("\(Self.path)?status=pending&notice=done."))
            let shown = try browser.get(place).text
            expect(shown, contains: ["Rejected: 1.", "role=\"status\" tabindex=\"-1\" data-focus", "Undo: put 1 back"])
            #expect(try server.suggestionStatus(ids[0]) == "rejected")
            #expect(try server.suggestionStatus(ids[1]) == "pending")
            // Sent twice, it is carried out once.
            let audited = { try server.admin(.owner, "GET", "/api/v1/admin/audit").items().strings("action") }
            let count = try audited().count { $0 == "suggestion.reject" }
            #expect(try browser.post(Self.path, form)["Location"] == place)
            let rejections = try audited().count { $0 == "suggestion.reject" }
            #expect(count == 1 && rejections == 1)
            let undo = try #require(shown.components(separatedBy: "name=\"undo\" value=\"").last).prefix { $0 != "\"" }
            let undone = try browser.submit(
                Self.path, "idempotency_key=\(key)-undo&list_status=pending&list_q=a&undo=\(undo)")
            expect(undone.text, contains: ["Put back into the queue: 1.", "value=\"a\""], lacks: ["Undo: put"])
            #expect(try server.suggestionStatus(ids[0]) == "pending")
            let log = try server.admin(.owner, "GET", "/api/v1/admin/audit?limit=2").text
            expect(log, contains: ["spam & more", "Zoë, moderator"])
        }
    }

    /// The notice names what it is about, and a name that an item has is closed, not made an alias.
    @Test func namesWhatWasDecided() throws {
        try ConsoleBrowser.withSuggestions(["Netfix <>", "NETFLIX", "Nеtflix", "test", "Netflix Kitchen"]) {
            browser, server, ids in
            let page = try browser.get(Self.path).text
            // The last one has a letter of another alphabet.
            #expect(page.components(separatedBy: "Already in the catalogue: close").count == 2)
            expect(page, contains: ["Alias of Netflix", "aria-label=\"Look whether Netflix Kitchen is Netflix\""])
            let approved = try browser.submit(
                Self.path, "idempotency_key=k1&list_status=pending&approve=\(ids[0])&reason=")
            expect(approved.text, contains: ["<bdi>Netfix &lt;&gt;</bdi> → <bdi>alias of Netflix</bdi>"])
            let closed = try browser.submit(Self.path, "idempotency_key=k2&list_status=pending&approve=\(ids[1])")
            expect(closed.text, contains: ["<p><bdi>NETFLIX</bdi></p>"], lacks: ["alias of"])
            #expect(try server.suggestionStatus(ids[1]) == "approved")
            #expect(try server.item("netflix").aliases.filter { $0.contains("NETFLIX") }.isEmpty)
        }
    }

    /// The row has the fields that a new item needs; the list names what was added, and undoes it.
    @Test func addsAsNewOnTheRow() throws {
        let name = "Zörblax “Théâtre” & <b>"
        try ConsoleBrowser.withSuggestions([name, "NETFLIX"]) { browser, server, ids in
            let list = try browser.get(Self.path + "?q=z").text
            // What an item is called is closed, not added again.
            let whole = try browser.get(Self.path).text
            #expect(whole.components(separatedBy: "Add as new…").count == 2)
            expect(whole, contains: ["data-key=\"a\"", "data-key=\"n\"", "data-key=\"r\""])
            expect(list, contains: ["\(Self.path)?status=pending&amp;q=z&amp;new=\(ids[0])\""])
            let page = try browser.get("\(Self.path)?status=pending&q=z&new=\(ids[0])", "Accept-Language: fr").text
            expect(
                page,
                contains: [
                    "action=\"\(Self.path)/\(ids[0])/approve\" id=\"new\"", "name=\"back\" value=\"list\"",
                    "<option value=\"music\">Musique</option>", "<option value=\"yearly\">par an</option>",
                    "form=\"new\"", "value=\"Zörblax “Théâtre” &amp; &lt;b&gt;\"", "name=\"list_q\" value=\"z\"",
                ], lacks: ["<b>\""])
            let form = itemForm(
                "idempotency_key=k&list_status=pending&list_q=z&back=list&name=Z%C3%B6rblax&category=streaming"
                    + "&typical_amount=5&currency=EUR&billing_cycle=yearly")
            let path = "\(Self.path)/\(ids[0])/approve"
            let refused = try browser.post(path, form.replacing("typical_amount=5", with: "typical_amount=x"))
            #expect(refused.status == 422 && refused.text.contains("href=\"#f-typical_amount\""))
            let done = try browser.post(path, form)
            let place = try #require(done["Location"])
            #expect(place.hasPrefix("\(Self.path)?status=pending&q=z&notice=done."))
            let shown = try browser.get(place).text
            expect(shown, contains: ["Approved: 1.", "Undo: put 1 back", "what was added to the catalogue"])
            #expect(try server.get("/api/v1/catalogue?q=zorblax").items().strings("billing_cycle") == ["yearly"])
            let undo = try #require(shown.components(separatedBy: "name=\"undo\" value=\"").last).prefix { $0 != "\"" }
            let undone = try browser.submit(Self.path, "idempotency_key=u&list_status=pending&undo=\(undo)")
            expect(undone.text, contains: ["Put back into the queue: 1."])
            #expect(try server.get("/api/v1/catalogue?q=zorblax").items().isEmpty)
        }
    }

    @Test func decidesOnManyAndSaysWhatHappened() throws {
        try ConsoleBrowser.withSuggestions(["Alpha", "Beta"]) { browser, server, ids in
            let form = "idempotency_key=k&action=reject&ids=\(ids[0])&ids=\(ids[1])&ids=\(makeID(77).lowercased)"
            let page = try browser.submit(Self.path, form)
            expect(page.text, contains: ["ejected: 2", "no longer there: 1"])
            for id in ids { #expect(try server.suggestionStatus(id) == "rejected") }
        }
    }

    @Test func explainsWhatItCannotDo() throws {
        try ConsoleBrowser.withSuggestions(["Alpha"]) { browser, server, ids in
            for (form, status, text) in [
                ("idempotency_key=k&action=reject", 422, "Nothing was changed"),
                ("idempotency_key=k&action=explode&ids=\(ids[0])", 422, "Must be one of"),
                ("idempotency_key=k&action=reject&ids=x", 422, "Must be a UUID"),
                ("idempotency_key=k&action=reject&ids=\(ids[0])&ids=\(ids[0])", 422, "Must be given once"),
            ] {
                let page = try browser.post(Self.path, form + "&reason=kept")
                #expect(page.status == status, "\(form)")
                expect(page.text, contains: [text, "value=\"kept\""])
            }
            let page = try browser.post(Self.path, "idempotency_key=a%0D%0Ab&action=reject&ids=\(ids[0])")
            #expect(page.status == 422)
            expect(page.text, contains: ["not one of the console"])
            #expect(try server.suggestionStatus(ids[0]) == "pending")
        }
    }

    // MARK: The page of one suggestion

    @Test func theWayBackLeadsToTheSamePartOfTheList() throws {
        try ConsoleBrowser.withSuggestions(["Alpha", "Beta"]) { browser, _, ids in
            let list = try browser.get("\(Self.path)?status=pending&limit=1").text
            let cursor = try #require(list.components(separatedBy: "cursor=").last).prefix {
                $0.isLetter || $0.isNumber || "-_".contains($0)
            }
            let form = "idempotency_key=k&list_status=pending&list_cursor=\(cursor)&reason="
            let done = try browser.post("\(Self.path)/\(ids[1])/reject", form)
            #expect(
                done["Location"] == "\(Self.path)/\(ids[1])?status=pending&cursor=\(cursor)&notice=rejected")
        }
    }

    @Test func approvesAsAnItemOnce() throws {
        let hostile = "<b>\"Zoé\" & 'x' 😀"
        try ConsoleBrowser.withSuggestions([hostile]) { browser, server, ids in
            expect(
                try browser.get(Self.path + "?q=zo").text,
                contains: ["\(Self.path)/\(ids[0])?status=pending&amp;q=zo\""])
            let page = try browser.get("\(Self.path)/\(ids[0])?status=pending&q=zo").text
            expect(
                page, contains: ["&lt;b&gt;&quot;Zoé&quot;", "value=\"b-zoe-x\"", "name=\"list_q\" value=\"zo\""],
                lacks: ["<b>\""])
            let form = itemForm(
                "idempotency_key=k&list_q=zo&name=Zo%C3%A9&typical_amount=5&currency=EUR&billing_cycle=monthly")
            let refused = try browser.post("\(Self.path)/\(ids[0])/approve", form)
            #expect(refused.status == 422)
            expect(refused.text, contains: ["href=\"#f-category\"", "value=\"Zoé\""])
            let good = form.replacing("category=", with: "category=music")
            for _ in 0..<2 {
                let done = try browser.post("\(Self.path)/\(ids[0])/approve", good)
                #expect(done["Location"] == "\(Self.path)/\(ids[0])?q=zo&notice=approved")
            }
            #expect(try server.suggestionStatus(ids[0]) == "approved")
            #expect(try server.get("/api/v1/catalogue?q=zoe").items().strings("slug") == ["zoe"])
            expect(
                try browser.get("\(Self.path)/\(ids[0])?q=zo&notice=approved").text,
                contains: ["It became this item", "Zoé", "Approved."])
            let reopened = try browser.post("\(Self.path)/\(ids[0])/reopen", "idempotency_key=r")
            #expect(reopened["Location"] == "\(Self.path)/\(ids[0])?notice=reopened")
            #expect(try server.suggestionStatus(ids[0]) == "pending")
        }
    }

    @Test func mergesIntoAnItemAndRejectsWithAReason() throws {
        try ConsoleBrowser.withSuggestions(["Netflx", "Spam <i>"]) { browser, server, ids in
            let netflix = try server.item("netflix").id.lowercased
            let page = try browser.get("\(Self.path)/\(ids[0])?item=spotfy").text
            expect(page, contains: ["value=\"\(netflix)\"", "Add Netflx as an alias of Netflix", "Spotify"])
            let merged = try browser.post("\(Self.path)/\(ids[0])/merge", "idempotency_key=k&merge_into=\(netflix)")
            #expect(merged.status == 303)
            #expect(try server.get("/api/v1/catalogue?q=netflx").items().strings("slug") == ["netflix"])
            let again = try browser.post("\(Self.path)/\(ids[0])/merge", "idempotency_key=l&merge_into=\(netflix)")
            #expect(again.status == 409)
            let rejected = try browser.post(
                "\(Self.path)/\(ids[1])/reject", "idempotency_key=k&reason=not+a+%3Cservice%3E&list_sort=-count")
            #expect(rejected["Location"] == "\(Self.path)/\(ids[1])?sort=-count&notice=rejected")
            #expect(try server.suggestionStatus(ids[1]) == "rejected")
            _ = try browser.post("\(Self.path)/\(ids[1])/reopen", "idempotency_key=r")
            // A reason that was given before is offered.
            expect(
                try browser.get("\(Self.path)/\(ids[1])").text,
                contains: ["<option value=\"not a &lt;service&gt;\">", "Spam &lt;i&gt;"])
            #expect(try browser.get("\(Self.path)/\(makeID(99).lowercased)").status == 404)
        }
    }

    @Test(arguments: Role.builtIn)
    func asksForThePermissionOfItsCall(_ role: Role) throws {
        try ConsoleBrowser.withSuggestions(["Alpha"], role: role) { browser, server, ids in
            let mayModerate = role.allows(.suggestionsModerate)
            let page = try browser.get(Self.path)
            #expect(page.status == (mayModerate ? 200 : 403))
            let form = "idempotency_key=k&action=reject&ids=\(ids[0])"
            #expect(try browser.post(Self.path, form, "Sec-Fetch-Site: cross-site").status == 403)
            #expect(try server.suggestionStatus(ids[0]) == "pending")
            #expect(try browser.post(Self.path, form).status == (mayModerate ? 303 : 403))
            #expect(try server.suggestionStatus(ids[0]) == (mayModerate ? "rejected" : "pending"))
            let other = ConsoleBrowser(server)
            #expect(try other.post(Self.path, form).status == 303)
        }
    }

    @Test(arguments: Role.builtIn)
    func pageAsksForThePermissionOfItsCalls(_ role: Role) throws {
        try ConsoleBrowser.withSuggestions(["Alpha"], role: role) { browser, server, ids in
            let page = "\(Self.path)/\(ids[0])"
            let mayModerate = role.allows(.suggestionsModerate)
            let shown = try browser.get(page)
            #expect(shown.status == (mayModerate ? 200 : 403))
            for action in ["approve", "merge", "reject", "reopen", "undo"] {
                let foreign = try browser.post("\(page)/\(action)", "", "Sec-Fetch-Site: cross-site")
                #expect(foreign.status == 403)
                guard !mayModerate else { continue }
                let refused = try browser.post("\(page)/\(action)", "idempotency_key=k")
                #expect(refused.status == 403)
            }
            let stored = try server.suggestionStatus(ids[0])
            #expect(stored == "pending")
        }
    }
}
