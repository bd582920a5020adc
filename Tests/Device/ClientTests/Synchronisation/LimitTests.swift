import Foundation
import SubGuardClient
import SubGuardContract
import SubGuardEngine
import TestKit
import Testing

#if os(Linux)
    /// A server that sends its response for ever, a byte at a time.
    @Suite struct LimitTests {
        private let fixture: ClientFixture
        private let dripping: CannedServer

        init() throws {
            fixture = try ClientFixture { _, _ in .json("{}") }
            for number in 1...3 { try fixture.add("S\(number)") }
            try fixture.store.suggestions.add("Été “26”", at: fixture.moment)
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{"
            dripping = try CannedServer(
                Array(head.utf8) + [UInt8](repeating: 0x20, count: 100_000), drip: .milliseconds(5))
        }

        private func connection(timeout: Duration, callTimeout: Duration) throws -> ServerConnection {
            ServerConnection(
                try ServerAddress("http://127.0.0.1:\(dripping.port)"), transport: CurlTransport(),
                version: "1.2.3", timeout: timeout, callTimeout: callTimeout)
        }

        private func synchroniser(_ server: ServerConnection) -> Synchroniser {
            Synchroniser(store: fixture.store, server: server, account: nil, device: DeviceProperties())
        }

        /// No attempt times out on its own; only the limit of the call ends it.
        @Test(.timeLimit(.minutes(1))) func aCallHasAnEnd() async throws {
            let server = try connection(timeout: .seconds(600), callTimeout: .milliseconds(300))
            await #expect(throws: ClientError.unreachable(.timedOut)) {
                try await server.object(ServerCall(.premium))
            }
            #expect(dripping.requests == 1)
        }

        /// No call times out on its own; only the limit of the synchronisation ends it.
        @Test(.timeLimit(.minutes(1))) func aSynchronisationHasAnEnd() async throws {
            let server = try connection(timeout: .seconds(600), callTimeout: .seconds(600))
            let report = await synchroniser(server).run(limit: .milliseconds(300), at: fixture.moment)
            #expect(
                report.parts.map(\.result) == [.failed, .unneeded, .failed, .unneeded, .failed, .unneeded, .unneeded])
            #expect(
                report.parts.map(\.reason) == [
                    "unreachable", "no_home_currency", "out_of_time", "empty", "out_of_time", "empty", "not_signed_in",
                ])
            #expect(dripping.requests == 1)
            // Nothing is lost, and the error is stored.
            #expect(try fixture.store.suggestions.counts().waiting == 1)
            #expect(try fixture.store.analytics.queueCounts().waiting == 4)
            let failures = try fixture.store.sync.last().failures
            #expect(failures["analytics"].flatMap { ClientError(note: $0) } == .outOfTime)
        }

        @Test(.timeLimit(.minutes(1))) func waitingForAnotherProcessIsPartOfIt() async throws {
            let server = try connection(timeout: .seconds(600), callTimeout: .seconds(600))
            let first = Task { await synchroniser(server).run(limit: .seconds(60), at: fixture.moment) }
            while dripping.requests == 0 { try await Task.sleep(for: .milliseconds(5)) }
            let second = await synchroniser(server).run(limit: .milliseconds(100), at: fixture.moment)
            #expect(second.parts.allSatisfy { $0.reason == "busy" })
            first.cancel()
            _ = await first.value
        }
    }
#endif
