import BackendHTTP
import Foundation
import JSONWire
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

@Suite struct ConsoleSignInTests {
    @Test func signsInWithATokenAndOutAgain() throws {
        try withBrowser { browser, server in
            let refused = try browser.get("/console/funnel?from=2026-11-01")
            #expect(refused.status == 303)
            #expect(refused["Location"] == "/console/login?next=%2Fconsole%2Ffunnel%3Ffrom%3D2026-11-01")
            let form = try browser.get("/console/login?next=%2Fconsole%2Ffunnel%3Ffrom%3D2026-11-01")
            #expect(form.status == 200 && form.text.components(separatedBy: "method=\"post\"").count == 2)
            let token = try #require(server.tokens[.owner])
            let signedIn = try browser.post(
                "/console/login", "token=+\(token)%0A&next=/console/funnel?from%3D2026-11-01")
            #expect(signedIn.status == 303 && signedIn["Location"] == "/console/funnel?from=2026-11-01")
            let cookie = try #require(signedIn["Set-Cookie"])
            expect(
                cookie, contains: ["subguard_console=", "Path=/", "HttpOnly", "SameSite=Lax"],
                lacks: ["Secure", "Domain"])

            let page = try browser.get("/console")
            #expect(page.status == 200)
            expect(page.text, contains: ["Zoë, owner", "action=\"/console/logout\""], lacks: [token])
            let secret = try #require(browser.session)
            #expect(try browser.post("/console/logout")["Location"] == "/console/login?notice=out")
            #expect(browser.session == nil)
            browser.cookies["subguard_console"] = secret
            #expect(try browser.get("/console").status == 303, "the session has ended on the server too")
        }
    }

    @Test func changesTheSecretAtEverySignIn() throws {
        try withBrowser { browser, server in
            let token = try #require(server.tokens[.analyst])
            try browser.signIn(token)
            let first = try #require(browser.session)
            try browser.signIn(token)
            #expect(browser.session != first)
            browser.cookies["subguard_console"] = first
            #expect(try browser.get("/console").status == 303)
            // A secret that another user has chosen is never used.
            browser.cookies["subguard_console"] = String(repeating: "A", count: 43)
            try browser.signIn(token)
            #expect(browser.session != String(repeating: "A", count: 43))
        }
    }

    @Test func endsWithTheTokenAndWithTime() throws {
        try withBrowser { browser, server in
            let tokens = AccessTokenStore(context: server.outside.context)
            let made = try tokens.create(role: .analyst, name: "short", expiresAt: nil, by: .setup)
            try browser.signIn(made.token)
            #expect(try browser.get("/console/funnel").status == 200)
            try tokens.revoke(made.record.id, by: .setup)
            let ended = try browser.get("/console/funnel")
            #expect(ended.status == 303 && ended["Location"]?.contains("notice=ended") == true)
            #expect(browser.session == nil)

            try browser.signIn(try #require(server.tokens[.analyst]))
            server.clock.advance(by: .seconds(12 * 3600))
            #expect(try browser.get("/console/funnel").status == 303)
            // What was typed would be lost without a word.
            let lost = try browser.post("/console/catalogue/new", "name=typed")
            #expect(lost["Location"]?.contains("notice=unsaved") == true)
            #expect(try browser.follow(lost).text.contains("Nothing was saved: your session has ended."))
        }
    }

    @Test func refusesWrongTokensAndLimitsTheirNumber() throws {
        try withBrowser { browser, server in
            #expect(try browser.post("/console/login", "token=").status == 422)
            let wrong = "sgt_" + String(repeating: "a", count: 43)
            let refused = try browser.post("/console/login", "token=\(wrong)&next=https%3A%2F%2Fevil.example")
            #expect(refused.status == 422 && browser.session == nil)
            expect(
                refused.text, contains: ["aria-invalid=\"true\"", "role=\"alert\""], lacks: [wrong, "evil.example"])
            #expect(try server.logs { $0["message"]?.stringValue == "console sign-in refused" })
            for _ in 0..<29 { _ = try browser.post("/console/login", "token=\(wrong)") }
            let limited = try browser.post("/console/login", "token=\(wrong)")
            #expect(limited.status == 429 && limited["Retry-After"] != nil)
            // The owner of a valid token is not locked out.
            try browser.signIn(try #require(server.tokens[.owner]))
        }
    }

    @Test func signsInWithAOneTimeLink() throws {
        try withBrowser { browser, server in
            let sessions = ConsoleSessionStore(context: server.outside.context)
            let tokens = try AccessTokenStore(context: server.outside.context).list()
            let editor = try #require(tokens.first { $0.role == .editor })
            let code = try sessions.makeLink(tokenID: editor.id)
            for _ in 0..<2 {
                let page = try browser.get("/console/link/\(code)")
                #expect(page.status == 200 && browser.session == nil)
                expect(page.text, contains: ["Zoë, editor", "action=\"/console/link/\(code)\""])
            }
            #expect(try browser.post("/console/link/\(code)")["Location"] == "/console")
            #expect(try browser.get("/console").text.contains("Zoë, editor"))
            let other = ConsoleBrowser(server)
            #expect(try other.post("/console/link/\(code)").status == 404)
            #expect(try other.get("/console/link/\(code)").status == 404)
        }
    }

    // MARK: Other sites

    @Test func refusesFormsOfOtherOrigins() throws {
        try withBrowser { browser, server in
            let form = "token=\(try #require(server.tokens[.owner]))"
            for fields in [
                ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"], ["X-Nothing: 1"],
                ["Origin: http://evil.example"], ["Origin: null"], ["Origin: https://localhost"],
                ["Origin: http://localhost:81"], ["Origin: http://localhost", "Origin: http://localhost"],
                ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"],
                ["Sec-Fetch-Site: cross-site", "Origin: http://localhost"],
            ] {
                let response = try browser.send("POST", "/console/login", fields, body: form)
                #expect(response.status == 403, "\(fields)")
                #expect(browser.session == nil)
            }
            for field in ["Sec-Fetch-Site: none", "Origin: http://localhost"] {
                #expect(try browser.post("/console/login", form, field).status == 303, "\(field)")
            }
        }
    }

    @Test(arguments: ["evil.example", "192.0.2.1", "localhost.evil.example", "h", "127.0.0.1.evil.example"])
    func refusesOtherHosts(_ host: String) throws {
        try withBrowser { browser, _ in
            browser.host = host
            let (page, form) = (try browser.get("/console"), try browser.post("/console/login", "token=x"))
            #expect(page.status == 403 && form.status == 403)
        }
    }

    @Test func acceptsThePublicHostBehindATLSProxy() throws {
        let settings = ["public_url": "https://subguard.example", "trusted_proxies": "127.0.0.1"]
        try withBrowser(settings: settings) { browser, server in
            let token = try #require(server.tokens[.owner])
            browser.host = "subguard.example"
            #expect(try browser.get("/console/login").status == 403, "a token must not travel unencrypted")
            #expect(try browser.post("/console/login", "token=\(token)").status == 403)
            browser.fields += ["X-Forwarded-For: 192.0.2.9", "X-Forwarded-Proto: https"]
            let signedIn = try browser.post("/console/login", "token=\(token)", "Origin: https://subguard.example")
            #expect(signedIn.status == 303)
            expect(try #require(signedIn["Set-Cookie"]), contains: ["__Host-subguard=", "; Secure", "Path=/"])
            #expect(try browser.get("/console").status == 200)
            // Unencrypted, the same browser has no session.
            browser.fields.removeLast()
            #expect(try browser.get("/console").status == 303)
        }
    }

    // MARK: The two credentials are apart

    @Test func apiIgnoresTheCookieAndTheConsoleIgnoresTokens() throws {
        try withBrowser { browser, server in
            try browser.signIn(try #require(server.tokens[.owner]))
            for path in ["/api/v1/admin/dashboard", "/api/v1/admin/me", "/api/v1/admin/tokens"] {
                #expect(try browser.get(path).status == 401)
            }
            let other = ConsoleBrowser(server)
            #expect(try other.get("/console/funnel", try server.authorization(.owner)).status == 303)
        }
    }
}
