import EventLog
import Foundation
import JSONWire
import SQLDatabase
import SQLiteDatabase
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

extension ProgramTests {
    struct FiguresRebuildCommandTests {
        private static let wrong = "UPDATE figure_totals SET users = 7"

        /// Accepts events in this process: two of each user.
        private func fill(_ installation: Installation, users: Int) throws {
            let now = UTCInstant(millisecondsSinceEpoch: Int64(Date().timeIntervalSince1970 * 1000))
            let opened = try #require(EventRegistry.definition(named: "app_opened"))
            try installation.withStore { store in
                let context = BackendContext(store: store, now: { now }, random: { UInt64.random(in: .min ... .max) })
                let log = EventLog(context: context)
                for first in stride(from: 0, to: users, by: 1000) {
                    let events = try (first..<min(first + 1000, users)).flatMap { user in
                        let hash = [UInt8](repeating: 7, count: 24) + withUnsafeBytes(of: user.bigEndian, Array.init)
                        return try (0..<2).map { number in
                            AnalyticsEvent(
                                id: context.makeID(), definition: opened,
                                userID: try #require(UserHash(bytes: hash)),
                                timestamp: now.adding(days: -number * (user % 40)), properties: nil)
                        }
                    }
                    _ = try log.append([EventBatch(events: events, rejected: [], receivedAt: now, byteCount: 0)])
                }
                try log.settle()
            }
        }

        private func expectFine(_ installation: Installation, users: Int) async throws {
            let verified = try await installation.run("figures", "verify")
            #expect(verified.output == "\(2 * users) events, \(users) users, no difference\n", "\(verified.errors)")
        }

        @Test func rebuildsBesideTheServer() async throws {
            let installation = try await Installation.migrated()
            try fill(installation, users: 300)
            let token = try await installation.makeToken()
            let server = try await installation.serve()
            func users() throws -> Int64? {
                try server.json("/api/v1/admin/dashboard", token: token)?["total_users"]?.objectValue?["value"]?
                    .integerValue
            }
            try installation.execute(Self.wrong)
            #expect(try users() == 7)
            let done = try await installation.run("figures", "rebuild")
            #expect(done.succeeded)
            #expect(done.errors.hasPrefix("published after ") && done.errors.hasSuffix(" s; clearing up\n"))
            #expect(done.outputLines.first?.hasPrefix("rebuilt from 600 events, 300 users in ") == true)
            #expect(
                done.outputLines.last
                    == "total users 7 -> 300, subscriptions tracked 0 -> 0, premium conversions 0 -> 0")
            // The statements that the server has prepared find the new tables.
            #expect(try users() == 300)
            let answer = try RawClient.exchange(
                server.port,
                RequestText.post(
                    "/api/v1/analytics",
                    Array(
                        """
                        [{"id": "00000000-0000-7000-8000-000000000001", "name": "app_opened", "timestamp":
                        "\(UTCInstant(millisecondsSinceEpoch: Int64(Date().timeIntervalSince1970 * 1000)).rfc3339)",
                        "user_id": "\(String(repeating: "0", count: 64))"}]
                        """.utf8)))
            #expect(answer.status == 202)
            #expect(try users() == 301)
            let audit = try await installation.run("audit", "export")
            #expect(audit.outputLines.last?.contains(#""action":"figures.rebuilt""#) == true)
            #expect(try await installation.run("figures", "verify").succeeded)
            #expect(try await server.stop() == .exited(0))
        }

        /// Killed some milliseconds after it has begun: the figures are the old ones or the new ones, and the next run
        /// succeeds.
        @Test(arguments: [0, 100, 250])
        func changesAllOrNothingWhenItIsKilled(_ milliseconds: Int) async throws {
            let installation = try await Installation.migrated()
            let users = SeededRandom.isThorough ? 20_000 : 8_000
            try fill(installation, users: users)
            try installation.execute(Self.wrong)
            let process = try installation.start(.server, ["figures", "rebuild"], variables: [:])
            let hasBegun = try await holds {
                try process.hasEnded || installation.integer("SELECT count(*) FROM figure_rebuilds") != 0
            }
            #expect(hasBegun)
            try await Task.sleep(for: .milliseconds(milliseconds))
            process.send(signal: SIGKILL)
            _ = try await process.ending()
            let isPublished = try installation.integer("SELECT users FROM figure_totals") != 7
            let verified = try await installation.run("figures", "verify")
            #expect(verified.succeeded == isPublished)
            if !isPublished {
                #expect(verified.errorLines.first == "total users: stored 7, recomputed \(users)")
                let early = try await installation.run("figures", "rebuild")
                #expect(early.ending == .exited(1))
                #expect(early.errors.hasPrefix("Error: A rebuild is under way since "), "\(early.errors)")
            }
            // Half a minute later.
            try installation.execute("UPDATE figure_rebuilds SET seen_at = seen_at - 31000")
            if milliseconds == 0 {
                let server = try await installation.serve()
                let isCleared = try await holds {
                    try installation.integer("SELECT count(*) FROM figure_rebuilds") == 0
                }
                #expect(isCleared)
                #expect(try await server.stop() == .exited(0))
            }
            #expect(try await installation.run("figures", "rebuild").succeeded)
            #expect(try installation.integer("SELECT count(*) FROM rebuilt_user_pages") == 0)
            try await expectFine(installation, users: users)
        }

        @Test func refusesWherePurgedEventsWouldBeLost() async throws {
            let installation = try await Installation.migrated()
            try fill(installation, users: 1)
            try installation.execute("UPDATE event_log SET complete_from = 1700000000000")
            let refused = try await installation.run("figures", "rebuild")
            #expect(refused.ending == .exited(1))
            #expect(
                refused.errors
                    == "Error: Raw events before 2023-11-14T22:13:20Z have been purged. Their figures can only be "
                    + "kept, not rebuilt; nothing was changed.\n")
        }
    }
}
