import HTTPServer
import Synchronization
import TestKit
import Testing

/// Stopping loses no request whose first byte was sent before.
@Suite struct StopTests {
    @Test func closesIdleConnections() throws {
        let server = try TestServer()
        let clients = try (0..<20).map { _ in try server.connect() }
        for client in clients.prefix(10) { #expect(try client.exchange(TestServer.get("/hello")).text == "hello") }
        #expect(server.server.stop())
        for client in clients { #expect(try client.readToEnd().isEmpty) }
        #expect(throws: RawClientError.self) { try server.connect() }
        #expect(server.application.openConnections == 0)
    }

    /// A client that sends the next request after each response cannot know that the server stops: its request is in
    /// flight.
    @Test func answersARequestThatWasOnItsWay() throws {
        let server = try TestServer { $0.deadlines.lastRequest = .seconds(5) }
        let clients = try (0..<8).map { _ in try server.connect() }
        for client in clients { #expect(try client.exchange(TestServer.get("/hello")).text == "hello") }
        let stopping = OwnThread { [server = server.server] in server.stop() }
        // The listener is closed, so every loop has received the message or is about to.
        #expect(eventually { (try? server.connect()) == nil })
        #expect(try clients[0].staysSilent(milliseconds: 100))
        for client in clients {
            let response = try client.exchange(TestServer.get("/hello"))
            #expect(response.text == "hello")
            #expect(response.announcesClose)
            #expect(try client.readToEnd().isEmpty)
        }
        #expect(try stopping.value())
    }

    @Test func stopsTwice() throws {
        let server = try TestServer()
        #expect(server.server.stop())
        #expect(server.server.stop())
    }

    @Test func answersEveryRequestThatHasBegun() throws {
        let server = try TestServer()
        let parts = [
            ("G", "ET /hello HTTP/1.1\r\nHost: h\r\n\r\n"), ("GET /hello HTTP/1.1\r\nHost: h\r\n", "\r\n"),
            ("GET /blocking/hello HTTP/1.1\r\n", "Host: h\r\n\r\n"),
            ("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n", "12.34"),
            ("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12.", "34\r\n0\r\n\r\n"),
            ("GET /hello HTTP/1.1\r\nHost: h\r\n\r\nGET /large?by", "tes=300000 HTTP/1.1\r\nHost: h\r\n\r\n"),
        ]
        let clients = try (0..<64).map { number in
            let client = try server.connect()
            #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
            try client.send(parts[number % parts.count].0)
            return client
        }
        let stopping = try Self.beginStopping(server)
        for (number, client) in clients.enumerated() {
            try client.send(parts[number % parts.count].1)
            if number % parts.count == 5 { #expect(try client.readResponse().status == 200) }
            let response = try client.readResponse()
            #expect(response.status == 200)
            #expect(response.announcesClose)
            #expect(try client.readToEnd().isEmpty)
        }
        #expect(try stopping.value())
    }

    /// Stops on another thread. Returns when every loop has begun to drain.
    private static func beginStopping(_ server: TestServer) throws -> OwnThread<Bool> {
        // Connections are distributed in turn, so each of the two loops gets one of these, and closes it when it
        // drains.
        let idle = try (0..<2).map { _ in try server.connect() }
        for client in idle { #expect(try client.exchange(TestServer.get("/hello")).text == "hello") }
        let stopping = OwnThread { [server = server.server] in server.stop() }
        for client in idle { #expect(try client.readToEnd().isEmpty) }
        return stopping
    }

    @Test func answersUnderLoadWhatWasSentBefore() throws {
        for _ in 0..<5 {
            let server = try TestServer()
            let connect = server.connector()
            let stop = StopSign()
            let load = OwnThread {
                OwnThread.each(of: 64) { _ in try Self.askUntilStopped(connect, stop) }
            }
            #expect(eventually { server.application.timesAsked("/hello") > 500 })
            stop.raise()
            #expect(server.server.stop())
            for outcome in try load.value() { #expect(throws: Never.self) { try outcome.get() } }
        }
    }

    /// Sends requests repeatedly. Throws if a request sent before the stop gets no response.
    private static func askUntilStopped(_ connect: () throws -> RawClient, _ stop: StopSign) throws {
        var wasSentBefore = false
        do {
            let client = try connect()
            while true {
                try client.send(TestServer.get("/hello"))
                wasSentBefore = !stop.isUp
                if try client.readResponse().announcesClose { return }
                wasSentBefore = false
            }
        } catch {
            // After the stop, it may close before it reads a request.
            guard !wasSentBefore, stop.isUp else { throw error }
        }
    }

    private final class StopSign: Sendable {
        private let raised = Atomic<Bool>(false)

        var isUp: Bool { raised.load(ordering: .sequentiallyConsistent) }

        func raise() { raised.store(true, ordering: .sequentiallyConsistent) }
    }

    @Test func letsARunningRequestFinish() throws {
        let server = try TestServer()
        let clients = try ["/gate/worker", "/gate/deferred"].map { target in
            let client = try server.connect()
            try client.send(TestServer.get(target))
            return client
        }
        #expect(eventually { server.application.gate.arrived == 2 })
        let stopping = try Self.beginStopping(server)
        #expect(!stopping.hasEnded)
        server.application.gate.open()
        for client in clients {
            let response = try client.readResponse()
            #expect(response.text == "through")
            #expect(response.announcesClose)
            #expect(try client.readToEnd().isEmpty)
        }
        #expect(try stopping.value())
    }

    @Test func letsALargeAnswerAndAStreamFinish() throws {
        let server = try TestServer()
        let large = try server.connect()
        try large.send(TestServer.get("/large?bytes=20000000"))
        let stream = try server.connect()
        try stream.send(TestServer.get("/stream?pieces=200&bytes=100000"))
        #expect(eventually { server.application.observed.count == 2 })
        let stopping = try Self.beginStopping(server)
        #expect(try large.readResponse().hasBody(Pattern.bytes(20_000_000)))
        #expect(try stream.readResponse().body.count == 20_000_000)
        #expect(try stopping.value())
    }

    @Test func cutsWhatRunsAtTheDeadline() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(TestServer.get("/gate/deferred"))
        #expect(eventually { server.application.gate.arrived == 1 })
        #expect(!server.server.stop(deadline: .milliseconds(200)))
        // Without close_notify in TLS: a truncated response must not look complete.
        #expect(try client.readToEnd(resetIsEnd: TestServer.speaksTLS).isEmpty)
        // The result stays the same for later calls: a connection was cut.
        #expect(!server.server.stop(deadline: .milliseconds(200)))
    }

    @Test func losesNothingOfAClientThatOnlyDoesNotGo() throws {
        let server = try TestServer { $0.deadlines.linger = .seconds(20) }
        let client = try server.connect()
        #expect(try client.exchange(TestServer.get("/hello", "Connection: close")).text == "hello")
        #expect(server.server.stop(deadline: .milliseconds(200)))
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func saysWhenALoopDoesNotEnd() throws {
        let server = try TestServer { $0.loops = 1 }
        let client = try server.connect()
        try client.send(TestServer.get("/gate/loop"))
        #expect(eventually { server.application.gate.arrived == 1 })
        #expect(!server.server.stop(deadline: .milliseconds(50)))
        server.application.gate.open()
        #expect(try client.readResponse().text == "through")
    }

    /// Connections accepted by the kernel but not yet by a loop have sent their requests too.
    @Test(.enabled(if: !TestServer.speaksTLS, "who is not accepted cannot shake hands"), arguments: [1, 2])
    func answersThoseWhoWaitToBeAccepted(_ loops: Int) throws {
        let server = try TestServer { $0.loops = loops }
        // The acceptor runs on the first loop; connections are distributed from the second on.
        let held = try (0..<loops).map { _ in try server.connect() }
        if loops > 1 { #expect(try held[0].exchange(TestServer.get("/hello")).text == "hello") }
        try held[loops - 1].send(TestServer.get("/gate/loop"))
        #expect(eventually { server.application.gate.arrived == 1 })
        let waiting = try (0..<300).map { _ in try server.connect() }
        for client in waiting { try client.send(TestServer.get("/hello")) }
        let stopping = OwnThread { [server = server.server] in server.stop() }
        // The other loop is idle and could end before the first one distributes waiting connections.
        if loops > 1 { _ = try held[0].staysSilent(milliseconds: 200) }
        server.application.gate.open()
        for client in waiting { #expect(try client.readResponse().text == "hello") }
        #expect(try stopping.value())
    }
}
