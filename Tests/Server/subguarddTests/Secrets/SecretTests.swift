import Foundation
import JSONWire
import TestKit
import Testing

extension ProgramTests {
    struct SecretTests {
        /// Invalid tokens sent in various places, which must not appear in a log.
        private static let wrongTokens = [
            "sgt_AAAAbbbbCCCCddddEEEEffffGGGGhhhhIIIIjjjjKKK", "sgt_tooshort1234", "hunter2-Pässword",
        ]

        private static func requests(with token: String) -> [[UInt8]] {
            let encoded = token.replacing("ä", with: "%C3%A4")
            let heads = [
                "GET /api/v1/admin/dashboard HTTP/1.1\r\nAuthorization: Bearer \(token)",
                "GET /api/v1/admin/dashboard HTTP/1.1\r\nAuthorization: bearer  \(token)",
                "GET /api/v1/admin/dashboard HTTP/1.1\r\nAuthorization: \(token)",
                """
                GET /api/v1/admin/dashboard HTTP/1.1\r\nAuthorization: Basic \(Data(token.utf8).base64EncodedString())
                """,
                "GET /api/v1/admin/dashboard HTTP/1.1\r\nCookie: session=\(token)",
                "GET /api/v1/admin/dashboard?token=\(encoded) HTTP/1.1",
                "GET /api/v1/admin/catalogue/\(encoded) HTTP/1.1", "GET /\(encoded) HTTP/1.1",
                "GET /api/v1/catalogue/search?q=\(encoded) HTTP/1.1", "\(token.prefix(6)) / HTTP/1.1",
                "GET / HTTP/1.1\r\n\(token)",
            ]
            let bodies = ["{\"events\": \"\(token)\"}", "[{\"user_id\": \"\(token)\"}]", "\(token)"]
            return heads.map { Array("\($0)\r\nHost: h\r\n\r\n".utf8) }
                + bodies.map { RequestText.post("/api/v1/analytics", Array($0.utf8)) }
        }

        @Test(arguments: ["text", "json"])
        func noTokenReachesTheLog(format: String) async throws {
            let installation = try Installation()
            let server = try await installation.serve("--log-level", "trace", "--log-format", format)
            let token = try await installation.makeToken()
            #expect(try server.get("/api/v1/admin/dashboard", token: token).status == 200)
            for secret in [token] + Self.wrongTokens {
                for request in Self.requests(with: secret) {
                    _ = try RawClient(port: server.port, timeoutSeconds: 20).exchange(request)
                }
            }
            #expect(try await server.stop() == .exited(0))
            let log = server.process.errors + server.process.output
            #expect(log.split(separator: "\n").count > 40)
            for secret in [token] + Self.wrongTokens {
                #expect(!log.contains(secret))
                #expect(!log.contains(secret.dropFirst(4).prefix(8)))
                #expect(!log.contains(Data(secret.utf8).base64EncodedString().prefix(12)))
            }
        }

        @Test func noAnswerRepeatsAToken() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            for secret in Self.wrongTokens {
                for request in Self.requests(with: secret) {
                    let response = try RawClient(port: server.port, timeoutSeconds: 20).exchange(request)
                    let whole = response.text + response.fields.map(\.value).joined(separator: "\n")
                    #expect(!whole.contains(secret))
                    #expect(!whole.contains(secret.dropFirst(4).prefix(8)))
                }
            }
        }

        @Test func theProcessListShowsNoSecret() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            try await installation.importSmallCatalogue()
            #expect(try await holds { try server.json("/api/v1/catalogue")?["items"]?.arrayValue?.isEmpty == false })
            let token = try await installation.makeToken(role: "analyst")
            let load = try installation.start(
                .load,
                ["--history", "--url", "http://127.0.0.1:\(server.port)", "--devices", "300", "--weeks", "5"],
                variables: ["SUBGUARD_TOKEN": token])
            var seen: Set<String> = []
            _ = try await holds(withinSeconds: 60) {
                seen.insert(load.commandLine)
                return load.hasEnded
            }
            #expect(try await load.ending() == .exited(0))
            seen.insert(server.process.commandLine)
            #expect(seen.contains { $0.contains("--devices") })
            #expect(seen.contains { $0.contains("serve") })
            for line in seen { #expect(!line.contains(token.dropFirst(4))) }
        }
    }
}
