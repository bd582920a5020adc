import EventLog
import Foundation
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import TestKit
import Testing

extension ProgramTests {
    /// Data acknowledged with 202 is stored, whatever happens to the process.
    ///
    /// Killing a process proves that no acknowledged data exists only in its memory. It does not prove that the data is
    /// on disk: the kernel's buffers survive a killed process.
    struct DurabilityTests {
        private static let seed: UInt64 = 20_261_120
        private static let rounds = SeededRandom.isThorough ? 20 : 5
        private static let connections = 4

        @Test func losesNothingHoweverOftenItIsKilledUnderLoad() async throws {
            let installation = try Installation()
            var history = KillHistory()
            var random = SeededRandom(seed: Self.seed)
            for round in 0..<Self.rounds {
                if Bool.random(using: &random) {
                    try await killWhileStarting(installation, &random)
                    history.cutStarts += 1
                }
                let server = try await start(installation, &history)
                try history.resendUnanswered(to: server)
                try await killUnderLoad(server, round: round, &random, &history)
            }
            let server = try await start(installation, &history)
            try history.resendUnanswered(to: server)
            try history.resendSampleOfAcknowledged(to: server, &random)
            #expect(try await server.stop() == .exited(0))

            let missing = try expectWholeStore(installation, history)
            #expect(history.cutBatches > Self.rounds, "the load was not under way when the server was killed")
            print("durability (seed \(Self.seed)): \(Self.rounds) kills, \(history.summary), \(missing) events missing")
        }

        private func start(_ installation: Installation, _ history: inout KillHistory) async throws -> RunningServer {
            let begin = ContinuousClock.now
            let server = try await installation.serve(variables: ["SUBGUARD_RATE_LIMIT_ENABLED": "false"])
            #expect(try server.get("/healthz").status == 200)
            history.timesToFirstAnswer.append(ContinuousClock.now - begin)
            return server
        }

        /// A start reads, and the first one migrates; both must survive interruption.
        private func killWhileStarting(_ installation: Installation, _ random: inout SeededRandom) async throws {
            let process = try installation.startServer()
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &random)))
            process.send(signal: SIGKILL)
            #expect(try await process.ending() == .killed(signal: SIGKILL))
        }

        private func killUnderLoad(
            _ server: RunningServer, round: Int, _ random: inout SeededRandom, _ history: inout KillHistory
        ) async throws {
            let load = AnalyticsLoad(
                port: server.port, connections: Self.connections, seed: Self.seed &+ UInt64(round))
            #expect(try await holds(withinSeconds: 30) { load.answerCount > 0 })
            try await Task.sleep(for: .milliseconds(Int.random(in: 5...400, using: &random)))
            server.process.send(signal: SIGKILL)
            #expect(try await server.process.ending() == .killed(signal: SIGKILL))
            for report in try await load.finish() {
                #expect(report.unexpected.isEmpty)
                history.acknowledged += report.acknowledged
                history.unanswered += report.unanswered
                history.cutBatches += report.unanswered.count
            }
        }

        /// No acknowledged event is missing in the database.
        private func expectWholeStore(_ installation: Installation, _ history: KillHistory) throws -> Int {
            try installation.withStore { store in
                try store.read { session in
                    #expect(try session.query("PRAGMA integrity_check") { try $0.text(0) } == ["ok"])
                    var stored: [UUID] = []
                    var foldedCount: Int64 = 0
                    try EventLogReader.forEach(in: session) { stored.append($0.id) }
                    try EventLogReader.forEach(in: session, stagedOnly: true) { _ in foldedCount += 1 }
                    let sent = history.acknowledged.flatMap(\.ids)
                    #expect(Set(sent).count == sent.count)
                    #expect(stored.count == sent.count)
                    #expect(Set(stored) == Set(sent))
                    // The daily totals match the log exactly.
                    let total = "SELECT coalesce(sum(event_count), 0) FROM event_days"
                    #expect(try session.first(total) { try $0.integer(0) } == foldedCount)
                    return Set(sent).subtracting(stored).count
                }
            }
        }
    }
}
