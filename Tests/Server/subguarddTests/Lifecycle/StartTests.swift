import Foundation
import JSONWire
import TestKit
import Testing

extension ProgramTests {
    struct StartTests {
        @Test func saysWhereItListensAndMigratesByItself() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            #expect(server.process.output.hasPrefix("subguardd "))
            #expect(server.process.output.hasSuffix(" listening on http://127.0.0.1:\(server.port)\n"))
            #expect(try server.get("/readyz").status == 200)
            #expect(try await server.stop() == .exited(0))
            #expect(try installation.integer("SELECT count(*) FROM schema_migrations") ?? 0 > 0)
        }

        /// In a container both streams go to one collector, which accepts only JSON.
        @Test func everyLineIsJSONWhereTheLogIs() async throws {
            let (installation, other) = (try Installation(), try Installation())
            let server = try await installation.serve(variables: ["SUBGUARD_LOG_FORMAT": "json"])
            let announced = try JSONValue.parse(Array(server.process.output.utf8))
            #expect(announced["message"]?.stringValue == "listening")
            #expect(announced["level"]?.stringValue == "notice")
            #expect(announced["url"]?.stringValue == "http://127.0.0.1:\(server.port)")
            let outcome = try await other.run(
                "serve", "--port", "\(server.port)", variables: ["SUBGUARD_LOG_FORMAT": "json"])
            #expect(outcome.failed)
            #expect(outcome.output.isEmpty)
            let failures = try outcome.errorLines.map { try JSONValue.parse(Array($0.utf8)) }
            #expect(failures.last?["message"]?.stringValue == "not started")
            #expect(failures.last?["error"]?.stringValue?.hasSuffix("Address already in use") == true)
            #expect(try await server.stop() == .exited(0))
            let lines = (server.process.output + server.process.errors).split(separator: "\n")
            for line in lines { #expect(throws: Never.self) { try JSONValue.parse(Array(line.utf8)) } }
            #expect(lines.count >= 3)
        }

        @Test func aPortInUseIsOneClearLine() async throws {
            let (installation, other) = (try Installation(), try Installation())
            let server = try await installation.serve()
            let outcome = try await other.run("serve", "--port", "\(server.port)")
            #expect(outcome.failed)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errorLines.count == 1)
            #expect(
                outcome.errors.hasSuffix("cannot listen on 127.0.0.1 port \(server.port): Address already in use\n"))
            #expect(try server.get("/healthz").status == 200)
        }

        /// Else a new, empty one would stand in place of the one that the restore has renamed.
        @Test func makesNoDatabaseBesideARestoreThatWasInterrupted() async throws {
            let installation = try Installation()
            try FileManager.default.createDirectory(
                atPath: installation.storePath + ".restoring-1", withIntermediateDirectories: true)
            let outcome = try await installation.run("serve", "--port", "0")
            #expect(outcome.ending == .exited(1) && outcome.errors.contains("a restore was interrupted"))
            #expect(!FileManager.default.fileExists(atPath: installation.storePath))
        }

        /// A request of an earlier process cannot be running any more; one of a concurrent server can.
        @Test func letsGoOfRequestsOfAServerThatIsGone() async throws {
            let installation = try await Installation.migrated()
            let running = "SELECT count(*) FROM idempotent_answers WHERE lease_until > started_at"
            try installation.execute(
                """
                INSERT INTO idempotent_answers
                    (token_id, key_hash, fingerprint, request_id, started_at, lease_until, sealed_answer)
                VALUES (randomblob(16), randomblob(32), randomblob(32), 'died', unixepoch() * 1000 - 5000,
                    unixepoch() * 1000 + 595000, NULL)
                """)
            let first = try await installation.serve()
            #expect(try installation.integer(running) == 0)
            try installation.execute("UPDATE idempotent_answers SET lease_until = started_at + 600000")
            let second = try await installation.serve()
            #expect(try installation.integer(running) == 1)
            #expect(try await first.stop() == .exited(0))
            #expect(try await second.stop() == .exited(0))
        }

        @Test func healthAsksTheServerOnThisMachine() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            let port = "\(server.port)"
            #expect(try await installation.run("health", "--port", port).ending == .exited(0))
            try await server.stop()
            let outcome = try await installation.run("health", variables: ["SUBGUARD_PORT": port])
            #expect(outcome.ending == .exited(1))
            #expect(outcome.errors == "not ready\n")
        }

        @Test func listensOnASocketAndReplacesOneThatWasLeft() async throws {
            let installation = try Installation()
            let host = "unix:" + installation.folder.file("http.sock")
            func serve() async throws -> ChildProcess {
                let process = try installation.startServer(variables: ["SUBGUARD_HOST": host])
                #expect(try await holds { process.output.hasSuffix(" listening on \(host)\n") })
                let health = try await installation.run("health", variables: ["SUBGUARD_HOST": host])
                #expect(health.ending == .exited(0))
                return process
            }
            let killed = try await serve()
            killed.send(signal: SIGKILL)
            _ = try await killed.ending(withinSeconds: 10)
            let second = try await serve()
            let third = try await installation.run("serve", variables: ["SUBGUARD_HOST": host])
            #expect(third.errors.hasSuffix("cannot listen on \(host): Address already in use\n"))
            second.send(signal: SIGTERM)
            #expect(try await second.ending(withinSeconds: 20) == .exited(0))
            #expect(!FileManager.default.fileExists(atPath: installation.folder.file("http.sock")))
        }

        /// As a proxy that removes the path calls it, and one that does not.
        @Test func servesUnderAPathOfAnotherHost() async throws {
            let installation = try await Installation.migrated()
            try await installation.importSmallCatalogue()
            let token = try await installation.makeToken()
            let server = try await installation.serve(
                variables: ["SUBGUARD_PUBLIC_URL": "https://example.org/own/guard/"])
            for path in ["/own/guard/api/v1/catalogue", "/api/v1/catalogue"] {
                let answer = try server.get("\(path)?limit=1")
                #expect(answer.status == 200)
                #expect(answer["Link"]?.hasPrefix("</own/guard/api/v1/catalogue?limit=1&cursor=") == true)
            }
            for path in ["/own/guard", "/own/guard/"] {
                #expect(try server.json(path)?["console"]?.stringValue == "/own/guard/console")
            }
            for path in ["/own/guardian/healthz", "/own/guard/own/guard/healthz", "/own"] {
                let missing = try server.get(path)
                #expect(missing.status == 404)
                let problem = try JSONValue.parse(missing.body)["type"]?.stringValue
                #expect(problem == "/own/guard/problems/not_found", "\(path)")
            }
            let made = try server.exchange(
                String(
                    decoding: RequestText.post(
                        "/own/guard/api/v1/admin/catalogue",
                        #"""
                        {"name":"Écho","category":"news","typical_amount":"1.00","currency":"EUR",\#
                        "billing_cycle":"monthly"}
                        """#
                        .utf8), as: UTF8.self
                ).replacing("\r\n\r\n", with: "\r\nAuthorization: Bearer \(token)\r\n\r\n"))
            let location = try #require(made["Location"])
            #expect(location.hasPrefix("/own/guard/api/v1/admin/catalogue/"))
            #expect(try server.get(location, token: token).status == 200)
            let openAPI = try server.json("/own/guard/api/v1/openapi.json")
            #expect(openAPI?["servers"]?[0]?["url"]?.stringValue == "/own/guard")
            let link = try await installation.run(
                "console", "link", "--token-name", "test",
                variables: ["SUBGUARD_PUBLIC_URL": "https://example.org/own/guard"])
            #expect(link.output.hasPrefix("https://example.org/own/guard/console/link/"), "\(link.errors)")
            #expect(try await server.stop() == .exited(0))
        }
    }
}
