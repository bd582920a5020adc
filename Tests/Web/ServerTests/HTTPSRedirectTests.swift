import HTTPServer
import TestKit
import Testing

@Suite struct HTTPSRedirectTests {
    private static func answer(_ request: String, port: Int = 8443) throws -> RawResponse {
        let server = try HTTPServer(
            configuration: HTTPSRedirect.configuration(host: "127.0.0.1", port: 0),
            application: HTTPSRedirect(port: port))
        defer { server.stop(deadline: .zero) }
        return try RawClient.exchange(server.port, request)
    }

    private static func location(_ target: String, host: String, port: Int = 8443) throws -> String? {
        try answer("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n", port: port)["Location"]
    }

    @Test(arguments: [
        ("/", "api.example", "https://api.example:8443/"),
        ("/a%20b/%C3%A9?q=1&r=%0d%0aX:y", "api.example:8080", "https://api.example:8443/a%20b/%C3%A9?q=1&r=%0d%0aX:y"),
        ("/a?", "API.Example.", "https://API.Example.:8443/a"),
        ("/", "[2001:db8::1]:80", "https://[2001:db8::1]:8443/"), ("/", "127.0.0.1", "https://127.0.0.1:8443/"),
        // The apparent host is a path on ours.
        ("//evil.example/x", "api.example", "https://api.example:8443//evil.example/x"),
        ("/\\evil.example", "api.example", nil),
        ("/@evil.example", "api.example", "https://api.example:8443/@evil.example"),
        // RFC 9112 section 3.2.2: the target's host overrides the field.
        ("http://other.example/x?y", "api.example", "https://other.example:8443/x?y"),
        ("http://other.example?y", "api.example", "https://other.example:8443/?y"),
    ])
    func keepsTheAddress(target: String, host: String, expected: String?) throws {
        #expect(try Self.location(target, host: host) == expected)
    }

    @Test func leavesTheUsualPortOut() throws {
        #expect(try Self.location("/x", host: "api.example:80", port: 443) == "https://api.example/x")
    }

    @Test(arguments: [
        "api.example@evil.example", "evil.example/", "evil.example#", "-evil", ".evil", "a_b", "a%2eb", "[::1",
        "[evil]",
        "[1.2.3.4]", "a b", "a,b", "é.example", String(repeating: "a", count: 254), ":443",
    ])
    func sendsNobodyToWhatIsNoHost(host: String) throws {
        let answer = try Self.answer("GET /x HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(answer.status == 400)
        #expect(answer["Location"] == nil)
    }

    @Test func keepsMethodAndBody() throws {
        let answer = try Self.answer("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12.34")
        #expect(answer.status == 308)
        #expect(try Self.answer("GET / HTTP/1.0\r\n\r\n").status == 400, "no Host, no address")
        #expect(try Self.answer("GET /../x HTTP/1.1\r\nHost: h\r\n\r\n").status == 400)
    }
}
