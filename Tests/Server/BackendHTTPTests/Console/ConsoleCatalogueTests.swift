import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct ConsoleCatalogueTests {
    static let path = "/console/catalogue"
    static let hostile = "<b>\"Zoé\" & 'x' 😀"
    static let escaped = "&lt;b&gt;&quot;Zoé&quot; &amp; &#39;x&#39; 😀"

    func id(_ server: TestServer, _ slug: String) throws -> String { try server.item(slug).id.lowercased }

    func stored(_ server: TestServer, _ id: String) throws -> JSONValue {
        try server.admin(.owner, "GET", "/api/v1/admin/catalogue/\(id)").json()
    }

    /// The value of the last hidden field of a name.
    func hidden(_ name: String, _ page: RawResponse) throws -> String {
        let parts = page.text.components(separatedBy: "name=\"\(name)\" value=\"")
        try #require(parts.count > 1, "\(name)")
        return String(try #require(parts.last).prefix { $0 != "\"" })
    }

    func hidden(_ name: String, in text: String) throws -> String {
        let parts = text.components(separatedBy: "name=\"\(name)\" value=\"")
        return String(try #require(parts.dropFirst().first).prefix { $0 != "\"" })
    }

    func form(_ fields: [(String, String)]) -> String {
        let free = CharacterSet.alphanumerics
        return fields.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: free) ?? "")"
        }.joined(separator: "&")
    }

    private func edit(_ revision: String, _ more: [(String, String)] = []) -> String {
        var fields = [
            ("revision", revision), ("name", "Netflix"), ("slug", "netflix"), ("category", "streaming"),
            ("typical_amount", "13.49"), ("currency", "EUR"), ("billing_cycle", "monthly"),
            ("aliases", "Netflix Premium"), ("list_q", "netfix"),
        ]
        for (name, value) in more { fields.removeAll { $0.0 == name }; fields.append((name, value)) }
        return itemForm(form(fields))
    }

    // MARK: List

    @Test func listsSearchesAndFilters() throws {
        try withBrowser(.editor) { browser, server in
            let netflix = try id(server, "netflix")
            let list = try browser.get(Self.path).text
            expect(
                list,
                contains: [
                    "href=\"/console/catalogue/\(netflix)\"", "8 of 8 items shown", "Ciné+ “OCS” 🎬", "Streaming (",
                    "href=\"/console/catalogue/new\"", "<svg class=\"letters\"",
                ])
            // A first search by the form finds the best matches, as its order is not chosen.
            expect(list, contains: ["<option value=\"\" selected>Name, A to Z</option>"])
            let typed = try browser.get(Self.path + "?q=netfix&category=&sort=").text
            expect(typed, contains: ["1 match, also with a typo", "<option value=\"name\">Name, A to Z</option>"])
            // One typo is forgiven; the link to an item keeps the search.
            let found = try browser.get(Self.path + "?q=netfix").text
            expect(
                found, contains: ["/console/catalogue/\(netflix)?q=netfix\"", "1 match, also with a typo"],
                lacks: ["Spotify</bdi>"])
            expect(try browser.get(Self.path + "?q=netfix&sort=name").text, contains: ["No item matches"])
            let press = try browser.get(Self.path + "?category=press&limit=1&sort=slug").text
            expect(press, contains: ["1 of 2 items shown", "rel=\"next\"", "L&#39;Équipe"], lacks: ["Le Monde</bdi>"])
            expect(try browser.get(Self.path + "?has_logo=true").text, contains: ["No item matches"])
            #expect(try browser.get(Self.path + "?x=1").status == 422)
            let file = try browser.get(Self.path + "?category=press&format=csv")
            #expect(file["Content-Disposition"] == "attachment; filename=\"catalogue.csv\"")
            expect(file.text, contains: ["name,slug,category", "le-monde", "l-equipe"], lacks: ["netflix"])
            let all = try browser.get(Self.path + "/export?format=json")
            #expect(try all.json()["items"]?.arrayValue?.count == 8)
        }
    }

    // MARK: Edit

    @Test func editsOnceHoweverOftenTheFormIsSent() throws {
        try withBrowser(.editor) { browser, server in
            let netflix = try id(server, "netflix")
            let page = try browser.get("\(Self.path)/\(netflix)?q=netfix")
            let body = edit(
                try hidden("revision", page),
                [("typical_amount", "15,99"), ("aliases", "A\r\n\(Self.hostile)"), ("notice_days", "30")])
            for _ in 0..<2 {
                let saved = try browser.post("\(Self.path)/\(netflix)", body)
                #expect(saved.status == 303)
                #expect(saved["Location"] == "/console/catalogue/\(netflix)?q=netfix&notice=saved")
            }
            let item = try stored(server, netflix)
            #expect(item["typical_amount"]?.stringValue == "15.99" && item["notice_days"]?.integerValue == 30)
            #expect(item["aliases"]?.arrayValue?.compactMap(\.stringValue) == ["A", Self.hostile])
            let shown = try browser.get("\(Self.path)/\(netflix)?notice=saved").text
            expect(shown, contains: ["Saved.", Self.escaped, "<del>13.49</del>", "<ins>15.99</ins>"], lacks: ["<b>\""])
            let audit = try server.admin(.owner, "GET", "/api/v1/admin/audit").items()
            #expect(audit.strings("action").count { $0 == "catalogue.update" } == 1)
        }
    }

    @Test func keepsWhatWasTypedAndNamesTheFaults() throws {
        try withBrowser(.editor) { browser, server in
            let netflix = try id(server, "netflix")
            let revision = try hidden("revision", try browser.get("\(Self.path)/\(netflix)"))
            let refused = try browser.post(
                "\(Self.path)/\(netflix)",
                edit(
                    revision,
                    [
                        ("name", ""), ("notice_days", "ten"), ("website", "http://x"), ("category", Self.hostile),
                        ("aliases", "B\r\nB"), ("billing_cycle", "every:0m"),
                    ]))
            #expect(refused.status == 422)
            expect(
                refused.text,
                contains: [
                    "role=\"alert\"", "href=\"#f-name\"", "href=\"#f-aliases\"", "Line 2: Must be given once.",
                    "value=\"ten\"", "value=\"http://x\"", "value=\"\(Self.escaped)\"", "value=\"every:0m\"",
                    "Must be a whole number.",
                ])
            let taken = try browser.post("\(Self.path)/\(netflix)", edit(revision, [("slug", "spotify")]))
            #expect(taken.status == 409)
            expect(taken.text, contains: ["href=\"#f-slug\"", "Another item has this slug."])
            #expect(try stored(server, netflix)["name"]?.stringValue == "Netflix")
            #expect(try browser.post("\(Self.path)/\(netflix)", edit("x\"y")).status == 422)
        }
    }

    @Test func showsBothVersionsAfterALostRace() throws {
        try withBrowser(.editor) { browser, server in
            let netflix = try id(server, "netflix")
            let revision = try hidden("revision", try browser.get("\(Self.path)/\(netflix)"))
            let other = try server.admin(
                .owner, "PATCH", "/api/v1/admin/catalogue/\(netflix)", json: #"{"category":"video","notice_days":7}"#)
            #expect(other.status == 200)
            let lost = try browser.post("\(Self.path)/\(netflix)", edit(revision, [("name", "Netflix & co")]))
            #expect(lost.status == 412)
            expect(
                lost.text,
                contains: [
                    "Another user saved first", "name=\"name\" value=\"Netflix &amp; co\" checked",
                    // Only the other one changed the category.
                    "name=\"category\" value=\"video\" checked", "name=\"notice_days\" value=\"7\" checked",
                    "type=\"hidden\" name=\"slug\" value=\"netflix\"",
                ])
            let chosen = edit(
                try hidden("revision", lost), [("name", "Netflix & co"), ("category", "video"), ("notice_days", "7")])
            #expect(try browser.post("\(Self.path)/\(netflix)", chosen).status == 303)
            let item = try stored(server, netflix)
            #expect(item["name"]?.stringValue == "Netflix & co" && item["category"]?.stringValue == "video")
        }
    }

    @Test func createsOnce() throws {
        try withBrowser(.editor) { browser, server in
            let key = try hidden("idempotency_key", try browser.get(Self.path + "/new"))
            let fields = [
                ("idempotency_key", key), ("name", Self.hostile), ("slug", "new-one"), ("category", "music"),
                ("typical_amount", "5"), ("currency", "EUR"), ("billing_cycle", "yearly"),
            ]
            let sent = itemForm(form(fields))
            let created = try browser.post(Self.path + "/new", sent)
            #expect(created.status == 303)
            let place = try #require(created["Location"])
            #expect(try browser.post(Self.path + "/new", sent)["Location"] == place)
            expect(try browser.get(place).text, contains: ["The item was added.", Self.escaped], lacks: ["<b>\""])
            let other = try browser.post(
                Self.path + "/new", itemForm(form(fields.map { ($0.0, $0.0 == "idempotency_key" ? "k" : $0.1) })))
            #expect(other.status == 409)
            expect(other.text, contains: ["Another item has this slug.", "value=\"\(Self.escaped)\""])
        }
    }

    /// The words are those of the language, the values those of the API, and a word that is not listed can be typed.
    @Test func choosesOrTypesACategoryAndACycle() throws {
        try withBrowser(.editor) { browser, server in
            let netflix = try id(server, "netflix")
            let page = "\(Self.path)/\(netflix)"
            let shown = try browser.get(page, "Accept-Language: fr").text
            expect(
                shown,
                contains: [
                    "<select id=\"f-category\"", "<option value=\"streaming\" selected>Streaming</option>",
                    "<option value=\"music\">Musique</option>",
                    "<option value=\"monthly\" selected>par mois</option>",
                    "<option value=\"yearly\">par an</option>", "<option value=\"+\">Autre…</option>",
                    "name=\"category_other\" value=\"\" aria-label=\"Autre catégorie\"",
                ])
            let typed = [
                ("category", "+"), ("category_other", "board_games"), ("billing_cycle", "+"),
                ("billing_cycle_other", "every:18m"),
            ]
            #expect(try browser.post(page, edit(try hidden("revision", in: shown), typed)).status == 303)
            let item = try stored(server, netflix)
            #expect(item["category"]?.stringValue == "board_games")
            #expect(item["billing_cycle"]?.stringValue == "every:18m")
            let again = try browser.get(page).text
            expect(
                again,
                contains: [
                    // The catalogue has it now.
                    "<option value=\"board_games\" selected>board_games</option>",
                    "name=\"billing_cycle_other\" value=\"every:18m\"",
                    "<option value=\"+\" selected>Another…</option>", "every 18 months</ins>",
                ])
            // What was typed before another option was chosen does not count.
            let chosen = [("category", "music"), ("category_other", "x"), ("billing_cycle_other", "every:0d")]
            #expect(try browser.post(page, edit(try hidden("revision", in: again), chosen)).status == 303)
            #expect(try stored(server, netflix)["category"]?.stringValue == "music")
            // Nothing typed, or a word that the API refuses.
            for (text, fault) in [("", "value=\"\" selected>–"), ("Böard games", "value=\"Böard games\"")] {
                let wrong = [("category", "+"), ("category_other", text)]
                let refused = try browser.post(page, edit(try hidden("revision", browser.get(page)), wrong))
                #expect(refused.status == 422)
                expect(refused.text, contains: ["href=\"#f-category\"", fault])
            }
        }
    }

    // MARK: Delete, undo

    @Test func deletesAndRestores() throws {
        try withBrowser(.editor) { browser, server in
            let netflix = try id(server, "netflix")
            let question = try browser.get("\(Self.path)/\(netflix)/delete?category=streaming")
            expect(question.text, contains: ["Delete Netflix?", "Subscriptions that people track stay"])
            let body = "revision=\(try hidden("revision", question))&list_category=streaming"
            for _ in 0..<2 {
                let done = try browser.post("\(Self.path)/\(netflix)/delete", body)
                #expect(done["Location"] == "/console/catalogue?category=streaming&notice=deleted.\(netflix)")
            }
            let list = try browser.get("/console/catalogue?category=streaming&notice=deleted.\(netflix)")
            expect(list.text, contains: ["This item was deleted.", "/console/catalogue/\(netflix)/undo"])
            expect(try browser.get("\(Self.path)/\(netflix)").text, contains: ["This item was deleted.", "Undo"])
            let key = "idempotency_key=\(try hidden("idempotency_key", list))"
            for _ in 0..<2 {
                let undone = try browser.post("\(Self.path)/\(netflix)/undo", key)
                #expect(undone["Location"] == "/console/catalogue/\(netflix)?notice=undone")
            }
            #expect(try stored(server, netflix)["slug"]?.stringValue == "netflix")
            #expect(try browser.get("\(Self.path)/\(makeID(9).lowercased)").status == 404)
        }
    }

    /// What takes back more than one field, or deletes, is asked first; what was undone can be done again.
    @Test func saysWhatAnUndoWillDo() throws {
        try withBrowser(.editor) { browser, server in
            let netflix = try id(server, "netflix")
            let page = "\(Self.path)/\(netflix)"
            let api = "/api/v1/admin/catalogue/\(netflix)"
            try server.admin(.owner, "PATCH", api, json: #"{"typical_amount":"15.99","category":"video"}"#)
            try server.admin(.owner, "PATCH", api, json: #"{"typical_amount":"16.99"}"#)
            let history = try browser.get(page + "?q=netfix").text
            // The newest change has one field, the one before has two.
            let forms = history.components(separatedBy: "action=\"\(page)/undo\"").count - 1
            let links = history.components(separatedBy: "href=\"\(page)/undo?q=netfix&amp;sequence=")
            #expect(forms == 1 && links.count == 2)
            let sequence = try #require(links.last).prefix(while: \.isNumber)
            let question = try browser.get("\(page)/undo?q=netfix&sequence=\(sequence)")
            expect(
                question.text,
                contains: [
                    "Restore Netflix as it was?", "16.99</del>", "13.49</ins>", "video</del>", "Streaming</ins>",
                ])
            #expect(try browser.get("\(page)/undo?sequence=999").status == 404)
            let answer = form([
                ("idempotency_key", try hidden("idempotency_key", question)), ("sequence", String(sequence)),
                ("revision", try hidden("revision", question)), ("list_q", "netfix"),
            ])
            let restored = try browser.submit("\(page)/undo", answer)
            expect(restored.text, contains: ["Netflix: the former state is restored.", ">Redo</button>"])
            #expect(try stored(server, netflix)["typical_amount"]?.stringValue == "13.49")
            // A new item's first change is that it was added: undoing it would delete the item.
            let draft =
                #"{"name":"New","slug":"new","category":"video","typical_amount":"9.50","currency":"USD","#
                + #""billing_cycle":"yearly"}"#
            let made = try server.admin(.owner, "POST", "/api/v1/admin/catalogue", json: draft)
            let other = try #require(try made.json()["id"]?.stringValue)
            let added = try browser.get("\(Self.path)/\(other)").text
            expect(added, contains: ["href=\"\(Self.path)/\(other)/delete\">Delete…"], lacks: ["\(other)/undo"])
        }
    }

    // MARK: Merge

    // MARK: Files

    @Test func setsAndRemovesTheLogo() throws {
        try withBrowser(.editor) { browser, server in
            let netflix = try id(server, "netflix")
            let revision = try hidden("revision", try browser.get("\(Self.path)/\(netflix)"))
            for _ in 0..<2 {
                let set = try browser.upload(
                    "\(Self.path)/\(netflix)/logo", texts: [("revision", revision)],
                    file: ("logo", "x.png", try RepositoryFile.logo(1)))
                #expect(set["Location"] == "/console/catalogue/\(netflix)?notice=logo")
            }
            let page = try browser.get("\(Self.path)/\(netflix)?notice=logo")
            expect(page.text, contains: ["The logo is set.", "src=\"/logos/", "Remove the logo"])
            let refused = try browser.upload(
                "\(Self.path)/\(netflix)/logo", texts: [("revision", try hidden("revision", page))],
                file: ("logo", "x.svg", Array("<svg></svg>".utf8)))
            #expect(refused.status == 415)
            expect(refused.text, contains: ["must be a PNG, JPEG or WebP image", "id=\"f-logo-fault\""])
            let removed = try browser.post(
                "\(Self.path)/\(netflix)/logo/remove", "revision=\(try hidden("revision", page))")
            #expect(removed["Location"] == "/console/catalogue/\(netflix)?notice=logo_removed")
            #expect(try stored(server, netflix)["logo_url"]?.isNull == true)
        }
    }

    @Test func setsManyLogosByTheirFileNames() throws {
        try withBrowser(.editor) { browser, server in
            let logo = try RepositoryFile.logo(1)
            for _ in 0..<2 {
                let sent = try browser.upload(
                    Self.path + "/logos", texts: [],
                    files: [
                        ("logos", "netflix.png", logo), ("logos", "Spotify.PNG", logo),
                        ("logos", "<b>none.png", logo), ("logos", "le-monde.png", Array("no".utf8)),
                    ])
                #expect(sent.status == 303)
                let done = try browser.follow(sent)
                expect(
                    done.text,
                    contains: [
                        "2 of 4 logos set.", "No item has the slug &lt;b&gt;none.", "must be a PNG, JPEG or WebP image",
                    ], lacks: ["<b>none"])
            }
            #expect(try server.admin(.owner, "GET", "/api/v1/admin/catalogue?has_logo=true").items().count == 2)
            // What the page says is kept in memory.
            let long = String(repeating: "p", count: 200)
            let cut = try browser.follow(
                try browser.upload(
                    Self.path + "/logos", texts: [],
                    files: [("logos", "\(long)q/netflix.png", logo), ("logos", "\(long)q.png", logo)]))
            expect(cut.text, contains: ["1 of 2 logos set.", "<bdi>\(long)</bdi>"], lacks: ["\(long)q"])
            #expect(try browser.upload(Self.path + "/logos", texts: [("x", "y")], file: nil).status == 422)
        }
    }

    // MARK: Permissions

    @Test(arguments: Role.builtIn)
    func asksForThePermissionOfTheCalls(_ role: Role) throws {
        try withBrowser(role) { browser, server in
            let netflix = try id(server, "netflix")
            let item = "\(Self.path)/\(netflix)"
            let pair = "\(Self.path)/duplicates/\(try id(server, "netflix"))/\(try id(server, "spotify"))"
            let (reads, writes) = (role.allows(.catalogueRead), role.allows(.catalogueWrite))
            for (path, isAllowed) in [
                (Self.path, reads), (item, reads), (Self.path + "/duplicates", reads), (pair, reads),
                (Self.path + "/export?format=csv", reads), (Self.path + "/new", writes), (item + "/delete", writes),
                (item + "/merge", writes),
                (Self.path + "/import", writes), (Self.path + "/logos", writes),
            ] {
                #expect(try browser.get(path).status == (isAllowed ? 200 : 403), "\(path)")
            }
            let before = try stored(server, netflix)
            for path in [
                item, item + "/delete", item + "/undo", item + "/logo", item + "/logo/remove", pair, Self.path + "/new",
                Self.path + "/import", Self.path + "/logos",
            ] {
                #expect(try browser.post(path, "", "Sec-Fetch-Site: cross-site").status == 403, "\(path)")
                if !writes { #expect(try browser.post(path, "name=x").status == 403, "\(path)") }
            }
            #expect(try stored(server, netflix) == before)
            if reads, !writes { expect(try browser.get(item).text, lacks: ["name=\"revision\"", "Delete"]) }
        }
    }
}
