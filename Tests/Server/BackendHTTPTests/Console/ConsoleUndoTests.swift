import BackendHTTP
import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Undoing suggestions takes back what their approval added; deleting them asks first.
@Suite struct ConsoleUndoTests {
    private static let path = "/console/suggestions"

    private func aliases(_ server: TestServer) throws -> [String] {
        let id = try server.item("netflix").id.lowercased
        return try server.get("/api/v1/catalogue/\(id)").json()["aliases"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    private func undo(_ page: String) throws -> String {
        String(
            try #require(page.components(separatedBy: "name=\"undo\" value=\"").dropFirst().first).prefix { $0 != "\"" }
        )
    }

    @Test func takesBackTheAliasOfAnApproval() throws {
        try ConsoleBrowser.withSuggestions(["Netfix", "Other"]) { browser, server, ids in
            let before = try aliases(server)
            let page = try browser.submit(Self.path, "idempotency_key=k&list_q=n&approve=\(ids[0])")
            expect(page.text, contains: ["Approved: 1.", "This also removes what was added", "value=\"n\""])
            #expect(try aliases(server) == before + ["Netfix"])
            let undone = try browser.submit(Self.path, "idempotency_key=u&undo=\(try undo(page.text))")
            expect(undone.text, contains: ["Put back into the queue: 1."])
            #expect(try aliases(server) == before)
            #expect(try server.suggestionStatus(ids[0]) == "pending")
            // What is no longer kept cannot be undone.
            let late = try browser.post(Self.path, "idempotency_key=v&undo=0123")
            #expect(late.status == 409)
            expect(late.text, contains: ["This can no longer be undone here"])
        }
    }

    /// Servers that share a database undo what another one decided, and answer its form again.
    @Test func undoesWhatAnotherServerDecided() throws {
        try ConsoleBrowser.withSuggestions(["Netfix", "Other"], role: .owner) { browser, server, ids in
            try server.withNeighbour { port in
                let form = "idempotency_key=k&action=reject&ids=\(ids[0])&ids=\(ids[1])"
                let place = try #require(try browser.post(Self.path, form)["Location"])
                browser.port = port
                #expect(try browser.post(Self.path, form)["Location"] == place)
                let page = try browser.get(place).text
                expect(page, contains: ["Rejected: 2."])
                let undone = try browser.submit(Self.path, "idempotency_key=u&undo=\(try undo(page))")
                expect(undone.text, contains: ["Put back into the queue: 2."])
                #expect(try server.suggestionStatus(ids[0]) == "pending")
                // Only for an hour, and for the session that decided.
                let other = ConsoleBrowser(server)
                try other.signIn(try #require(server.tokens[.owner]))
                expect(try other.get(place).text, contains: ["Rejected: 2."], lacks: ["name=\"undo\""])
                server.clock.advance(by: .seconds(3601))
                expect(try browser.get(place).text, contains: ["Rejected: 2."], lacks: ["name=\"undo\""])
                _ = try browser.post("/console/logout")
                let sessions = ConsoleSessionStore(context: server.outside.context)
                #expect(try sessions.purge() == 0, "they have ended with the session")
            }
        }
    }

    @Test func takesBackTheItemOfAnApprovalUnlessItWasChanged() throws {
        try ConsoleBrowser.withSuggestions(["Fresh", "Kept"]) { browser, server, ids in
            func undo(_ id: String, _ key: String) throws -> String {
                let page = try browser.get("\(Self.path)/\(id)?notice=approved").text
                let field = try #require(page.components(separatedBy: "name=\"decided_at\" value=\"").dropFirst().first)
                return "idempotency_key=\(key)&decided_at=\(field.prefix { $0 != "\"" })"
            }
            func approve(_ id: String, _ slug: String) throws -> String {
                let form = itemForm(
                    "idempotency_key=k&name=\(slug)&slug=\(slug)&category=music&typical_amount=5&currency=EUR"
                        + "&billing_cycle=monthly")
                let page = try browser.submit("\(Self.path)/\(id)/approve", form)
                expect(page.text, contains: ["action=\"\(Self.path)/\(id)/undo\""])
                let found = try server.get("/api/v1/catalogue?q=\(slug)").items()
                return try #require(found.first { $0["slug"]?.stringValue == slug }?["id"]?.stringValue)
            }
            let fresh = try approve(ids[0], "fresh")
            let undone = try browser.submit("\(Self.path)/\(ids[0])/undo", try undo(ids[0], "u"))
            expect(undone.text, contains: ["what the approval added to the catalogue is removed"])
            #expect(try server.get("/api/v1/catalogue/\(fresh)").status == 404)
            #expect(try server.suggestionStatus(ids[0]) == "pending")
            let kept = try approve(ids[1], "kept")
            try server.admin(.owner, "PATCH", "/api/v1/admin/catalogue/\(kept)", json: #"{"typical_amount":"7.00"}"#)
            let refused = try browser.post("\(Self.path)/\(ids[1])/undo", try undo(ids[1], "u"))
            #expect(refused.status == 409)
            expect(refused.text, contains: ["The item was changed since, so it is not deleted"])
            #expect(try server.suggestionStatus(ids[1]) == "approved")
        }
    }

    @Test func saysThatANameWasRejectedBefore() throws {
        try ConsoleBrowser.withSuggestions(["Alpha"]) { browser, server, ids in
            let form = "action=reject&ids=\(ids[0])"
            expect(try browser.submit(Self.path, "idempotency_key=a&\(form)").text, contains: ["Rejected: 1."])
            expect(
                try browser.submit(Self.path, "idempotency_key=b&\(form)").text,
                contains: ["Already decided: 1.", "notice warn"], lacks: ["Rejected: 1", "Undo: put"])
        }
    }

    /// A page that is out of date takes back only what it had decided itself.
    @Test func leavesWhatSomebodyElseDecidedSince() throws {
        try ConsoleBrowser.withSuggestions(["Alpha", "Beta"]) { browser, server, ids in
            let page = try browser.submit(Self.path, "idempotency_key=k&action=reject&ids=\(ids[0])&ids=\(ids[1])")
            let undo = try undo(page.text)
            let admin = "/api/v1/admin/suggestions/\(ids[0])"
            #expect(try server.admin(.owner, "POST", "\(admin)/reopen").status == 200)
            server.clock.advance(by: .seconds(60))
            #expect(try server.admin(.owner, "POST", "\(admin)/reject").status == 200)
            expect(
                try browser.submit(Self.path, "idempotency_key=u&undo=\(undo)").text,
                contains: ["Put back into the queue: 1, already decided: 1."])
            #expect(try [server.suggestionStatus(ids[0]), server.suggestionStatus(ids[1])] == ["rejected", "pending"])
        }
    }

    @Test func asksBeforeItDeletes() throws {
        try ConsoleBrowser.withSuggestions(["A <b>", "Beta"]) { browser, server, ids in
            let form = "idempotency_key=k&list_sort=-last_seen_at&action=delete&ids=\(ids[0])&reason=spam"
            let asked = try browser.post(Self.path, form)
            expect(
                asked.text,
                contains: [
                    "Delete 1 suggestion?", "A &lt;b&gt;", "name=\"confirmed\" value=\"yes\"", "value=\"spam\"",
                ],
                lacks: ["<b>", "Beta"])
            #expect(try server.suggestionStatus(ids[0]) == "pending")
            let done = try browser.post(Self.path, form + "&confirmed=yes")
            #expect(done["Location"]?.hasPrefix("\(Self.path)?sort=-last_seen_at&notice=done.") == true)
            expect(try browser.follow(done).text, contains: ["Deleted: 1."], lacks: ["Undo: put"])
            #expect(try server.suggestionStatus(ids[0]) == nil)
        }
    }

    @Test func downloadsWhatIsFiltered() throws {
        try ConsoleBrowser.withSuggestions(["=Alpha", "Beta"]) { browser, _, _ in
            let file = try browser.get(Self.path + "?status=all&q=alpha&format=csv")
            #expect(file["Content-Disposition"] == "attachment; filename=\"suggestions.csv\"")
            expect(file.text, contains: ["id,name,status", "'=Alpha"], lacks: ["Beta"])
            expect(
                try browser.get(Self.path + "?q=alpha").text, contains: ["?status=pending&amp;q=alpha&amp;format=csv"])
        }
    }
}
