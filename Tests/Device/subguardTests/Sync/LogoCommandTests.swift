import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    /// Logos from a real server to the pages of the app.
    @Suite struct LogoCommandTests {
        private static func upload(_ content: [UInt8], for id: String, to server: Server) throws {
            let head = """
                PUT /api/v1/admin/catalogue/\(id)/logo HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(server.token)\r\n\
                Content-Type: image/png\r\nContent-Length: \(content.count)\r\n\r\n
                """
            let answer = try RawClient.exchange(server.port, Array(head.utf8) + content)
            #expect(answer.status == 200, "\(answer.text)")
        }

        @Test func aSyncFetchesAllLogosAndPagesShowThemWithoutARequest() throws {
            let server = try Server()
            let relay = try Relay(to: server.port)
            let device = try Client(environment: ["SUBGUARD_SERVER": "http://127.0.0.1:\(relay.port)"])
            let items = try #require(try server.get("/api/v1/catalogue")["items"])
            let ids = Dictionary(zip(items.each("slug"), items.each("id"))) { $1 }
            for (slug, number) in [("netflix", 0), ("spotify-premium", 1), ("aerzte", 6)] {
                try Self.upload(try RepositoryFile.logo(number), for: try #require(ids[slug]), to: server)
            }
            _ = try device.json("sync")
            let asked = relay.requestLines.filter { $0.contains("/logos/") }
            // All of them, though nothing is stored here.
            #expect(asked.count == 3 && Set(asked).count == 3)
            _ = try device.id("add", "--from-catalogue", "netflix", "--next", "2026-12-24", "--name", "Ma “télé”")
            let again = try device.run("sync", "--force", "--lang", "fr")
            #expect(again.output.contains("\nlogos        à jour, 3 logos\n"), "\(again)")
            #expect(relay.requestLines.filter { $0.contains("/logos/") } == asked)

            let requests = relay.requestLines.count
            let process = try device.process(["open", "--no-browser", "--port", "0"])
            let output = try device.folder.write("", to: "open.out")
            process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
            try process.run()
            defer {
                process.terminate()
                process.waitUntilExit()
            }
            var address = ""
            #expect(
                eventually(timeoutSeconds: 30) {
                    address = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
                    return address.contains("\n")
                })
            let parts = try #require(address.firstMatch(of: /127\.0\.0\.1:(\d+)\/[^#]*#(\S+)/))
            let port = try #require(Int(parts.1))
            func send(_ line: String, _ fields: String, _ body: String = "") throws -> RawResponse {
                try RawClient.exchange(
                    port, "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)Connection: close\r\n\r\n\(body)")
            }
            let code = "code=\(parts.2)"
            let letIn = try send(
                "POST /launch",
                """
                Origin: http://127.0.0.1:\(port)\r\nContent-Type: application/x-www-form-urlencoded\r\n\
                Content-Length: \(code.utf8.count)\r\n
                """, code)
            let cookie = try #require(letIn["Set-Cookie"]?.split(separator: ";").first)
            let page = try send("GET /", "Cookie: \(cookie)\r\n").text
            let link = try #require(page.firstMatch(of: /<img class="logo" src="(\/logos\/[^"]+)"/))
            #expect(page.contains("Ma “télé”"))
            let logo = try send("GET \(link.1)", "Cookie: \(cookie)\r\n")
            #expect(logo.status == 200 && logo["Content-Type"] == "image/png")
            #expect(logo.body == (try RepositoryFile.logo(0)))
            #expect(relay.requestLines.count == requests)
        }
    }
}
