import Foundation
import JSONWire
import TestKit
import Testing

extension ProgramTests {
    struct FullDiskTests {
        /// Limits the size of files that a process can write, which simulates a full disk.
        private func limitFiles(of process: ChildProcess, to bytes: String) throws {
            let command = Process()
            command.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
            command.arguments = ["--pid", "\(process.id)", "--fsize=\(bytes):"]
            try command.run()
            command.waitUntilExit()
            try #require(command.terminationStatus == 0)
        }

        @Test func asksToComeBackWhileTheDiskIsFullAndGoesOnByItself() async throws {
            let installation = try Installation()
            let server = try await installation.serve(variables: ["SUBGUARD_LOG_LEVEL": "warning"])
            let analyst = try await installation.makeToken(role: "analyst", name: "figures")
            var acknowledged: Set<UUID> = []
            /// Sends a new event each time.
            func report() throws -> RawResponse {
                let id = UUID()
                let now = Date().ISO8601Format()
                let body = """
                    [{"id":"\(id.uuidString.lowercased())","name":"app_opened",\
                    "user_id":"\(String(repeating: "0a", count: 32))",
                    "timestamp":"\(now)","properties":{"app_version":"\(String(repeating: "v", count: 60))"}}]
                    """
                let answer = try RawClient(port: server.port, timeoutSeconds: 20).exchange(
                    RequestText.post("/api/v1/analytics", body.utf8))
                if answer.status == 202 { acknowledged.insert(id) }
                return answer
            }
            #expect(try report().status == 202)
            try limitFiles(of: server.process, to: "16384")
            // Free space inside the files can still be used.
            var refusal: RawResponse?
            #expect(
                try await holds(withinSeconds: 30) {
                    let answer = try report()
                    if answer.status != 202 { refusal = answer }
                    return answer.status != 202
                })
            #expect(refusal?.status == 503)
            let code = try JSONValue.parse(refusal?.body ?? []).objectValue?["code"]?.stringValue
            #expect(["storage_full", "storage_unavailable"].contains(code ?? ""), "\(code ?? "none")")
            #expect(refusal?["Retry-After"] == "30")
            #expect(try server.get("/api/v1/catalogue").status == 200)
            // A response that was shared a moment ago does not hide what a request has just met.
            #expect(try server.get("/readyz").status == 503)
            for figures in ["dashboard", "funnel", "cohorts", "series?figure=users", "funnel?format=csv"] {
                #expect(try server.get("/api/v1/admin/\(figures)", token: analyst).status == 200, "\(figures)")
            }
            for _ in 0..<5 { #expect(try report().status == 503) }

            try limitFiles(of: server.process, to: "unlimited")
            #expect(try await holds { try report().status == 202 }, "no restart is needed")
            // The response is cached for a second.
            #expect(try await holds { try server.get("/readyz").status == 200 })
            #expect(try await server.stop() == .exited(0))
            #expect(Set(try installation.eventIDs()) == acknowledged, "what was answered is there, and nothing else")
            let verified = try await installation.run("figures", "verify")
            #expect(verified.succeeded, "\(verified.output)")
        }
    }
}
