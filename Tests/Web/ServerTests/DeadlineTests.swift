import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import TestKit
import Testing

/// Every deadline ends only the client that misses it. The deadlines are short here; tests check what is received,
/// never how long it took.
@Suite struct DeadlineTests {
    private static func server(
        extra: [Route] = [], _ configure: (inout ConnectionDeadlines) -> Void
    ) throws -> TestServer {
        try TestServer(extra: extra) { configure(&$0.deadlines) }
    }

    /// Sends a byte at intervals until the server responds. Throws if all bytes are accepted.
    private static func drip(_ bytes: String, to client: RawClient) throws -> RawResponse {
        for octet in bytes.utf8 {
            guard try client.staysSilent(milliseconds: 30) else { return try client.readResponse() }
            try client.send([octet])
        }
        throw Unnoticed()
    }

    private struct Unnoticed: Error {}

    @Test func closesAConnectionThatNeverAsks() throws {
        let server = try Self.server { $0.idle = .milliseconds(200) }
        #expect(try server.connect().readToEnd().isEmpty)
    }

    @Test func closesAConnectionThatAsksNoMore() throws {
        let server = try Self.server { $0.idle = .milliseconds(200) }
        let client = try server.connect()
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
        #expect(try client.readToEnd().isEmpty)
    }

    /// A loop without connections sleeps; that time must not count against the next client.
    @Test func givesAClientItsFullTimeAfterALongSilence() throws {
        let server = try TestServer {
            $0.loops = 1
            $0.deadlines.idle = .seconds(1)
        }
        Thread.sleep(forTimeInterval: 1.6)
        let client = try server.connect()
        #expect(try client.staysSilent(milliseconds: 50))
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
    }

    @Test func answers408ToASlowHead() throws {
        let server = try Self.server { $0.head = .milliseconds(300) }
        let client = try server.connect()
        // Each byte arrives soon after the previous one: only an absolute deadline ends this.
        let response = try Self.drip(
            "GET /hello HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: y\r\n", count: 90), to: client)
        #expect(response.status == 408)
        #expect(response.text == "requestTimeout")
        #expect(response.announcesClose)
        #expect(try client.readToEnd(resetIsEnd: true).isEmpty)
        #expect(server.application.observed.first?.headWasRead == false)
    }

    @Test func answers408ToAHeadThatStops() throws {
        let server = try Self.server { $0.head = .milliseconds(300) }
        let client = try server.connect()
        try client.send("GET /hello HTTP/1.1\r\n")
        #expect(try client.readResponse().status == 408)
    }

    @Test func countsAPipelinedHeadFromItsOwnBeginning() throws {
        let server = try Self.server { $0.head = .milliseconds(300) }
        let client = try server.connect()
        try client.send(TestServer.get("/hello") + "GET /hel")
        #expect(try client.readResponse().text == "hello")
        #expect(try client.readResponse().status == 408)
    }

    @Test func answers408ToABodyThatStops() throws {
        let server = try Self.server { $0.bodyIdle = .milliseconds(300) }
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12.")
        let response = try client.readResponse()
        #expect(response.status == 408)
        #expect(response.announcesClose)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func answers408ToAChunkedBodyThatStops() throws {
        let server = try Self.server { $0.bodyIdle = .milliseconds(300) }
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12.34\r\n")
        #expect(try client.readResponse().status == 408)
    }

    @Test func answers408ToABodyThatNeverComesAfterContinue() throws {
        let server = try Self.server { $0.bodyIdle = .milliseconds(300) }
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        #expect(try client.readResponse().status == 100)
        #expect(try client.readResponse().status == 408)
    }

    @Test func answers408ToABodyThatComesTooSlowly() throws {
        let server = try Self.server {
            $0.bodyIdle = .milliseconds(300)
            $0.bodyBytesPerSecond = 1000
        }
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 10000\r\n\r\n")
        // Never silent for as long as the deadline between two reads, but far too slow.
        let response = try Self.drip(Pattern.text(400), to: client)
        #expect(response.status == 408)
        #expect(try client.readToEnd(resetIsEnd: true).isEmpty)
    }

    @Test func answers408ToSlowChunksWithoutBody() throws {
        let server = try Self.server {
            $0.bodyIdle = .milliseconds(300)
            $0.bodyBytesPerSecond = 1000
        }
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;")
        #expect(try Self.drip(String(repeating: "x", count: 400), to: client).status == 408)
    }

    /// Earlier bytes do not extend the deadline: otherwise a nearly complete body could be held for long with a byte
    /// now and then.
    @Test func answers408ToABodyWhoseRestDrips() throws {
        let server = try Self.server {
            $0.bodyIdle = .milliseconds(300)
            $0.bodyBytesPerSecond = 1000
        }
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 100400\r\n\r\n")
        try client.send(Pattern.text(100_000))
        #expect(try Self.drip(Pattern.text(399), to: client).status == 408)
    }

    @Test func waitsForABodyThatComesFastEnough() throws {
        let server = try Self.server {
            $0.bodyIdle = .seconds(1)
            $0.bodyBytesPerSecond = 1000
        }
        let client = try server.connect()
        let body = Pattern.text(4000)
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 4000\r\n\r\n")
        // 4000 bytes in 1.6 seconds: longer than the deadline between two reads, faster than the minimum rate.
        var rest = body[...]
        while !rest.isEmpty {
            try client.send(String(rest.prefix(100)))
            rest = rest.dropFirst(100)
            #expect(try rest.isEmpty || client.staysSilent(milliseconds: 40))
        }
        #expect(try client.readResponse().text == body)
    }

    @Test(arguments: ["/gate/worker", "/gate/deferred"])
    func answers503WhenTheAnswerIsNotReady(_ target: String) throws {
        let server = try Self.server { $0.handling = .milliseconds(200) }
        let client = try server.connect()
        let response = try client.exchange(TestServer.get(target))
        #expect(response.status == 503)
        #expect(response.text == "handlingTimeout")
        #expect(response["Retry-After"] == "5")
        #expect(response.announcesClose)
        // The late response is dropped.
        server.application.gate.open()
        #expect(try client.readToEnd().isEmpty)
        #expect(server.application.observed.count == 1)
    }

    @Test func cutsAStreamWhosePieceDoesNotCome() throws {
        let gate = Gate()
        defer { gate.open() }
        let server = try Self.server(extra: [
            .init(.get, "/own") { _ in Response(status: .ok, body: .chunks(StuckSource(gate: gate))) }
        ]) { $0.handling = .milliseconds(200) }
        let client = try server.connect()
        #expect(throws: RawClientError.self) { try client.exchange(TestServer.get("/own")) }
        #expect(eventually { server.application.openConnections == 0 })
    }

    @Test(arguments: [
        TestServer.get("/large?bytes=20000000"), TestServer.get("/large/blocking?bytes=20000000"),
        TestServer.get("/large?bytes=20000000", "Connection: close"),
        TestServer.get("/large/blocking?bytes=20000000", "Connection: close"),
        TestServer.get("/stream?pieces=100&bytes=200000"),
        String(repeating: TestServer.get("/large?bytes=7000"), count: 3000),
    ])
    func cutsAClientThatDoesNotReadAndServesTheOthers(_ requests: String) throws {
        let server = try TestServer {
            $0.loops = 1
            $0.deadlines.writeStall = .milliseconds(400)
        }
        let stalled = try server.connect(receiveBufferBytes: 65_536)
        try stalled.send(requests)
        let other = try server.connect()
        for _ in 0..<20 { #expect(try other.exchange(TestServer.get("/hello")).text == "hello") }
        // Only the other connection remains.
        #expect(eventually { server.application.openConnections == 1 })
        #expect(try other.exchange(TestServer.get("/hello")).text == "hello")
        let received = try stalled.readToEnd(resetIsEnd: true)
        #expect(received.count < 20_000_000)
    }

    @Test func doesNotCutAClientThatReadsSlowly() throws {
        let server = try Self.server { $0.writeStall = .seconds(1) }
        let client = try server.connect(receiveBufferBytes: 65_536)
        try client.send(TestServer.get("/large?bytes=20000000"))
        var received = 0
        // About two seconds in total: twice the deadline, with steady progress.
        for _ in 0..<40 {
            Thread.sleep(forTimeInterval: 0.05)
            received += try client.readSome().count
        }
        try client.send(TestServer.get("/hello", "Connection: close"))
        let rest = try client.readToEnd()
        #expect(received + rest.count > 20_000_000)
        #expect(String(decoding: rest.suffix(5), as: UTF8.self) == "hello")
    }

    /// A slow but steady reader may free so little of the kernel's buffer within a deadline that the socket is not yet
    /// writable.
    @Test func doesNotCutASteadyReaderBetweenTwoSignsOfRoom() throws {
        let server = try Self.server { $0.writeStall = .seconds(1) }
        let client = try server.connect(receiveBufferBytes: 16_384)
        try client.send(TestServer.get("/large?bytes=20000000", "Connection: close"))
        var received = 0
        for _ in 0..<30 {
            Thread.sleep(forTimeInterval: 0.1)
            received += try client.readSome().count
        }
        #expect(server.application.openConnections == 1)
        received += try client.readToEnd().count
        #expect(received > 20_000_000)
    }

    @Test func cutsAClientThatReadsTooSlowly() throws {
        let server = try Self.server {
            $0.writeStall = .milliseconds(300)
            $0.readBytesPerSecond = 50_000_000
        }
        let client = try server.connect(receiveBufferBytes: 16_384)
        try client.send(TestServer.get("/large?bytes=20000000", "Connection: close"))
        // It keeps reading, but never at the minimum rate.
        var received = 0
        while received < 20_000_000 {
            Thread.sleep(forTimeInterval: 0.03)
            guard let some = try? client.readSome(), !some.isEmpty else { break }
            received += some.count
        }
        #expect(received < 20_000_000)
        #expect(eventually { server.application.openConnections == 0 })
    }

    /// The time that a client takes to read earlier responses does not count against the next request.
    @Test func countsHandlingFromTheRequestAndNotFromTheReading() throws {
        let server = try Self.server {
            $0.writeStall = .milliseconds(1500)
            $0.handling = .seconds(20)
        }
        let opening = OwnThread { [application = server.application] in
            let allArrived = eventually(timeoutSeconds: 15) { application.gate.arrived == stuckClients }
            Thread.sleep(forTimeInterval: 2)
            application.gate.open()
            return allArrived
        }
        for outcome in Self.readLate(from: server, last: TestServer.get("/gate/deferred")) {
            #expect(try outcome.get() == "through")
        }
        #expect(try opening.value())
    }

    /// Nor against the next head.
    @Test func countsAHeadFromTheReadingOfTheAnswersBefore() throws {
        let server = try Self.server {
            $0.writeStall = .seconds(20)
            $0.head = .milliseconds(300)
        }
        for outcome in Self.readLate(from: server, last: "GET /hel") {
            #expect(try outcome.get() == "requestTimeout")
        }
    }

    /// Clients that send more and more requests, `last` after them, and only then read. When the kernel stops accepting
    /// is unknown: with these numbers of responses, some client's last request is parsed just when earlier responses
    /// are stuck. Returns the last response of each.
    private static func readLate(from server: TestServer, last: String) -> [Result<String, any Error>] {
        let connect = server.connector(timeoutSeconds: 20, receiveBufferBytes: 65_536)
        return OwnThread.each(of: stuckClients) { number in
            let client = try connect()
            let count = (number + 1) * 262_144 / 7_200
            try client.send(String(repeating: TestServer.get("/large?bytes=7000"), count: count) + last)
            Thread.sleep(forTimeInterval: 0.8)
            for _ in 0..<count where try client.readResponse().body.count != 7000 { return "another answer" }
            return try client.readResponse().text
        }
    }

    @Test func letsGoOfAClientThatKeepsSendingAfterTheEnd() throws {
        let server = try Self.server { $0.linger = .milliseconds(200) }
        let client = try server.connect()
        try client.send(TestServer.get("/hello", "Connection: close"))
        #expect(try client.readResponse().text == "hello")
        // The client's side stays open, so only the deadline ends this.
        #expect(eventually { server.application.openConnections == 0 })
    }
}

private let stuckClients = 16

/// A body whose first piece is blocked until the gate opens.
private struct StuckSource: ChunkSource {
    let gate: Gate

    func nextChunk() throws -> [UInt8]? {
        gate.wait()
        return nil
    }
}
