import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// 400: requests that cannot be parsed.
@Suite struct MalformedRequestTests {
    @Test func refusesBytesThatAreNotHTTP() throws {
        let server = try TestServer()
        defer { server.end() }
        for bytes in [
            "GARBAGE\r\n\r\n", "GET /healthz HTTP/1.1\r\n\r\n", "GET  /healthz HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost : h\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /caf\u{E9} HTTP/1.1\r\nHost: h\r\n\r\n",
            "POST /api/v1/suggestions HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
            "POST /api/v1/suggestions HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n{}",
        ] {
            let client = try server.connect()
            let response = try client.exchange(bytes)
            try server.expectProblem(response, .malformedRequest)
            #expect(response.announcesClose)
            #expect(try client.readToEnd(resetIsEnd: true) == [])
        }
    }

    @Test(arguments: [
        "/api/v1/../v1/catalogue", "/api/v1/./catalogue", "/api/v1/%2e%2E/catalogue", "/problems/%FF",
        "/problems/a%00b",
    ])
    func refusesPathsThatAreNone(_ path: String) throws {
        let server = try TestServer()
        defer { server.end() }
        try server.expectProblem(try server.get(path), .malformedPath)
    }

    @Test func refusesQueriesThatAreNotUTF8() throws {
        let server = try TestServer()
        defer { server.end() }
        for target in ["/api/v1/catalogue?q=%FF", "/api/v1/catalogue?%C3=1", "/api/v1/catalogue/search?q=%00"] {
            try server.expectProblem(try server.get(target), .malformedQuery)
        }
        try server.expectProblem(try server.admin(.owner, "GET", "/api/v1/admin/catalogue?q=%C3%28"), .malformedQuery)
    }

    /// Every way to send a body, with every kind of malformed JSON.
    @Test func refusesBodiesThatAreNotJSON() throws {
        let notJSON: [[UInt8]] =
            [
                "", " ", "{", "{}{}", "{\"id\":1,\"id\":2}", "{\"name\":NaN}", "{'name':1}", "[1,]", "nul",
                "{\"name\":\"a\u{1}\"}", "{\"name\":\"\\ud83d\"}", String(repeating: "[", count: 2000),
            ].map { Array($0.utf8) } + [Array("{\"name\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)]
        let server = try TestServer()
        defer { server.end() }
        let item = try server.item("netflix")
        for (method, target) in [
            ("POST", "/api/v1/suggestions"), ("POST", "/api/v1/analytics"), ("POST", "/api/v1/admin/catalogue"),
            ("PATCH", "/api/v1/admin/catalogue/\(item.id.lowercased)"),
        ] {
            for body in notJSON {
                let fields = [try server.authorization(.owner), "Content-Type: application/json"]
                let response = try server.exchange(HTTPCall(method, target, fields, body: body))
                let problem = try server.expectProblem(response, .malformedJSON)
                expect(problem["detail"]?.stringValue ?? "", contains: ["byte"])
            }
        }
    }

    /// Other protocol errors are problems of the closed set too.
    @Test func namesMethodsVersionsAndExpectationsThatItDoesNotKnow() throws {
        let server = try TestServer()
        defer { server.end() }
        for (bytes, code) in [
            ("BREW /healthz HTTP/1.1\r\nHost: h\r\n\r\n", ProblemCode.methodNotImplemented),
            ("TRACE /healthz HTTP/1.1\r\nHost: h\r\n\r\n", .methodNotAllowed),
            ("GET /healthz HTTP/2.0\r\nHost: h\r\n\r\n", .versionNotSupported),
            (
                "POST /api/v1/suggestions HTTP/1.1\r\nHost: h\r\nExpect: 200-ok\r\nContent-Length: 2\r\n\r\n{}",
                .expectationFailed
            ),
            (
                "POST /api/v1/suggestions HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                .transferCodingNotImplemented
            ),
        ] {
            try server.expectProblem(try server.connect().exchange(bytes), code)
        }
    }
}
