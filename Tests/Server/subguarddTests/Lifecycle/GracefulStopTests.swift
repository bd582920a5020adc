import Foundation
import TestKit
import Testing

extension ProgramTests {
    struct GracefulStopTests {
        private static let unlimited = ["SUBGUARD_RATE_LIMIT_ENABLED": "false"]

        @Test(arguments: [SIGTERM, SIGINT])
        func answersEveryRequestThatHadBegun(signal: Int32) async throws {
            let installation = try Installation()
            let server = try await installation.serve(variables: Self.unlimited)
            let load = AnalyticsLoad(port: server.port, connections: 4, seed: UInt64(signal))
            #expect(try await holds { load.answerCount > 20 })
            let begun = try HalfSentRequest.all(port: server.port)

            let signalledAt = ContinuousClock.now
            server.process.send(signal: signal)
            #expect(try await holds { server.process.errors.contains("draining") })
            for request in begun { try request.finish() }
            let answers = try begun.map { try $0.answer() }
            #expect(try await server.process.ending() == .exited(0))

            for (request, response) in zip(begun, answers) {
                #expect(BatchReceipt(response)?.accepted == request.batch.ids.count)
                #expect(response.announcesClose, "the client must learn that the connection ends")
            }
            var promised = begun.flatMap(\.batch.ids)
            for report in try await load.finish() {
                #expect(report.unexpected.isEmpty)
                // A request may be lost if it crosses the closing of its connection, but not if it was sent before the
                // signal.
                if let sentAt = report.unansweredSince { #expect(sentAt > signalledAt) }
                promised += report.acknowledged.flatMap(\.ids)
            }
            try expect(promised, storedBy: installation)
            #expect(server.process.errors.contains("all_answered=true"))
        }

        /// They are connected and have sent a request, but the server may not even have accepted them.
        @Test func answersThoseWhoCameAtTheLastMoment() async throws {
            let installation = try Installation()
            for _ in 0..<8 {
                let server = try await installation.serve(variables: Self.unlimited)
                #expect(try server.get("/healthz").status == 200)
                #expect(try answersWhenStopped(server, askedBy: 40) == 40)
                #expect(try await server.process.ending() == .exited(0))
            }
        }

        /// The number of responses to requests on new connections sent before the signal.
        private func answersWhenStopped(_ server: RunningServer, askedBy count: Int) throws -> Int {
            let clients = try (0..<count).map { _ in
                let client = try RawClient(port: server.port, timeoutSeconds: 20)
                try client.send(RequestText.get("/healthz"))
                return client
            }
            server.process.send(signal: SIGTERM)
            return clients.filter { (try? $0.readResponse().status) == 200 }.count
        }

        /// A client that waits for the announcement may stop the server immediately.
        @Test(arguments: [SIGTERM, SIGINT])
        func hearsASignalAsSoonAsItAnnouncesItself(signal: Int32) async throws {
            let installation = try await Installation.migrated()
            for _ in 0..<(SeededRandom.isThorough ? 12 : 4) {
                let process = try installation.startServer()
                let deadline = Date(timeIntervalSinceNow: 20)
                // Polls without a pause, because the time is short.
                while process.output.isEmpty, Date() < deadline {}
                process.send(signal: signal)
                #expect(try await process.ending(withinSeconds: 15) == .exited(0))
            }
        }

        @Test func closesIdleConnectionsAndTakesNoNewOnes() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            let idle = try RawClient(port: server.port, timeoutSeconds: 20)
            #expect(try idle.exchange(RequestText.get("/healthz")).status == 200)
            #expect(try await server.stop() == .exited(0))
            #expect(try idle.readToEnd().isEmpty)
            #expect(throws: RawClientError.self) { try RawClient(port: server.port) }
        }

        @Test func aClientThatStallsHoldsTheStopNoLongerThanTheDeadline() async throws {
            let installation = try Installation()
            let server = try await installation.serve(variables: ["SUBGUARD_DRAIN_TIMEOUT_SECONDS": "1"])
            let stalled = try stalledClient(of: server)
            #expect(try await server.stop() == .exited(0))
            _ = try stalled.readToEnd(resetIsEnd: true)
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func aSecondSignalEndsItAtOnce(second: Int32) async throws {
            let installation = try Installation()
            let server = try await installation.serve(variables: ["SUBGUARD_DRAIN_TIMEOUT_SECONDS": "600"])
            let stalled = try stalledClient(of: server)
            server.process.send(signal: SIGTERM)
            #expect(try await holds { server.process.errors.contains("draining") })
            #expect(!server.process.hasEnded)
            server.process.send(signal: second)
            // As reported by a shell: 128 plus the number of the signal.
            #expect(try await server.process.ending(withinSeconds: 10) == .exited(second == SIGTERM ? 143 : 130))
            _ = try stalled.readToEnd(resetIsEnd: true)
        }

        @Test func leavesOneWholeFileBehind() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            var maker = EventBatchMaker(seed: 29)
            let batch = maker.make(count: 50)
            let receipt = BatchReceipt(
                try RawClient.exchange(server.port, RequestText.post("/api/v1/analytics", batch.body)))
            #expect(receipt?.accepted == 50)
            #expect(try await server.stop() == .exited(0))
            let folder = URL(fileURLWithPath: installation.storePath).deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["subguard.sqlite"])
            try expect(batch.ids, storedBy: installation)
        }

        /// A client that has sent half of its second request.
        private func stalledClient(of server: RunningServer) throws -> RawClient {
            let client = try RawClient(port: server.port, timeoutSeconds: 20)
            #expect(try client.exchange(RequestText.get("/healthz")).status == 200)
            try client.send("GET /healthz HT")
            return client
        }

        private func expect(_ ids: [UUID], storedBy installation: Installation) throws {
            let stored = try installation.eventIDs()
            #expect(Set(stored).count == stored.count)
            #expect(Set(ids).subtracting(stored).isEmpty)
        }
    }
}
