import BackendHTTP
import Dispatch
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// `/metrics` and `/readyz`, which are expensive and public: produced at most once per second.
@Suite struct SharedAnswerTests {
    private static func server(_ settings: [String: String] = [:]) throws -> TestServer {
        var setup = TestServer.Setup()
        setup.settings = settings
        setup.sharedAnswerAge = .seconds(1)
        return try TestServer(setup)
    }

    private static func probes(_ server: TestServer) throws -> Int64 {
        try server.outside.context.store.read { session in
            try session.first("SELECT write_count FROM health_probe") { try $0.integer(0) } ?? 0
        }
    }

    @Test func writesOnceASecondHoweverManyAsk() throws {
        let server = try Self.server()
        defer { server.end() }
        for _ in 0..<20 { #expect(try server.get("/readyz").status == 200) }
        #expect(try Self.probes(server) == 1)
        server.clock.advance(by: .milliseconds(999))
        #expect(try server.get("/readyz").status == 200)
        #expect(try Self.probes(server) == 1)
        server.clock.advance(by: .milliseconds(1))
        #expect(try server.get("/readyz").status == 200)
        #expect(try Self.probes(server) == 2)
        // Setting the clock back must not prolong the life of a cached response.
        server.clock.advance(by: .seconds(-3600))
        #expect(try server.get("/readyz").status == 200)
        #expect(try Self.probes(server) == 3)
    }

    @Test func givesTheSamePageWithinASecond() throws {
        let server = try Self.server()
        defer { server.end() }
        let first = try server.get("/metrics").text
        _ = try server.get("/healthz")
        #expect(try server.get("/metrics").text == first)
        server.clock.advance(by: .seconds(1))
        let second = try server.get("/metrics").text
        let counted = #"subguard_http_requests_total{route="/healthz",method="GET",status="200"} 1"#
        expect(second, contains: [counted])
        expect(first, lacks: [counted])
    }

    /// A failure is cached too, for the same time.
    @Test func sharesAFailureAndNoticesItsEnd() throws {
        let server = try Self.server()
        defer { server.end() }
        let context = server.outside.context
        _ = try context.store.write { try $0.execute("ALTER TABLE health_probe RENAME TO hidden_probe") }
        let first = try server.get("/readyz")
        try server.expectProblem(first, .notReady)
        _ = try context.store.write { try $0.execute("ALTER TABLE hidden_probe RENAME TO health_probe") }
        let second = try server.get("/readyz")
        try server.expectProblem(second, .notReady)
        #expect(first["X-Request-Id"] != second["X-Request-Id"])
        server.clock.advance(by: .seconds(1))
        #expect(try server.get("/readyz").status == 200)
    }

    /// Concurrent requests for a cached response occupy one worker, not all.
    @Test func keepsWorkersFreeWhileTheStoreHangs() throws {
        let server = try Self.server(["workers": "2"])
        defer { server.end() }
        let (locked, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outside = server.outside
        let writer = OwnThread {
            try outside.context.store.write { transaction in
                try transaction.execute("UPDATE health_probe SET probed_at = NULL")
                locked.signal()
                _ = release.wait(timeout: .now() + 20)
            }
        }
        locked.wait()
        let waiting = try (0..<20).map { _ in
            let client = try server.connect()
            try client.send(HTTPCall("GET", "/readyz").bytes)
            return client
        }
        // Requests that need a worker but do not write are served meanwhile.
        let id = try server.item("netflix").id.lowercased
        #expect(try server.get("/api/v1/catalogue/\(id)").status == 200)
        #expect(try waiting[0].staysSilent(milliseconds: 50))
        release.signal()
        for client in waiting { #expect(try client.readResponse().status == 200) }
        _ = try writer.value()
        #expect(try Self.probes(server) == 1)
    }
}
