import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization
import TestKit
import Testing

/// Decisions made on a worker before a large body is read.
@Suite struct AdmissionTests {
    private static let length = 100_000

    /// `/upload` admits requests with valid credentials, and counts its checks.
    private final class Door: Sendable {
        let looks = Mutex(0)
        let gate = Gate()

        var route: Route {
            Route(
                .post, "/upload", maximumBodyBytes: 1 << 20,
                admission: { request in
                    self.looks.withLock { $0 += 1 }
                    if request.head.value(of: .authorization) == "wait" { self.gate.wait() }
                    guard ["wait", "good"].contains(request.head.value(of: .authorization)) else {
                        throw Refused(status: .unauthorized, text: "unauthorized")
                    }
                }, .immediate { Response(status: .ok, body: .bytes(Array("\($0.body.count) bytes".utf8))) })
        }

        var timesLooked: Int { looks.withLock { $0 } }
    }

    private static func head(_ credentials: String, _ framing: String, _ more: String = "") -> String {
        "POST /upload HTTP/1.1\r\nHost: h\r\nAuthorization: \(credentials)\r\n\(framing)\r\n\(more)\r\n"
    }

    private static let announced = "Content-Length: \(length)"
    private static let chunked = "Transfer-Encoding: chunked"

    private static func chunks(_ count: Int) -> String {
        "\(String(count, radix: 16))\r\n\(Pattern.text(count))\r\n0\r\n\r\n"
    }

    @Test func readsTheBodyOfWhoIsLetIn() throws {
        let door = Door()
        let server = try TestServer(extra: [door.route])
        let client = try server.connect()
        for body in [Pattern.text(Self.length), Self.chunks(Self.length), Self.chunks(5)] {
            let isChunked = body.hasSuffix("\r\n0\r\n\r\n")
            let framing = isChunked ? Self.chunked : Self.announced
            let expected = isChunked ? Int(body.prefix { $0 != "\r\n" }, radix: 16) : Self.length
            // With the head, after it, and followed by another request.
            try client.send(Self.head("good", framing) + body + TestServer.get("/hello"))
            #expect(try client.readResponse().text == "\(expected ?? 0) bytes")
            #expect(try client.readResponse().text == "hello")
        }
        #expect(door.timesLooked == 3)
    }

    @Test func doesNotLookForASmallBody() throws {
        let door = Door()
        let server = try TestServer(extra: [door.route])
        #expect(try server.exchange(Self.head("nobody", "Content-Length: 5") + "12.34").text == "5 bytes")
        #expect(door.timesLooked == 0)
    }

    /// Nine slow clients held the whole budget when bodies were read before tokens were checked.
    @Test func keepsNoBodyOfAnUnknownClient() throws {
        let door = Door()
        let server = try TestServer(extra: [door.route]) { $0.maximumBodyMemoryBytes = 2 * Self.length }
        let dribbling = try (0..<9).map { number in
            let client = try server.connect()
            if number % 2 == 0 {
                try client.send(Self.head("guess\(number)", Self.announced) + Pattern.text(Self.length - 1))
            } else {
                try client.send(Self.head("guess\(number)", Self.chunked))
                try client.send("\(String(Self.length, radix: 16))\r\n" + Pattern.text(Self.length - 1))
            }
            return client
        }
        #expect(eventually { door.timesLooked == 9 })
        // The whole budget is available to known clients.
        for _ in 0..<3 {
            #expect(try server.exchange(Self.head("good", Self.announced) + Pattern.text(Self.length)).status == 200)
        }
        #expect(server.application.times(.bodies) == 0)
        for (number, client) in dribbling.enumerated() {
            try client.send(number % 2 == 0 ? "a" : "a\r\n0\r\n\r\n")
            #expect(try client.readResponse().status == 401)
            #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
        }
    }

    @Test func readsNothingWhileItIsNotDecided() throws {
        let door = Door()
        let server = try TestServer(extra: [door.route]) { $0.maximumBodyMemoryBytes = 10 }
        let client = try server.connect()
        try client.send(Self.head("wait", Self.announced) + Pattern.text(Self.length))
        #expect(eventually { door.gate.arrived == 1 })
        #expect(server.application.times(.bodies) == 0)
        #expect(try client.staysSilent(milliseconds: 100))
        // Other requests do not wait for it.
        #expect(try server.get("/hello").text == "hello")
        door.gate.open()
        #expect(try client.readResponse().status == 503)
        #expect(server.application.times(.bodies) == 1)
    }

    @Test(arguments: [announced, chunked])
    func continuesOnlyAfterItIsDecided(_ framing: String) throws {
        let door = Door()
        let server = try TestServer(extra: [door.route])
        let client = try server.connect()
        try client.send(Self.head("wait", framing, "Expect: 100-continue\r\n"))
        #expect(eventually { door.gate.arrived == 1 })
        #expect(try client.staysSilent(milliseconds: 100))
        door.gate.open()
        #expect(try client.readResponse().status == 100)
        try client.send(framing == Self.chunked ? Self.chunks(Self.length) : Pattern.text(Self.length))
        #expect(try client.readResponse().text == "\(Self.length) bytes")
        let refused = try server.connect()
        try refused.send(Self.head("guess", framing, "Expect: 100-continue\r\n"))
        let answer = try refused.readResponse()
        #expect(answer.status == 401)
        #expect(answer.announcesClose)
    }

    @Test func answersWhenNoWorkerIsLeft() throws {
        let door = Door()
        let server = try TestServer(extra: [door.route]) {
            $0.workers = 1
            $0.maximumWaitingRequests = 0
        }
        let running = try server.connect()
        try running.send(TestServer.get("/gate/worker"))
        #expect(eventually { server.application.gate.arrived == 1 })
        let refused = try server.exchange(Self.head("good", Self.announced))
        #expect(refused.status == 503)
        #expect(refused.announcesClose)
        server.application.gate.open()
        #expect(try running.readResponse().text == "through")
    }

    @Test func endsWhenTheDecisionTakesTooLong() throws {
        let door = Door()
        let server = try TestServer(extra: [door.route]) { $0.deadlines.handling = .milliseconds(300) }
        let client = try server.connect()
        try client.send(Self.head("wait", Self.announced))
        let answer = try client.readResponse()
        #expect(answer.text == "handlingTimeout")
        #expect(answer.announcesClose)
        door.gate.open()
        #expect(try server.get("/hello").text == "hello")
    }
}
