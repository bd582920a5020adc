import Console
import Foundation
import HTML
import JSONWire
import PageAssets
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

@Suite struct ConsolePageTests {
    private static let pages = [
        "/console", "/console/funnel", "/console/cohorts", "/console/ranking", "/console/series",
        "/console/events",
    ]

    private func withServer(
        settings: [String: String] = [:], _ body: (TestServer) throws -> Void
    ) throws {
        let server = try TestServer(settings: settings)
        defer { server.end() }
        try body(server)
    }

    private func browser(_ server: TestServer, _ role: Role = .owner) throws -> ConsoleBrowser {
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[role]))
        return browser
    }

    @Test func everyPageHasTheFieldsThatProtectIt() throws {
        try withServer { server in
            let browser = try browser(server)
            for path in Self.pages + ["/console/login?lang=fr", "/console/nothing", "/console/link/x"] {
                let page = try browser.get(path)
                #expect(page["Cache-Control"] == "no-store", "\(path)")
                #expect(page["X-Content-Type-Options"] == "nosniff")
                expect(
                    try #require(page["Content-Security-Policy"]),
                    contains: [
                        "default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'",
                    ],
                    lacks: ["unsafe", "*"])
                #expect(page["Referrer-Policy"] == "same-origin")
                #expect(page["Cross-Origin-Opener-Policy"] == "same-origin")
                expect(page.text, lacks: ["style=", "<style", "javascript:", " onclick"])
            }
        }
    }

    @Test func everyPageOpensInBothLanguages() throws {
        try withServer { server in
            let browser = try browser(server)
            for (language, word) in [("en", "Sign out"), ("fr", "Se déconnecter")] {
                let chosen = try browser.get("/console/funnel?from=2026-11-01&lang=\(language)")
                #expect(chosen.status == 303 && chosen["Location"] == "/console/funnel?from=2026-11-01")
                for path in Self.pages {
                    let page = try browser.get(path)
                    #expect(page.status == 200, "\(path)")
                    expect(page.text, contains: ["<html lang=\"\(language)\">", word, "<h1>"])
                }
            }
        }
    }

    /// The permission of a page is that of the API's calls.
    @Test(arguments: Role.builtIn)
    func everyPageAsksForThePermissionOfItsCalls(_ role: Role) throws {
        try withServer { server in
            let browser = try browser(server, role)
            for (path, call) in [
                ("/console/funnel", "/api/v1/admin/funnel"), ("/console/cohorts", "/api/v1/admin/cohorts"),
                ("/console/ranking", "/api/v1/admin/ranking"),
                ("/console/series", "/api/v1/admin/series?figure=users"),
                ("/console/events", "/api/v1/admin/series?figure=users"),
            ] {
                let expected = try server.admin(role, "GET", call).status
                #expect(try browser.get(path).status == expected, "\(path)")
                #expect(try browser.get("/console").text.contains("href=\"\(path)\"") == (expected == 200))
            }
        }
    }

    @Test func givesTheSameNumbersAsTheAPI() throws {
        try withServer { server in
            let browser = try browser(server)
            for (path, call) in [
                ("/console/funnel?format=csv", "/api/v1/admin/funnel?format=csv"),
                ("/console/cohorts?format=csv&from=", "/api/v1/admin/cohorts?format=csv"),
                ("/console/ranking?format=csv", "/api/v1/admin/ranking?format=csv"),
                (
                    "/console/series?figure=users&format=csv&from=2026-11-01",
                    "/api/v1/admin/series?figure=users&format=csv&from=2026-11-01"
                ),
            ] {
                let (shown, called) = (try browser.get(path), try server.admin(.owner, "GET", call))
                #expect(shown.status == 200 && shown.body == [0xEF, 0xBB, 0xBF] + called.body, "\(path)")
                #expect(shown["Content-Disposition"] == called["Content-Disposition"])
            }
        }
    }

    @Test func explainsWhatItDoesNotAccept() throws {
        try withServer { server in
            let browser = try browser(server)
            for (path, status) in [
                ("/console/nothing", 404), ("/console/funnel?from=x", 422), ("/console/funnel?x=1", 422),
                ("/console/series?figure=none", 422), ("/console/funnel?from=%zz", 400),
            ] {
                let page = try browser.get(path)
                #expect(page.status == status, "\(path)")
                #expect(
                    page["Content-Type"] == (status == 400 ? "application/problem+json" : "text/html; charset=utf-8"))
            }
            let wrongMethod = try browser.post("/console/funnel")
            #expect(wrongMethod.status == 405 && wrongMethod["Allow"] == "GET, HEAD, OPTIONS")
            browser.fields = []
            #expect(try browser.get("/console/nothing")["Content-Type"] == "application/problem+json")
        }
    }

    @Test func servesAssetsForever() throws {
        try withServer { server in
            let browser = ConsoleBrowser(server)
            let page = try browser.get("/console/login").text
            for asset in ConsoleAsset.all {
                #expect(page.contains(asset.link.text), "\(asset.name)")
                let isRun = asset.name.hasSuffix(".js") || asset.name.hasSuffix(".css")
                #expect(!isRun || page.contains("\(asset.link.text)\" integrity=\"\(asset.integrity)\""))
                let response = try browser.get(asset.link.text)
                #expect(response.status == 200 && response.body == asset.content)
                #expect(response["Cache-Control"] == "public, max-age=31536000, immutable")
            }
            let icons = try #require(ConsoleAsset.all.first { $0.name.hasPrefix("icons") })
            let symbols = String(decoding: icons.content, as: UTF8.self)
            let signedIn = try self.browser(server).get("/console").text
            for use in signedIn.components(separatedBy: "\(icons.link.text)#").dropFirst() {
                let name = use.prefix { $0 != "\"" }
                #expect(symbols.contains("<symbol id=\"\(name)\""), "\(name)")
            }
        }
    }

    @Test func rootAnswersBrowsersAndPrograms() throws {
        try withServer { server in
            let browser = ConsoleBrowser(server)
            let page = try browser.get("/", "Accept-Language: fr")
            #expect(page.status == 200)
            expect(page.text, contains: ["href=\"/console\"", "href=\"/api/v1/openapi.json\"", "lang=\"fr\""])
            browser.fields = ["Accept: */*"]
            let document = try browser.get("/").json()
            #expect(document["console"]?.stringValue == "/console")
        }
        try withServer(settings: ["console_enabled": "false"]) { server in
            let browser = ConsoleBrowser(server)
            expect(try browser.get("/").text, lacks: ["/console\""])
            #expect(try browser.get("/console").status == 404)
            for asset in ConsoleAsset.all { #expect(try browser.get(asset.link.text).status == 200) }
        }
    }
}
