import Foundation
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
    }
}
