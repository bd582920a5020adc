import Foundation
import HTTPServer
import TestKit
import Testing

@Suite struct OverloadTests {
    @Test(.enabled(if: !TestServer.speaksTLS, "who is not accepted cannot shake hands"))
    func acceptsNoMoreThanItsConnections() throws {
        let server = try TestServer { $0.connections.inAll = 2 }
        let first = try server.connect()
        let second = try server.connect()
        // Neither of them is idle: one is sending a request, one is being answered.
        try first.send("GET /hello HTTP/1.1\r\n")
        try second.send(TestServer.get("/gate/worker"))
        #expect(eventually { server.application.gate.arrived == 1 })
        let third = try server.connect()
        try third.send(TestServer.get("/hello"))
        #expect(try third.staysSilent(milliseconds: 300))
        #expect(server.application.openConnections == 2)
        #expect(server.application.times(.connections) > 0)
        server.application.gate.open()
        #expect(try second.readResponse().text == "through")
        #expect(try first.exchange("Host: h\r\n\r\n").text == "hello")
        first.closeByReset()
        #expect(try third.readResponse().text == "hello")
    }

    @Test func closesTheLongestIdleForWhoWaits() throws {
        // With TLS, half as many.
        let server = try TestServer { $0.connections.inAll = TestServer.speaksTLS ? 6 : 3 }
        let clients = try (0..<3).map { _ in try server.connect() }
        for client in clients { #expect(try client.exchange(TestServer.get("/hello")).text == "hello") }
        let busy = clients[0]
        try busy.send("GET /hello HTTP/1.1\r\n")
        let fourth = try server.connect()
        #expect(try fourth.exchange(TestServer.get("/hello")).text == "hello")
        #expect(try busy.exchange("Host: h\r\n\r\n").text == "hello")
        #expect(server.application.openConnections <= 3)
    }

    /// Clients that read or send just fast enough could otherwise keep all others out for as long as they like.
    @Test(
        .enabled(if: !TestServer.speaksTLS, "clients have addresses of their own"),
        arguments: [
            TestServer.get("/large?bytes=700000"),
            "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nslow",
        ])
    func closesTheSlowestOfTheClientsWithTheMost(_ request: String) throws {
        let server = try TestServer {
            $0.loops = 1
            $0.connections.inAll = 22
            $0.connections.isExempt = { _ in false }
        }
        func connect(from source: String) throws -> RawClient {
            let client = try RawClient(port: server.port, receiveBufferBytes: 16_384, source: source)
            try client.send(request)
            return client
        }
        // With few connections, but slow too, and before the others.
        let honest = try (0..<8).map { _ in try connect(from: "127.0.0.3") }
        let crowd = try (0..<14).map { _ in try connect(from: "127.0.0.2") }
        #expect(eventually { server.application.openConnections == 22 })
        // A request may still be on its way for a second.
        Thread.sleep(forTimeInterval: 1.1)
        let others = try (0..<3).map { _ in try server.connect() }
        for other in others { #expect(try other.exchange(TestServer.get("/hello")).text == "hello") }
        func isServed(_ client: RawClient) -> Bool {
            if request.hasPrefix("POST") { try? client.send(String(repeating: "x", count: 996)) }
            return (try? client.readResponse().status) == 200
        }
        #expect(honest.allSatisfy(isServed))
        #expect(crowd.count(where: isServed) == 14 - 8, "as many went as make room for a while")
    }

    @Test(.enabled(if: !TestServer.speaksTLS, "who is refused at the door does not shake hands"))
    func refusesAClientWithTooManyConnections() throws {
        let server = try TestServer {
            $0.connections.perClient = 2
            $0.connections.isExempt = { _ in false }
        }
        let first = try server.connect()
        let second = try server.connect()
        #expect(try first.exchange(TestServer.get("/hello")).text == "hello")
        #expect(try second.exchange(TestServer.get("/hello")).text == "hello")
        let third = try server.connect()
        let refusal = try third.readResponse()
        #expect(refusal.status == 503)
        #expect(refusal["Retry-After"] == "5")
        #expect(refusal["Connection"] == "close")
        first.closeByReset()
        #expect(eventually { server.application.openConnections == 1 })
        #expect(try server.get("/hello").text == "hello")
    }

    @Test func doesNotCountExemptClients() throws {
        let server = try TestServer {
            $0.connections.perClient = 1
            $0.connections.isExempt = { $0.isLoopback }
        }
        let clients = try (0..<5).map { _ in try server.connect() }
        for client in clients { #expect(try client.exchange(TestServer.get("/hello")).text == "hello") }
    }

    @Test(arguments: [(65_536, 1000, true), (1064, 1000, true), (1063, 999, false), (65, 1, false), (10, 1, false)])
    func leavesDescriptorsForEverythingElse(_ descriptors: Int, _ connections: Int, _ fits: Bool) {
        var limits = ConnectionLimits()
        limits.inAll = 1000
        #expect(limits.fit(descriptors: descriptors) == fits)
        #expect(limits.inAll == connections)
    }

    @Test func countsConnectionsBackWhenTheyClose() throws {
        let server = try TestServer { $0.connections.inAll = 4 }
        for _ in 0..<40 { #expect(try server.get("/hello", "Connection: close").text == "hello") }
        #expect(eventually { server.application.openConnections == 0 })
    }

    @Test func answers503WhenTooManyWaitForAWorker() throws {
        let server = try TestServer {
            $0.workers = 1
            $0.maximumWaitingRequests = 1
        }
        let running = try server.connect()
        try running.send(TestServer.get("/gate/worker"))
        #expect(eventually { server.application.gate.arrived == 1 })
        let waiting = try server.connect()
        try waiting.send(TestServer.get("/blocking/hello"))
        #expect(try waiting.staysSilent(milliseconds: 50))
        let refused = try server.connect()
        let response = try refused.exchange(TestServer.get("/blocking/hello"))
        #expect(response.status == 503)
        #expect(response.text == "overloaded")
        #expect(response["Retry-After"] == "1")
        // Requests that need no worker are served, on the same connection.
        #expect(try refused.exchange(TestServer.get("/hello")).text == "hello")
        server.application.gate.open()
        #expect(try running.readResponse().text == "through")
        #expect(try waiting.readResponse().text == "hello from a worker")
        #expect(try refused.exchange(TestServer.get("/blocking/hello")).text == "hello from a worker")
    }

    @Test func refusesABodyWhenAllOfThemTakeTooMuchMemory() throws {
        // Room for a record of TLS too.
        let server = try TestServer { $0.maximumBodyMemoryBytes = 100_000 }
        let half = [UInt8](repeating: UInt8(ascii: "a"), count: 60_000)
        func start() throws -> RawClient {
            let client = try server.connect()
            try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 60001\r\n\r\n")
            try client.send(half)
            return client
        }
        let first = try start()
        // Until the first body is complete, the second one cannot exceed the limit.
        #expect(try first.staysSilent(milliseconds: 200))
        let second = try start()
        let refusal = try second.readResponse()
        #expect(refusal.status == 503)
        #expect(refusal["Retry-After"] == "1")
        #expect(refusal["Connection"] == "close")
        try first.send("b")
        #expect(try first.readResponse().body.count == 60_001)
        // Memory is released by a response and by a client that disconnects.
        let third = try start()
        third.closeByReset()
        #expect(eventually { server.application.openConnections == 1 })
        let fourth = try start()
        try fourth.send("b")
        #expect(try fourth.readResponse().body.count == 60_001)
    }

    @Test func cutsAStreamWhenNoWorkerIsLeft() throws {
        let server = try TestServer {
            $0.workers = 1
            $0.maximumWaitingRequests = 0
        }
        let running = try server.connect()
        try running.send(TestServer.get("/gate/worker"))
        #expect(eventually { server.application.gate.arrived == 1 })
        #expect(throws: RawClientError.self) { try server.get("/stream?pieces=1&bytes=1") }
        server.application.gate.open()
        #expect(try running.readResponse().text == "through")
    }

    @Test func servesAThousandConnections() throws {
        let server = try TestServer()
        let clients = try (0..<1000).map { _ in try server.connect() }
        for round in 0..<3 {
            for (number, client) in clients.enumerated() {
                try client.send(TestServer.get("/query?n=\(round).\(number)"))
            }
            for (number, client) in clients.enumerated() {
                #expect(try client.readResponse().text == "n=\(round).\(number)")
            }
        }
        #expect(server.application.openConnections == 1000)
    }

    @Test func servesManyClientsAtOnce() throws {
        let server = try TestServer()
        let connect = server.connector(timeoutSeconds: 20)
        let outcomes = OwnThread.each(of: 32) { number in
            let client = try connect()
            for round in 0..<50 {
                let target = ["/query?n=", "/blocking/hello?n=", "/large?bytes=30000&n="][round % 3]
                let response = try client.exchange(TestServer.get("\(target)\(number).\(round)"))
                let isRight =
                    switch round % 3 {
                    case 0: response.text == "n=\(number).\(round)"
                    case 1: response.text == "hello from a worker"
                    default: response.hasBody(Pattern.bytes(30_000))
                    }
                guard isRight else { return "\(target) in round \(round): \(response.text.prefix(50))" }
            }
            return "right"
        }
        for outcome in outcomes { #expect(try outcome.get() == "right") }
    }

    /// Endless heads must not delay other clients.
    @Test func answersOthersWhileHundredsOfHeadsStall() throws {
        let server = try TestServer()
        let stalled = try (0..<400).map { _ in try server.connect() }
        for client in stalled { try client.send("GET /hello HTTP/1.1\r\nHost: h\r\nX-") }
        let client = try server.connect()
        for _ in 0..<50 { #expect(try client.exchange(TestServer.get("/hello")).text == "hello") }
        for client in stalled { try client.send("A: b\r\n\r\n") }
        for client in stalled { #expect(try client.readResponse().text == "hello") }
    }

    @Test func saysWhenItCannotListen() throws {
        let server = try TestServer()
        let failure = #expect(throws: ListenError.self) { try TestServer { $0.port = server.port } }
        #expect(failure?.port == server.port)
        #expect(failure?.description.contains("127.0.0.1 port \(server.port)") == true)
        #expect(throws: ListenError.self) { try TestServer { $0.host = "localhost" } }
        #expect(throws: ListenError.self) { try TestServer { $0.host = "192.0.2.1" } }
    }

    @Test(.enabled(if: hasIPv6)) func listensOnIPv6() throws {
        let server = try TestServer { $0.host = "::" }
        #expect(try server.get("/hello").text == "hello")
    }

    /// Some containers have no IPv6 at all.
    private static let hasIPv6: Bool = {
        let probe = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        if probe >= 0 { close(probe) }
        return probe >= 0
    }()
}
