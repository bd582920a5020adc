import HTTPServer
import HTTPTypes
import HTTPWire
import TestKit
import Testing

@Suite struct StreamingTests {
    private static func expected(_ pieces: Int, _ bytes: Int) -> [UInt8] {
        guard pieces > 0 else { return [] }
        return (1...pieces).flatMap { PieceSource.piece($0, bytes: bytes) }
    }

    @Test(arguments: [(0, 5), (1, 1), (3, 5), (40, 20_000), (3, 3_000_000), (5, 0)])
    func sendsEachPieceAsAChunk(_ pieces: Int, _ bytes: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        let response = try client.exchange(TestServer.get("/stream?pieces=\(pieces)&bytes=\(bytes)"))
        #expect(response.framing == .chunked(bytes == 0 ? [] : Array(repeating: bytes, count: pieces)))
        #expect(response.hasBody(Self.expected(pieces, bytes)))
        #expect(response["Content-Length"] == nil)
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
    }

    @Test func endsAStreamForHTTP10ByClosing() throws {
        let server = try TestServer()
        let client = try server.connect()
        // Even if the client wants to keep the connection.
        let response = try client.exchange(
            "GET /stream?pieces=3&bytes=5 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(response.framing == .untilClose)
        #expect(response.announcesClose)
        #expect(response.body == Self.expected(3, 5))
    }

    @Test func cutsAStreamThatBreaks() throws {
        let server = try TestServer()
        let client = try server.connect()
        // The last chunk is missing, so the client knows that the body is incomplete.
        #expect(throws: RawClientError.self) { try client.exchange(TestServer.get("/stream/broken")) }
        #expect(eventually { server.application.openConnections == 0 })
    }

    @Test func keepsTheOrderBehindAStream() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(
            TestServer.get("/hello") + TestServer.get("/stream?pieces=30&bytes=7") + TestServer.get("/query?n=2")
                + TestServer.get("/stream?pieces=1&bytes=1") + TestServer.get("/query?n=3"))
        #expect(try client.readResponse().text == "hello")
        #expect(try client.readResponse().body == Self.expected(30, 7))
        #expect(try client.readResponse().text == "n=2")
        #expect(try client.readResponse().body == Self.expected(1, 1))
        #expect(try client.readResponse().text == "n=3")
    }

    @Test func asksForNoMoreThanTheClientTakes() throws {
        let source = PieceSource(pieces: 400, bytes: 100_000)
        let server = try TestServer(extra: [
            .init(.get, "/own") { _ in Response(status: .ok, body: .chunks(source)) }
        ])
        let client = try server.connect()
        try client.send(TestServer.get("/own"))
        #expect(eventually { source.asked > 0 })
        // Forty megabytes are more than the kernel buffers for a client that does not read.
        #expect(settled { source.asked } < 400)
        #expect(try client.readResponse().hasBody(Self.expected(400, 100_000)))
        #expect(source.asked == 401)
    }

    @Test func asksForNoMoreWhenTheClientHasGone() throws {
        let source = PieceSource(pieces: 1_000_000, bytes: 100_000)
        let server = try TestServer(extra: [
            .init(.get, "/own") { _ in Response(status: .ok, body: .chunks(source)) }
        ])
        let client = try server.connect()
        try client.send(TestServer.get("/own"))
        #expect(try !client.readSome().isEmpty)
        client.closeByReset()
        #expect(eventually { server.application.openConnections == 0 })
        #expect(settled { source.asked } < 1_000_000)
    }
}
