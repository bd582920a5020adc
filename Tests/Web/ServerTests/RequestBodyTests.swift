import TestKit
import Testing

@Suite struct RequestBodyTests {
    @Test func echoesABodyOfAMebibyte() throws {
        let server = try TestServer()
        let client = try server.connect()
        let body = Pattern.text(1_048_576)
        #expect(try client.exchange(TestServer.post("/echo", body)).text == body)
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
    }

    @Test func echoesAChunkedBodyOfAMebibyte() throws {
        let server = try TestServer()
        let client = try server.connect()
        let body = Pattern.text(1_048_576)
        var request = "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        var rest = body[...]
        var size = 1
        while !rest.isEmpty {
            let chunk = rest.prefix(size)
            request += String(chunk.utf8.count, radix: 16) + "\r\n" + chunk + "\r\n"
            rest = rest.dropFirst(chunk.count)
            size = size * 3 % 70_001 + 1
        }
        #expect(try client.exchange(request + "0\r\nX-Trailer: dropped\r\n\r\n").text == body)
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
    }

    @Test func takesABodyOfExactlyTheRoutesLimit() throws {
        let server = try TestServer()
        let body = Pattern.text(64)
        #expect(try server.exchange(TestServer.post("/small", body)).text == body)
    }

    @Test func refusesALengthOverTheRoutesLimitWithoutReadingIt() throws {
        let server = try TestServer()
        let client = try server.connect()
        // The body is announced but never sent: a response shows that the server does not wait for it.
        let response = try client.exchange("POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 65\r\n\r\n")
        #expect(response.status == 413)
        #expect(response.text == "bodyTooLarge")
        #expect(response.announcesClose)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func refusesChunksOverTheRoutesLimit() throws {
        let server = try TestServer()
        let client = try server.connect()
        let head = "POST /small HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let response = try client.exchange(head + "40\r\n" + Pattern.text(64) + "\r\n1\r\na\r\n")
        #expect(response.status == 413)
        #expect(response.announcesClose)
        #expect(try client.readToEnd().isEmpty)
    }

    /// The response must reach a client that is still sending: closing with unread input would cause a reset.
    @Test func tellsAClientInTheMiddleOfABodyThatItIsTooLarge() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 200000\r\n\r\n")
        #expect(eventually { server.application.observed.count == 1 })
        for _ in 0..<20 {
            try client.send(Pattern.text(10_000))
            #expect(try !client.staysSilent(milliseconds: 5))
        }
        #expect(try client.readResponse().status == 413)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func readsAndDropsTheBodyOfAnUnknownAddress() throws {
        let server = try TestServer()
        let client = try server.connect()
        #expect(try client.exchange(TestServer.post("/nowhere", Pattern.text(100_000))).status == 404)
        #expect(try client.exchange(TestServer.post("/hello", Pattern.text(100_000))).status == 405)
        #expect(try client.exchange(TestServer.post("/guarded", Pattern.text(1000))).status == 401)
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
    }

    @Test func doesNotTakeALeftBodyForARequest() throws {
        // A GET may have a body, which belongs to the GET whatever it contains.
        let server = try TestServer()
        let client = try server.connect()
        let canary = TestServer.get("/canary")
        try client.send(
            "GET /hello HTTP/1.1\r\nHost: h\r\nContent-Length: \(canary.utf8.count)\r\n\r\n" + canary
                + TestServer.get("/id", "X-Request-Id: after"))
        #expect(try client.readResponse().text == "hello")
        #expect(try client.readResponse().text == "after")
        #expect(server.application.timesAsked("/canary") == 0)
    }

    // MARK: Expect (RFC 9110 section 10.1.1)

    private static func expecting(_ target: String, length: Int, method: String = "POST") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: \(length)\r\n\r\n"
    }

    @Test func tellsTheClientToContinueWhenTheBodyIsWanted() throws {
        let server = try TestServer()
        let client = try server.connect()
        for _ in 0..<2 {
            try client.send(Self.expecting("/echo", length: 5))
            let interim = try client.readResponse()
            #expect(interim.status == 100)
            #expect(interim.fields.isEmpty)
            try client.send("12.34")
            #expect(try client.readResponse().text == "12.34")
        }
    }

    @Test func tellsTheClientToContinueWithChunks() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(
            "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(try client.readResponse().status == 100)
        try client.send("5\r\n12.34\r\n0\r\n\r\n")
        #expect(try client.readResponse().text == "12.34")
    }

    @Test func saysNothingInBetweenWhenTheBodyIsThere() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(Self.expecting("/echo", length: 5) + "12.34")
        let response = try client.readResponse()
        #expect(response.status == 200)
        #expect(response.text == "12.34")
    }

    @Test(arguments: [
        ("/nowhere", "POST", 5, 404), ("/hello", "POST", 5, 405), ("/small", "POST", 65, 413),
        ("/guarded", "POST", 5, 401),
        ("/a/../b", "PUT", 5, 400),
    ])
    func answersAtOnceWhenTheBodyIsNotWanted(_ target: String, _ method: String, _ length: Int, _ status: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(Self.expecting(target, length: length, method: method))
        let response = try client.readResponse()
        #expect(response.status == status)
        // The body may still follow, so the start of the next request is unknown.
        #expect(response.announcesClose)
        try? client.send(TestServer.get("/canary"))
        #expect(try client.readToEnd(resetIsEnd: true).isEmpty)
        #expect(server.application.timesAsked("/canary") == 0)
    }

    @Test func answersAfterWhatWasAskedBefore() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(TestServer.get("/gate/deferred") + Self.expecting("/echo", length: 5))
        #expect(eventually { server.application.gate.arrived == 1 })
        server.application.gate.open()
        #expect(try client.readResponse().text == "through")
        #expect(try client.readResponse().status == 100)
        try client.send("12.34")
        #expect(try client.readResponse().text == "12.34")
    }
}
