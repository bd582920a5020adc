import BackendHTTP
import Foundation
import JSONWire
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

/// Tokens, roles and sessions in the console.
@Suite struct ConsoleAccessTests {
    private static let hostile = "<b>\"Zoé\" & 'x' 🦊"
    private static let encoded = "%3Cb%3E%22Zo%C3%A9%22+%26+%27x%27+%F0%9F%A6%8A"

    private func value(_ name: String, _ page: String) throws -> String {
        let parts = page.components(separatedBy: "name=\"\(name)\" value=\"")
        return String(try #require(parts.count > 1 ? parts[1] : nil).prefix { $0 != "\"" })
    }

    private func listed(_ server: TestServer) throws -> [JSONValue] {
        try server.admin(.owner, "GET", "/api/v1/admin/tokens?limit=500").items()
    }

    // MARK: Tokens

    @Test func createsATokenOnceAndShowsItOnce() throws {
        try withBrowser(.owner) { browser, server in
            let key = try value("idempotency_key", try browser.get("/console/access").text)
            let form = "idempotency_key=\(key)&name=\(Self.encoded)&role=analyst&expires_at=2027-01-01T00:00:00Z"
            let page = try browser.post("/console/access", form)
            #expect(page.status == 200 && page["Cache-Control"] == "no-store")
            let secret = String(
                try #require(page.text.components(separatedBy: "id=\"secret\" value=\"").last).prefix(47))
            #expect(try server.get("/api/v1/admin/dashboard", "Authorization: Bearer \(secret)").status == 200)
            // Sent twice, it is the same token.
            #expect(try browser.post("/console/access", form).text.contains(secret))
            let made = try listed(server).filter { $0["name"]?.stringValue == Self.hostile }
            #expect(made.count == 1 && made[0]["expires_at"]?.stringValue == "2027-01-01T00:00:00Z")
            let id = try #require(made[0]["id"]?.stringValue)
            let list = try browser.get("/console/access?q=zo%C3%A9&sort=name").text
            expect(
                list, contains: ["&lt;b&gt;&quot;Zoé&quot; &amp; &#39;x&#39; 🦊", "/console/access/tokens/\(id)"],
                lacks: ["<b>\"", String(secret.dropFirst(8))])
            let one = try browser.get("/console/access/tokens/\(id)").text
            expect(one, contains: ["metrics.<wbr>read", "/revoke\""], lacks: ["<b>\"", String(secret.dropFirst(8))])

            expect(try browser.get("/console/access/tokens/\(id)/revoke").text, contains: ["Revoke the token"])
            for _ in 0..<2 {
                let revoked = try browser.post("/console/access/tokens/\(id)/revoke")
                #expect(revoked.status == 303)
                expect(
                    try browser.get(try #require(revoked["Location"])).text, contains: ["is revoked", ">revoked<"],
                    lacks: ["/revoke\""])
            }
            #expect(try server.get("/api/v1/admin/dashboard", "Authorization: Bearer \(secret)").status == 401)
            expect(try browser.get("/console/access").text, lacks: [id])
            expect(try browser.get("/console/access?status=revoked").text, contains: [id])
        }
    }

    @Test func keepsWhatWasTypedAndNamesTheFields() throws {
        try withBrowser(.owner) { browser, server in
            let count = try listed(server).count
            for (form, texts) in [
                ("name=&role=analyst", ["id=\"f-name-fault\"", "href=\"#f-name\"", "value=\"analyst\" selected"]),
                ("name=\(Self.encoded)&role=nobody", ["id=\"f-role-fault\"", "value=\"&lt;b&gt;"]),
                ("name=a&role=owner&expires_at=2020-01-01T00:00:00Z", ["id=\"f-expires_at-fault\""]),
            ] {
                let page = try browser.post("/console/access", "idempotency_key=k&" + form)
                #expect(page.status == 422, "\(form)")
                expect(page.text, contains: texts + ["role=\"alert\"", "aria-invalid=\"true\""])
            }
            #expect(try browser.get("/console/access?status=x").status == 422)
            #expect(try browser.get("/console/access/tokens/\(makeID(9).lowercased)").status == 404)
            #expect(try browser.post("/console/access/tokens/\(makeID(9).lowercased)/revoke").status == 404)
            let owner = try #require(try listed(server).first { $0["role"]?.stringValue == "owner" })
            let last = try browser.post("/console/access/tokens/\(owner["id"]?.stringValue ?? "")/revoke")
            #expect(last.status == 409)
            expect(last.text, contains: ["This is the last owner token"])
            #expect(try listed(server).count == count)
        }
    }

    // MARK: Roles

    @Test func editsRolesAndShowsLostRaces() throws {
        try withBrowser(.owner) { browser, server in
            let path = "/console/access/roles"
            let tag = try value("tag", try browser.get(path).text)
            let form = "tag=\(tag)&name_0=support&permissions_0=catalogue.read&permissions_0=audit.read"
            for _ in 0..<2 { #expect(try browser.post(path, form)["Location"] == "\(path)?notice=saved") }
            let saved = try browser.get("\(path)?notice=saved").text
            expect(saved, contains: ["name=\"name_0\" value=\"support\"", "The roles are saved"])
            let newTag = try value("tag", saved)

            let raced = try browser.post(path, "tag=\(tag)&name_0=support&permissions_0=metrics.read&name_1=")
            #expect(raced.status == 412)
            expect(
                raced.text,
                contains: [
                    "Another user saved", "catalogue.read, audit.read", "<strong>metrics.read</strong>",
                    "value=\"\(newTag)\"",
                ])
            // A role that another user has added is kept, and so is what only they have changed.
            let before = try value("tag", try browser.get(path).text)
            let theirs =
                #"{"items":[{"name":"support","permissions":["catalogue.read"]},"#
                + #"{"name":"theirs","permissions":["audit.read"]}]}"#
            #expect(
                try server.admin(.owner, "PUT", "/api/v1/admin/roles", json: theirs, "If-Match: \"\(before)\"").status
                    == 200)
            let mine =
                "name_0=support&was_0=support&had_0=catalogue.read+audit.read&permissions_0=catalogue.read"
                + "&permissions_0=audit.read&name_1=mine&permissions_1=metrics.read"
            let both = try browser.post(path, "tag=\(before)&" + mine)
            #expect(both.status == 412)
            expect(
                both.text,
                contains: [
                    "Added by another user, and kept: theirs.", "name=\"name_1\" value=\"theirs\"",
                    "name=\"name_2\" value=\"mine\"", "name=\"had_0\" value=\"catalogue.read\"",
                ])
            let restore = #"{"items":[{"name":"support","permissions":["catalogue.read","audit.read"]}]}"#
            #expect(
                try server.admin(
                    .owner, "PUT", "/api/v1/admin/roles", json: restore,
                    "If-Match: \"\(try value("tag", both.text))\""
                ).status == 200)
            let wrong = try browser.post(path, "tag=\(newTag)&name_0=Support!&permissions_0=audit.read&name_1=x1")
            #expect(wrong.status == 422)
            expect(wrong.text, contains: ["id=\"fault-0\"", "id=\"fault-1\"", "value=\"Support!\""])
            let removed = try browser.post(
                path, "tag=\(newTag)&name_0=support&permissions_0=audit.read&remove_0=yes&name_1=")
            #expect(removed.status == 303)
            let roles = try server.admin(.owner, "GET", "/api/v1/admin/roles").items().strings("name")
            #expect(!roles.contains("support"))
        }
    }

    // MARK: Sessions

    @Test func endsSessions() throws {
        try withBrowser(.editor) { browser, server in
            let editor = try #require(server.tokens[.editor])
            let (second, third, owner) = (ConsoleBrowser(server), ConsoleBrowser(server), ConsoleBrowser(server))
            second.fields[1] = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; <b>) Gecko/20100101 Firefox/140.0"
            for other in [second, third] { try other.signIn(editor) }
            try owner.signIn(try #require(server.tokens[.owner]))

            let page = try browser.get("/console/sessions").text
            expect(page, contains: ["Firefox, Linux", "this session", "3 sessions"], lacks: ["<b>", "Zoë, owner"])
            let id = String(
                try #require(page.components(separatedBy: "name=\"end\" value=\"").dropFirst().first).prefix(36))
            for _ in 0..<2 {
                #expect(
                    try browser.post("/console/sessions", "end=\(id)")["Location"] == "/console/sessions?notice=one")
            }
            #expect(try [second, third].filter { try $0.get("/console").status == 303 }.count == 1)

            // Sessions of other tokens are not theirs to end.
            let all = try owner.get("/console/sessions").text
            expect(all, contains: ["Zoë, editor", "Zoë, owner"])
            let sessions = ConsoleSessionStore(context: server.outside.context)
            let owners = try #require(try sessions.list().first { $0.token.role == .owner })
            _ = try browser.post("/console/sessions", "end=\(owners.session.id.lowercased)")
            #expect(try owner.get("/console").status == 200)
            #expect(try browser.post("/console/sessions", "others=all").status == 403)
            #expect(try browser.post("/console/sessions").status == 422)

            expect(try browser.get("/console/sessions?end=own").text, contains: ["Other sessions of your token: 1"])
            #expect(try browser.post("/console/sessions", "others=own").status == 303)
            #expect(try sessions.list().count == 2)
            #expect(try owner.post("/console/sessions", "others=all").status == 303)
            #expect(try browser.get("/console").status == 303)
            #expect(try owner.get("/console").status == 200)
        }
    }

    @Test func asksForTheTokenAgainBeforeAccessChanges() throws {
        try withBrowser(.owner) { browser, server in
            let owner = try #require(server.tokens[.owner])
            let form = "idempotency_key=k1&name=\(Self.encoded)&role=analyst"
            server.clock.advance(by: .seconds(15 * 60))
            #expect(try browser.get("/console/access").status == 200, "reading needs no token")
            let asked = try browser.post("/console/access", form)
            #expect(asked.status == 403)
            expect(
                asked.text,
                contains: [
                    "name=\"confirm_token\"", "name=\"name\" value=\"&lt;b&gt;", "name=\"role\" value=\"analyst\"",
                ],
                lacks: ["<b>\""])
            let before = try listed(server).count
            for wrong in ["", "sgt_" + String(repeating: "a", count: 43), try #require(server.tokens[.editor])] {
                let page = try browser.post("/console/access", form + "&confirm_token=\(wrong)")
                #expect(page.status == 422)
                expect(
                    page.text, contains: ["role=\"alert\"", "value=\"&lt;b&gt;"], lacks: wrong.isEmpty ? [] : [wrong])
            }
            #expect(try listed(server).count == before)
            // Twice, as by a double click: nothing is lost and nothing done twice.
            let done = try browser.post("/console/access", form + "&confirm_token=+\(owner)%0A")
            #expect(done.status == 200 && done.text.contains("id=\"secret\""))
            #expect(try browser.post("/console/access", form + "&confirm_token=\(owner)").body == done.body)
            #expect(try listed(server).count == before + 1)
            // Confirmed for the next quarter of an hour.
            #expect(try browser.post("/console/access", "idempotency_key=k2&name=b&role=analyst").status == 200)
            server.clock.advance(by: .seconds(15 * 60))
            #expect(try browser.post("/console/sessions", "others=all").status == 403)
        }
    }

    @Test func auditsSignInsAndLimitsRefusals() throws {
        try withBrowser(.owner) { browser, server in
            let wrong = "sgt_" + String(repeating: "a", count: 43)
            let other = ConsoleBrowser(server)
            for _ in 0..<5 { _ = try other.post("/console/login", "token=\(wrong)") }
            func refusals() throws -> Int {
                try server.admin(.owner, "GET", "/api/v1/admin/audit?action=console.sign_in_refused").items().count
            }
            #expect(try refusals() == 1)
            server.clock.advance(by: .seconds(60))
            _ = try other.post("/console/login", "token=\(wrong)")
            #expect(try refusals() == 2)
            _ = try browser.post("/console/logout")
            let rows = try server.admin(.owner, "GET", "/api/v1/admin/audit?limit=3")
            #expect(
                try rows.items().strings("action") == [
                    "console.sign_out", "console.sign_in_refused", "console.sign_in_refused",
                ])
            expect(rows.text, contains: ["Zoë, owner"], lacks: [wrong, "127.0.0.1"])
        }
    }

    /// The audit log is kept for ever, and anyone can be refused.
    @Test func anAttackerAddsFewRowsADay() throws {
        let settings = ["public_url": "https://subguard.example", "trusted_proxies": "127.0.0.1"]
        try withBrowser(settings: settings) { browser, server in
            browser.host = "subguard.example"
            browser.fields += ["X-Forwarded-Proto: https", "Origin: https://subguard.example"]
            let wrong = "token=sgt_" + String(repeating: "a", count: 43)
            func refusals() throws -> [JSONValue] {
                try server.admin(.owner, "GET", "/api/v1/admin/audit?action=console.sign_in_refused&limit=500").items()
            }
            for minute in 0..<11 {
                for client in 0..<20 {
                    let address = "X-Forwarded-For: 192.0.2.\(minute * 20 + client)"
                    #expect(try browser.post("/console/login", wrong, address).status == 422)
                }
                server.clock.advance(by: .seconds(60))
            }
            #expect(try refusals().count == 200)
            #expect(
                try eventually {
                    try server.logLines().count { $0["message"]?.stringValue == "console sign-in refused" } == 220
                }, "the log has them all")
            server.clock.advance(by: .seconds(86_400))
            _ = try browser.post("/console/login", wrong)
            let rows = try refusals()
            #expect(rows.count == 201)
            #expect(rows.first?["after"]?["unrecorded"]?.integerValue == 20)
        }
    }
}
