import Foundation
import HTTPWire
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

@testable import BackendHTTP
@testable import ConsoleHTTP
@testable import HTTPServer

/// Pages about what does not work, and addresses that are none.
@Suite struct ConsoleErrorTests {
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
            expect(page.text, contains: ["<h1>Not found</h1>", "href=\"/\""])
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

    /// Any client can send `Host: localhost`; only the address of the connection says where it comes from.
    @Test(
        arguments: [
            (nil, "127.0.0.1", "localhost:8080", true), (nil, "::1", "127.0.0.1:8080", true),
            (nil, "192.168.1.7", "localhost:8080", false), (nil, "127.0.0.1", "192.168.1.5:8080", false),
            // The operator says that the port is published to this machine only, as for a container.
            ("http://localhost:8080", "172.17.0.1", "localhost:8080", true),
            ("http://localhost:8080", "172.17.0.1", "127.0.0.1:8080", false),
            ("https://console.example", "172.17.0.1", "localhost:8080", false),
        ] as [(String?, String, String, Bool)])
    func takesTheAddressOfTheConnectionForThisMachine(
        _ publicOrigin: String?, _ peer: String, _ host: String, _ isAllowed: Bool
    ) throws {
        var connection = Request()
        connection.peer = try #require(SocketAddress(numeric: peer))
        var head = "GET /console/login HTTP/1.1\r\nHost: \(host)\r\n\r\n"
        let parsed = head.withUTF8 { bytes -> RequestHead? in
            var (parser, result) = (RequestParser(limits: HTTPLimits()), RequestHead())
            let event = try? parser.next(UnsafeRawBufferPointer(bytes), head: &result).event
            return event == nil ? nil : result
        }
        connection.head = try #require(parsed)
        let origin = ConsoleOrigin(
            publicOrigin: publicOrigin, usesTLS: false, isLocal: false, address: ClientAddress(trustedProxies: []))
        #expect(origin.mayCarrySecrets(connection) == isAllowed)
    }
}
