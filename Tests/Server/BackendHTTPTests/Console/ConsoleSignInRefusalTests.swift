import BackendHTTP
import Foundation
import JSONWire
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

/// What a sign-in does not accept: addresses that are no pages, forms with other fields, forms of other sites, cookies
/// that another port of this machine has set.
@Suite struct ConsoleSignInRefusalTests {
    @Test func leadsToPagesOnly() throws {
        try withBrowser { browser, server in
            let token = try #require(server.tokens[.owner])
            let id = makeID(7).lowercased
            func place(after next: String) throws -> String? {
                let encoded = try #require(next.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                return try browser.post("/console/login", "token=\(token)&next=\(encoded)")["Location"]
            }
            for next in [
                "/console/logout", "/console/login", "/console/oidc", "/console/nothing", "/console/link/x",
                "/console/crashes/\(id)/resolve", "/console/crashes/..", "/console/crashes/%2e%2e",
                "/console/crashes/\(id)/../../logout", "/console/", "/console/funnel/", "//evil.example/console",
                "/api/v1/admin/me", "console",
            ] {
                #expect(try place(after: next) == "/console", "\(next)")
            }
            for next in [
                "/console", "/console/funnel?from=2026-11-01", "/console/crashes/\(id)", "/console/crashes/releases",
                "/console/catalogue/duplicates/\(id)/\(id)?merge=1", "/console/sessions?end=own",
            ] {
                #expect(try place(after: next) == next)
            }
            let ended = ConsoleBrowser(server)
            #expect(try ended.post("/console/crashes/\(id)/resolve")["Location"] == "/console/login?notice=unsaved")
            #expect(
                try ended.post("/console/crashes")["Location"]
                    == "/console/login?next=%2Fconsole%2Fcrashes&notice=unsaved")
        }
    }

    @Test func refusesFormsWithOtherFields() throws {
        try withBrowser { browser, server in
            let rows: [(path: String, form: String, sentence: String)] = [
                ("login", "next=/console", "The form lacks the field token."),
                ("login", "token=a&token=b", "The form has the field token more than once."),
                ("login", "token=a&role=owner", "The form has the unknown field role."),
                ("login/challenge", "user=a", "The form has the unknown field user."),
                ("login/passkey", "credential=a", "The form lacks the field authenticator_data."),
                ("link/abc", "token=a", "The form has the unknown field token."),
                ("logout", "next=/console", "The form has the unknown field next."),
                ("sessions", "", "The form lacks the field end."),
                ("sessions", "end=a&others=own", "The form has the field end beside another that excludes it."),
                ("sessions", "others=own&others=all", "The form has the field others more than once."),
                ("access/passkeys", "remove=a&name=b", "The form has the field name beside another"),
                ("access/passkeys", "name=a&name=b", "The form has the field name more than once."),
                ("access/passkeys", "", "The form lacks the field name."),
                ("access/passkeys/register", "name=a", "The form lacks the field attestation."),
            ]
            try browser.signIn(try #require(server.tokens[.owner]))
            for (path, form, sentence) in rows {
                let response = try browser.post("/console/\(path)", form)
                #expect(response.status == 422, "\(path) \(form)")
                expect(response.text, contains: [sentence])
            }
            #expect(try browser.get("/console/sessions").status == 200, "the session goes on")
            server.clock.advance(by: .seconds(16 * 60))
            let twice = try browser.post("/console/access/passkeys", "name=a&confirm_token=b&confirm_token=c")
            #expect(twice.status == 422)
            expect(twice.text, contains: ["The form has the field confirm_token more than once."])
        }
    }

    @Test func logsFormsOfOtherSites() throws {
        try withBrowser { browser, server in
            let sessions = ConsoleSessionStore(context: server.outside.context)
            let token = try #require(try AccessTokenStore(context: server.outside.context).list().first)
            let code = try sessions.makeLink(tokenID: token.id)
            for path in ["link/\(code)", "login", "login/passkey"] {
                let refused = try browser.post("/console/\(path)", "", "Sec-Fetch-Site: cross-site")
                #expect(refused.status == 403)
                let id = try #require(refused["X-Request-Id"])
                #expect(
                    try server.logs {
                        $0["message"]?.stringValue == "console sign-in refused" && $0["request_id"]?.stringValue == id
                            && $0["reason"]?.stringValue == "sent by a page of another origin"
                    }, "\(path)")
            }
            let rows = try server.admin(.owner, "GET", "/api/v1/admin/audit?action=console.sign_in_refused").items()
            #expect(rows.count == 1, "one a minute")
            #expect(try browser.post("/console/link/\(code)").status == 303, "the link was not used up")
        }
    }

    /// A page of another site can make a browser open a link any number of times.
    @Test func countsNoLinkThatAPageOfAnotherSiteOpens() throws {
        try withBrowser { browser, server throws in
            func rows() throws -> Int {
                try server.admin(.owner, "GET", "/api/v1/admin/audit?action=console.sign_in_refused").items().count
            }
            for _ in 0..<35 {
                #expect(try browser.get("/console/link/x", "Sec-Fetch-Site: cross-site").status == 404)
            }
            #expect(try browser.get("/console/link/x", "Sec-Fetch-Site: same-site").status == 404)
            #expect(try rows() == 0)
            #expect(try browser.get("/console/link/x", "Sec-Fetch-Site: none").status == 404)
            #expect(try rows() == 1)
        }
    }

    /// Cookies of localhost go to all its ports, so that a page on another one can add a second session.
    @Test func acceptsTheOneCookieOfSeveralThatIsASession() throws {
        try withBrowser { browser, server in
            let foreign = String(repeating: "A", count: 43)
            try browser.signIn(try #require(server.tokens[.owner]))
            let own = try #require(browser.session)
            try browser.signIn(try #require(server.tokens[.analyst]))
            let second = try #require(browser.session)
            try browser.signIn(try #require(server.tokens[.owner]))
            let third = try #require(browser.session)
            browser.cookies = [:]
            func get(_ secrets: String..., from path: String = "/console/audit/1") throws -> RawResponse {
                let cookies = secrets.map { "subguard_console=\($0)" }.joined(separator: "; ")
                return try browser.get(path, "Cookie: \(cookies)")
            }
            #expect(try get(foreign, third).status == 200)
            #expect(try get(third, foreign, "x").status == 200)
            #expect(try get(own, third).status == 200, "a sign-in has ended the one before")
            let many =
                (100..<400).map { "subguard_console=" + String(foreign.dropLast(3)) + "\($0)" } + [
                    "subguard_console=\(third)"
                ]
            #expect(try browser.get("/console/audit/1", "Cookie: \(many.joined(separator: "; "))").status == 200)

            let other = ConsoleBrowser(server)
            try other.signIn(try #require(server.tokens[.analyst]))
            let theirs = try #require(other.session)
            let refused = try get(theirs, third)
            #expect(refused.status == 303, "the owner of the other is unknown")
            let removed = refused.values(of: "Set-Cookie").filter { $0.hasPrefix("subguard_console=; Path=") }
            let paths = removed.compactMap { $0.split(separator: ";").dropFirst().first }
            #expect(
                Set(paths) == [
                    " Path=/", " Path=/console", " Path=/console/", " Path=/console/audit", " Path=/console/audit/",
                    " Path=/console/audit/1",
                ])
            #expect(removed.allSatisfy { $0.contains("Max-Age=0") })
            #expect(try get(second).values(of: "Set-Cookie").count == 1, "one cookie has one path")
        }
    }
}
