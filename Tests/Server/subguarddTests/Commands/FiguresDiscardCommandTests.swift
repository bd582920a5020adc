import Foundation
import JSONWire
import SubGuardDomain
import TestKit
import Testing

extension ProgramTests {
    struct FiguresDiscardCommandTests {
        private func discard(_ installation: Installation, _ arguments: [String]) async throws -> Installation.Outcome {
            let process = try installation.start(.server, ["figures", "discard"] + arguments, variables: [:])
            let ending = try await process.ending(withinSeconds: 60)
            return Installation.Outcome(ending: ending, output: process.output, errors: process.errors)
        }

        /// Sends an event of each user, each in a separate request.
        private func send(_ users: Range<Int>, platform: String, to server: RunningServer) throws {
            let now = UTCInstant(millisecondsSinceEpoch: Int64(Date().timeIntervalSince1970 * 1000))
            for user in users {
                let number = String(("0000" + "\(user)").suffix(4))
                let event = """
                    {"id": "00000000-0000-7000-8000-00000000\(number)", "name": "app_opened",
                    "user_id": "\(String(repeating: "0", count: 60))\(number)", "timestamp": "\(now.rfc3339)",
                    "properties": {"platform": "\(platform)"}}
                    """
                let answer = try RawClient.exchange(
                    server.port, RequestText.post("/api/v1/analytics", Array("[\(event)]".utf8)))
                #expect(answer.status == 202)
            }
        }

        @Test func discardsBesideTheServer() async throws {
            let installation = try await Installation.migrated()
            let token = try await installation.makeToken()
            let server = try await installation.serve()
            try send(0..<3, platform: "ios", to: server)
            try send(10..<17, platform: "web", to: server)
            let dashboard = "/api/v1/admin/dashboard"
            func users() throws -> Int64? {
                try server.json(dashboard, token: token)?["total_users"]?.objectValue?["value"]?.integerValue
            }
            #expect(try users() == 10)
            let now = Date().timeIntervalSince1970 * 1000
            let (from, to) = (Int64(now - 3_600_000), Int64(now + 3_600_000))
            let range = [from, to].map { UTCInstant(millisecondsSinceEpoch: $0).rfc3339 }.joined(separator: "..")
            let arguments = [
                "--received", range, "--platform", "web", "--users-of-one-batch", "--first-seen-in-window",
            ]
            let preview = try await discard(installation, arguments + ["--dry-run"])
            #expect(preview.succeeded)
            #expect(
                preview.outputLines.dropFirst() == [
                    "would discard 7 events; users removed: 7, users with other events: 0",
                    "total users 10 -> 3, subscriptions tracked 0 -> 0, premium conversions 0 -> 0",
                    "thresholds to re-arm: none", "nothing was changed",
                ])
            #expect(try users() == 10)
            let done = try await discard(installation, arguments + ["--yes"])
            #expect(done.succeeded && done.errors.isEmpty)
            #expect(
                done.outputLines.dropFirst() == [
                    "discarded 7 events; users removed: 7, users with other events: 0",
                    "total users 10 -> 3, subscriptions tracked 0 -> 0, premium conversions 0 -> 0",
                    "thresholds re-armed: none",
                ])
            #expect(done.outputLines.first?.hasSuffix("users of one batch, users first seen in the window") == true)
            #expect(try users() == 3)
            // Discarded events that are resent are not counted, whichever process removed them.
            try send(10..<17, platform: "web", to: server)
            #expect(try users() == 3)
            let audit = try await installation.run("audit", "export")
            #expect(audit.outputLines.last?.contains(#""action":"figures.discarded""#) == true)
            #expect(audit.outputLines.last?.contains("(command line)") == true)
            #expect(try await installation.run("figures", "verify").output == "3 events, 3 users, no difference\n")
            #expect(try await server.stop() == .exited(0))
        }

        @Test(arguments: [
            "2026-11-20..2026-11-20", "2026-11-21..2026-11-20", "2026-02-29..2026-03-01", "yesterday..today",
            "2026-11-20", "2026-11-20..", "a..b..c",
        ])
        func namesARangeThatIsNone(_ range: String) async throws {
            let installation = try await Installation.migrated()
            let outcome = try await discard(installation, ["--received", range, "--yes"])
            #expect(outcome.ending == .exited(64))
            #expect(outcome.errors.contains("--received"), "\(outcome.errors)")
        }

        @Test func refusesOptionsThatContradictOrSelectNothing() async throws {
            let installation = try await Installation.migrated()
            let day = ["--received", "2024-02-29..2024-03-01"]
            for flags in [[], ["--dry-run", "--yes"]] {
                let outcome = try await discard(installation, day + flags)
                #expect(outcome.ending == .exited(64))
                #expect(outcome.errors.contains("--dry-run") && outcome.errors.contains("--yes"))
            }
            for option in ["--platform", "--app-version"] {
                let outcome = try await discard(installation, day + ["--yes", option, "é"])
                #expect(outcome.ending == .exited(64))
                #expect(outcome.errors.contains(option))
            }
            let empty = try await discard(installation, day + ["--yes"])
            #expect(empty.succeeded && empty.output.contains("discarded 0 events"))
        }
    }
}
