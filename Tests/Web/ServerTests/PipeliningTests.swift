import TestKit
import Testing

@Suite struct PipeliningTests {
    @Test func answersInOrder() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send((0..<200).map { TestServer.get("/query?n=\($0)") }.joined())
        for number in 0..<200 { #expect(try client.readResponse().text == "n=\(number)") }
    }

    @Test(arguments: ["/gate/deferred", "/gate/worker"])
    func keepsTheOrderAroundASlowAnswer(_ slow: String) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(
            TestServer.get("/query?n=1") + TestServer.get(slow) + TestServer.post("/echo", "12.34")
                + TestServer.get(slow) + TestServer.get("/query?n=3"))
        #expect(try client.readResponse().text == "n=1")
        #expect(eventually { server.application.gate.arrived == 1 })
        #expect(try client.staysSilent(milliseconds: 50))
        #expect(server.application.timesAsked("/echo") == 0)
        server.application.gate.open()
        #expect(try client.readResponse().text == "through")
        #expect(try client.readResponse().text == "12.34")
        #expect(eventually { server.application.gate.arrived == 2 })
        server.application.gate.open()
        #expect(try client.readResponse().text == "through")
        #expect(try client.readResponse().text == "n=3")
    }

    @Test func mixesBodiesAndMethods() throws {
        let server = try TestServer()
        let client = try server.connect()
        let chunked =
            "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nX: y\r\n\r\n"
        try client.send(
            TestServer.post("/echo", "first") + chunked + "HEAD /hello HTTP/1.1\r\nHost: h\r\n\r\n"
                + TestServer.post("/nowhere", "dropped") + TestServer.get("/stream?pieces=2&bytes=3") + "\r\n"
                + TestServer.get("/no-content") + TestServer.get("/hello"))
        #expect(try client.readResponse().text == "first")
        #expect(try client.readResponse().text == "abc")
        #expect(try client.readResponse(to: "HEAD")["Content-Length"] == "5")
        #expect(try client.readResponse().status == 404)
        #expect(try client.readResponse().body.count == 6)
        #expect(try client.readResponse().status == 204)
        #expect(try client.readResponse().text == "hello")
    }

    /// A client that sends requests without reading must not make the server accumulate responses.
    @Test(arguments: [7_000, 100_000])
    func stopsReadingFromAClientThatDoesNotRead(_ bytes: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        // Far more than the kernel buffers for a client that does not read.
        let count = 40_000_000 / bytes
        try client.send(String(repeating: TestServer.get("/large?bytes=\(bytes)"), count: count))
        #expect(eventually { server.application.timesAsked("/large") > 0 })
        #expect(settled { server.application.timesAsked("/large") } < count)
        let expected = Pattern.bytes(bytes)
        for _ in 0..<count {
            let response = try client.readResponse()
            if !response.hasBody(expected) { Issue.record("another body of \(response.body.count) bytes") }
        }
    }
}
