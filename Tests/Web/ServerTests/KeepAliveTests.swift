import HTTPServer
import HTTPWire
import TestKit
import Testing

@Suite struct KeepAliveTests {
    @Test func answersManyRequestsOnOneConnection() throws {
        let server = try TestServer()
        let client = try server.connect()
        for number in 0..<50 {
            let response = try client.exchange(TestServer.get("/query?n=\(number)"))
            #expect(response.text == "n=\(number)")
            #expect(!response.announcesClose)
        }
    }

    @Test func keepsHTTP10AliveWhenAsked() throws {
        let server = try TestServer()
        let client = try server.connect()
        for _ in 0..<3 {
            let response = try client.exchange("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(response.text == "hello")
            #expect(response["Connection"] == "keep-alive")
        }
    }

    @Test func closesAtTheMostRequestsOfAConnection() throws {
        let server = try TestServer { $0.maximumRequestsPerConnection = 3 }
        let client = try server.connect()
        #expect(try !client.exchange(TestServer.get("/hello")).announcesClose)
        #expect(try !client.exchange(TestServer.get("/hello")).announcesClose)
        #expect(try client.exchange(TestServer.get("/hello")).announcesClose)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func readsARequestThatComesByteByByte() throws {
        let server = try TestServer()
        let client = try server.connect()
        let request = TestServer.post("/echo", "caf\u{E9} 12.34 \u{20AC}", "X-Request-Id: leap-day")
        for octet in request.utf8 { try client.send([octet]) }
        let response = try client.readResponse()
        #expect(response.text == "caf\u{E9} 12.34 \u{20AC}")
        #expect(response["X-Request-Id"] == "leap-day")
    }

    @Test func answersAClientThatHasEndedItsSide() throws {
        let server = try TestServer()
        for target in ["/hello", "/blocking/hello", "/large?bytes=3000000", "/stream?pieces=3&bytes=5"] {
            let client = try server.connect()
            try client.send(TestServer.get(target))
            client.endOutput()
            #expect(try client.readResponse().status == 200, "\(target)")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    /// The configuration may allow a head larger than one read.
    @Test func readsAHeadLargerThanOneRead() throws {
        let server = try TestServer { $0.limits.headerBytes = 1_000_000 }
        let client = try server.connect()
        let value = Pattern.text(600_000).replacing(" ", with: "_")
        let request = TestServer.get("/hello", "X-Large: \(value)")
        try client.send(request)
        #expect(try client.readResponse().text == "hello")
        let half = request.utf8.count / 2
        try client.send(Array(request.utf8.prefix(half)))
        _ = try client.staysSilent(milliseconds: 50)
        try client.send(Array(request.utf8.dropFirst(half)))
        #expect(try client.readResponse().text == "hello")
    }

    @Test func forgetsAClientThatResetsWhileItIsServed() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(TestServer.get("/gate/deferred"))
        #expect(eventually { server.application.gate.arrived == 1 })
        client.closeByReset()
        #expect(eventuallyClosed(server))
        server.application.gate.open()
        #expect(try server.get("/hello").text == "hello")
    }

    private func eventuallyClosed(_ server: TestServer) -> Bool {
        eventually { server.application.openConnections == 0 }
    }
}
