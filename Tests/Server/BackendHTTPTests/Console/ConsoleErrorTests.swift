import Backend
import BackendHTTP
import Foundation
import SubGuardDomain
import TestKit
import Testing

/// Pages about what does not work, and addresses that are none.
@Suite struct ConsoleErrorTests {
    private func withBrowser(
        settings: [String: String] = [:], _ body: (ConsoleBrowser, TestServer) throws -> Void
    ) throws {
        let server = try TestServer(settings: settings)
        defer { server.end() }
        try body(ConsoleBrowser(server), server)
    }

    @Test func saysThatARequestCameFromAnotherPage() throws {
        try withBrowser { browser, server in
            try browser.signIn(try #require(server.tokens[.owner]))
            let foreign = try browser.post("/console/crashes", "", "Sec-Fetch-Site: cross-site")
            #expect(foreign.status == 403)
            expect(foreign.text, contains: ["The request came from another page"], lacks: ["Your role"])
        }
    }

    @Test func hasAPageForUnknownAddresses() throws {
        try withBrowser { browser, server in
            let page = try browser.get("/nowhere")
            #expect(page.status == 404 && page["Content-Type"] == "text/html; charset=utf-8")
            expect(page.text, contains: ["There is no such page", "href=\"/\""])
            let api = try browser.get("/api/v1/nowhere")
            #expect(api.status == 404 && api["Content-Type"] == "application/problem+json")
            #expect(try server.get("/nowhere")["Content-Type"] == "application/problem+json")
            try browser.signIn(try #require(server.tokens[.owner]))
            let slash = try browser.get("/console/")
            #expect(slash.status == 303 && slash["Location"] == "/console")
            #expect(try browser.get("/console/audit/?limit=5")["Location"] == "/console/audit?limit=5")
            let start = try browser.get("/").text
            expect(start, contains: ["<title>SubGuard</title>"])
        }
        try withBrowser(settings: ["console_enabled": "false"]) { browser, _ in
            let page = try browser.get("/console/audit")
            #expect(page.status == 404 && page["Content-Type"] == "text/html; charset=utf-8")
        }
    }

    /// Who listens on all addresses cannot see by `Host` where a request comes from.
    @Test func takesTheAddressOfTheConnectionForThisMachine() throws {
        try withBrowser(settings: ["host": "0.0.0.0", "trusted_proxies": "127.0.0.1"]) { browser, server in
            // The test connects over loopback, so this machine it is.
            #expect(try browser.get("/console/login").status == 200)
            try browser.signIn(try #require(server.tokens[.owner]))
            browser.host = "192.168.1.5:8080"
            #expect(try browser.get("/console/login").status == 403)
        }
    }
}
