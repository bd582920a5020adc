import HTTPServer
import HTTPWire
import TestKit
import Testing

/// The memory for what is not a request yet: unfinished heads, and input that cannot be parsed yet.
@Suite struct HeadMemoryTests {
    /// 30 kB of complete field lines; the head has no end.
    private static let unfinishedHead =
        "GET /hello HTTP/1.1\r\nHost: h\r\n"
        + (0..<30).map { "X-\($0): \(String(repeating: "a", count: 990))\r\n" }.joined()
    private static let unfinishedLine = "GET /hello HTTP/1.1\r\nHost: h\r\nX: " + Pattern.text(30_000)

    private static func server(_ memory: Int, isLimited: Bool) throws -> TestServer {
        try TestServer {
            $0.maximumBodyMemoryBytes = memory
            if isLimited { $0.connections.isExempt = { _ in false } }
            $0.deadlines.head = .seconds(60)
        }
    }

    private static func hold(_ text: String, _ count: Int, on server: TestServer) throws -> [RawClient] {
        try (0..<count).map { _ in
            let client = try server.connect()
            try client.send(text)
            return client
        }
    }

    @Test(
        .enabled(if: !TestServer.speaksTLS, "a client at its limit cannot shake hands any more"),
        arguments: [unfinishedHead, unfinishedLine])
    func limitsOneClientToAQuarter(_ text: String) throws {
        let server = try Self.server(4 << 20, isLimited: true)
        var held = try Self.hold(text, 60, on: server)
        #expect(eventually { server.application.times(.headsOfClient) > 10 })
        // Which ones are refused depends on the order in which the loops read them.
        let refusedOne = try #require(try held.suffix(30).first { try !$0.staysSilent(milliseconds: 100) })
        #expect(try refusedOne.readResponse().status == 503)
        #expect(try held[0].staysSilent(milliseconds: 100), "its head was within the limit")
        #expect(server.application.times(.heads) == 0)
        // A request that arrives whole needs no memory for a head.
        #expect(try server.get("/hello?whole").status == 200)
        held = []
        #expect(eventually { server.application.openConnections == 0 })
        let refused = server.application.times(.headsOfClient)
        let again = try Self.hold(text, 10, on: server)
        try again[9].send("\r\n\r\n")
        #expect(try again[9].readResponse().status == 200)
        #expect(server.application.times(.headsOfClient) == refused, "the memory was given back")
    }

    /// Who came first and never ends gives way, so that a newcomer can send a head in two pieces.
    @Test func closesTheOldestUnfinishedHeads() throws {
        let server = try Self.server(1 << 20, isLimited: false)
        let oldest = try Self.hold(Self.unfinishedHead, 12, on: server)
        #expect(try oldest[0].staysSilent(milliseconds: 600))
        let later = try Self.hold(Self.unfinishedHead, 40, on: server)
        #expect(eventually { server.application.times(.heads) > 0 })
        #expect(try oldest[0].readToEnd(resetIsEnd: true).isEmpty)
        #expect(
            try eventually {
                let client = try server.connect()
                try client.send(Self.unfinishedHead)
                guard try client.staysSilent(milliseconds: 50) else { return false }
                try client.send("\r\n")
                return try client.readResponse().status == 200
            })
        withExtendedLifetime((oldest, later)) {}
    }

    /// The head of a request with a body is held until its answer, and no longer.
    @Test func givesBackTheHeadOfEveryRequest() throws {
        let server = try Self.server(2 << 20, isLimited: true)
        let client = try server.connect()
        let fields = Self.unfinishedHead.split(separator: "\r\n").dropFirst(2).joined(separator: "\r\n")
        for _ in 0..<100 {
            try client.send("POST /echo HTTP/1.1\r\nHost: h\r\n\(fields)\r\nContent-Length: 2\r\n\r\na")
            try client.send("b")
            #expect(try client.readResponse().text.contains("ab"))
        }
        for _ in 0..<100 {
            let gone = try server.connect()
            try gone.send(Self.unfinishedHead)
            gone.closeByReset()
        }
        #expect(eventually { server.application.openConnections == 1 })
        #expect(server.application.times(.headsOfClient) == 0)
    }

    /// Longer than a turn of the event loop in every respect.
    @Test func readsManyTinyPieces() throws {
        let server = try TestServer()
        let client = try server.connect()
        let text = Pattern.text(20_000)
        let chunks = text.map { "1\r\n\($0)\r\n" }.joined()
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n")
        #expect(try client.readResponse().text.contains(text))
        let sender = try server.connect()
        try sender.send(String(repeating: TestServer.get("/hello"), count: 3000))
        for _ in 0..<3000 { #expect(try sender.readResponse().status == 200) }
        #expect(try sender.staysSilent(milliseconds: 50))
    }
}
