import HTTPServer
import HTTPTypes
import HTTPWire
import TestKit
import Testing

/// The memory for bodies, shared among clients and charged as long as it is held.
@Suite struct BodyMemoryTests {
    private static let length = 60_000

    private static func start(_ server: TestServer) throws -> RawClient {
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: \(length + 1)\r\n\r\n")
        try client.send(Pattern.text(length))
        return client
    }

    @Test func limitsOneClientToAQuarter() throws {
        let server = try TestServer {
            // Room for a record of TLS too.
            $0.maximumBodyMemoryBytes = 4 * 90_000
            $0.connections.isExempt = { _ in false }
        }
        let first = try Self.start(server)
        #expect(try first.staysSilent(milliseconds: 200))
        let second = try Self.start(server)
        let refusal = try second.readResponse()
        #expect(refusal.status == 503)
        #expect(refusal["Retry-After"] == "1")
        #expect(refusal.announcesClose)
        #expect(server.application.times(.bodiesOfClient) == 1)
        #expect(server.application.times(.bodies) == 0)
        try first.send("b")
        #expect(try first.readResponse().body.count == Self.length + 1)
        // The memory was released.
        let third = try Self.start(server)
        try third.send("b")
        #expect(try third.readResponse().body.count == Self.length + 1)
    }

    /// Admitted bodies have a larger but limited share.
    @Test func limitsAdmittedBodiesOfOneClientToAHalf() throws {
        let length = 100_000
        let server = try TestServer(
            extra: [
                Route(
                    .post, "/let-in", maximumBodyBytes: 1 << 20, admission: { _ in },
                    .immediate { Response(status: .ok, body: .bytes(Array("\($0.body.count)".utf8))) })
            ]
        ) {
            $0.maximumBodyMemoryBytes = 2 * (length + 1000)
            $0.connections.isExempt = { _ in false }
        }
        func begin() throws -> RawClient {
            let client = try server.connect()
            try client.send("POST /let-in HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n")
            try client.send(Pattern.text(length - 1))
            return client
        }
        let first = try begin()
        #expect(try first.staysSilent(milliseconds: 200))
        let second = try begin()
        #expect(try second.readResponse().status == 503)
        #expect(server.application.times(.bodiesOfClient) == 1)
        try first.send("b")
        #expect(try first.readResponse().text == "\(length)", "a quarter would have been too little")
    }

    /// As in an app that only its own machine reaches, where no client has a share of its own: those who hold bodies
    /// without being admitted keep no admitted one out, and give way to further ones.
    @Test func bodiesOfStrangersLeaveHalfForAdmittedOnes() throws {
        let length = 500_000
        let server = try TestServer(
            extra: [
                Route(
                    .post, "/let-in", maximumBodyBytes: 1 << 20, admission: { _ in },
                    .immediate { Response(status: .ok, body: .bytes(Array("\($0.body.count)".utf8))) })
            ]
        ) {
            $0.maximumBodyMemoryBytes = 2 << 20
            $0.limitsBodiesOfStrangers = true
        }
        var held: [RawClient] = []
        for _ in 0..<40 {
            let client = try server.connect()
            try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: \(Self.length + 1)\r\n\r\n")
            try client.send(Pattern.text(Self.length))
            held.append(client)
        }
        #expect(eventually { server.application.times(.heads) + server.application.times(.bodies) > 0 })
        for _ in 0..<3 {
            #expect(try server.exchange(TestServer.post("/let-in", Pattern.text(length))).text == "\(length)")
            #expect(try server.exchange(TestServer.post("/echo", Pattern.text(1000))).status == 200)
        }
        // The last of them lost nothing.
        try held[39].send("b")
        #expect(try held[39].readResponse().body.count == Self.length + 1)
    }

    /// A client that sends a body and resets the connection must not leave it uncharged in the worker queue.
    @Test func countsABodyAsLongAsAWorkerHasIt() throws {
        let gate = Gate()
        let server = try TestServer(extra: [
            Route(
                .post, "/held", maximumBodyBytes: 1 << 20,
                .blocking { request in
                    gate.wait()
                    return Response(status: .ok, body: .bytes(Array("\(request.body.count)".utf8)))
                })
        ]) { $0.maximumBodyMemoryBytes = 100_000 }
        defer { gate.open() }
        let gone = try server.connect()
        try gone.send(TestServer.post("/held", Pattern.text(Self.length)))
        #expect(eventually { gate.arrived == 1 })
        gone.closeByReset()
        #expect(eventually { server.application.openConnections == 0 })
        #expect(try server.exchange(TestServer.post("/echo", Pattern.text(Self.length))).status == 503)
        gate.open()
        #expect(
            try eventually {
                try server.exchange(TestServer.post("/echo", Pattern.text(Self.length))).status == 200
            })
    }
}
