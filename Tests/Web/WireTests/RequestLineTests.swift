import HTTPTypes
import Testing

@testable import HTTPWire

@Suite struct RequestLineTests {
    @Test(arguments: [
        ("GET / HTTP/1.1", RequestMethod.get, "/", "", UInt8(1)),
        ("HEAD /a HTTP/1.1", .head, "/a", "", 1),
        ("POST /a/b?c=d HTTP/1.1", .post, "/a/b", "c=d", 1),
        ("PUT /? HTTP/1.1", .put, "/", "", 1),
        ("PATCH /a??b HTTP/1.1", .patch, "/a", "?b", 1),
        ("DELETE //a//?x=/?y HTTP/1.1", .delete, "//a//", "x=/?y", 1),
        ("GET /caf%C3%A9?q=%F0%9F%8D%95 HTTP/1.1", .get, "/caf%C3%A9", "q=%F0%9F%8D%95", 1),
        ("GET /-._~!$&'()*+,;=:@ HTTP/1.1", .get, "/-._~!$&'()*+,;=:@", "", 1),
        ("OPTIONS * HTTP/1.1", .options, "*", "", 1),
        ("OPTIONS /a HTTP/1.1", .options, "/a", "", 1),
        ("TRACE /a HTTP/1.1", .trace, "/a", "", 1),
        ("GET / HTTP/1.0", .get, "/", "", 0),
        ("GET / HTTP/1.9", .get, "/", "", 1),
        ("GET http://example.org/a?b HTTP/1.1", .get, "/a", "b", 1),
        ("GET HTTP://example.org:8080 HTTP/1.1", .get, "/", "", 1),
        ("GET http://example.org?b=c HTTP/1.1", .get, "/", "b=c", 1),
        ("GET https://[2001:db8::1]:443/a HTTP/1.1", .get, "/a", "", 1),
        ("GET http://192.0.2.1/ HTTP/1.1", .get, "/", "", 1),
    ])
    func readsMethodTargetAndVersion(
        _ line: String, _ method: RequestMethod, _ path: String, _ query: String, _ minorVersion: UInt8
    ) throws {
        var expected = SeenHead()
        expected.method = method
        expected.path = path
        expected.query = query
        expected.minorVersion = minorVersion
        expected.keepsAlive = minorVersion > 0
        expected.fields = ["Host: h"]
        #expect(try ParserFeed.parse(octets("\(line)\r\nHost: h\r\n\r\n")) == [.head(expected), .end])
    }

    @Test(arguments: [
        ("/a/b?c=d", "/a/b?c=d"), ("/a?", "/a"), ("http://h/a?b", "/a?b"), ("http://h", "/"), ("http://h?b", "/?b"),
    ])
    func givesPathAndQueryAsOneKey(_ target: String, _ key: String) throws {
        var parser = RequestParser(limits: HTTPLimits())
        var head = RequestHead()
        let (event, _) = try withBytes("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n") { try parser.next($0, head: &head) }
        #expect(event == .head)
        #expect(head.withTarget { String(decoding: $0, as: UTF8.self) } == key)
    }

    @Test func ignoresOneEmptyLineBeforeTheRequest() throws {
        // RFC 9112 section 2.2
        let seen = try ParserFeed.parse(octets("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"))
        #expect(seen.count == 2)
    }

    @Test(arguments: refusedLines)
    func refuses(_ refused: RefusedHead) {
        let refusal = ParserFeed.refusal(octets(refused.head.request))
        #expect(refusal?.status.code == refused.status)
        #expect(refusal?.code == refused.code)
    }

    private static let refusedLines: [RefusedHead] = [
        RefusedHead("9112 2.2", "bare LF after the request line", "GET / HTTP/1.1\nHost: h\r\n\r\n"),
        RefusedHead("9112 2.2", "bare LF throughout", "GET / HTTP/1.1\nHost: h\n\n"),
        RefusedHead("9112 2.2", "bare CR in the request line", "GET /\rHTTP/1.1\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 2.2", "CR CR LF", "GET / HTTP/1.1\r\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 2.2", "two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 2.2", "blank before the request line", " GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 3", "two spaces after the method", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 3", "two spaces before the version", "GET /  HTTP/1.1\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 3", "blank after the version", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n"),
        RefusedHead("9112 3", "TAB as separator", "GET\t/\tHTTP/1.1\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 3", "no target", "GET HTTP/1.1\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 3", "HTTP/0.9", "GET /\r\n"),
        RefusedHead("9112 3", "only a word", "GET\r\n\r\n"),
        RefusedHead("9112 2.3", "lower-case protocol name", "GET / http/1.1\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 2.3", "two digits of minor version", "GET / HTTP/1.10\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 2.3", "no minor version", "GET / HTTP/1\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 2.3", "comma in the version", "GET / HTTP/1,1\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 2.3", "a letter as version", "GET / HTTP/x.1\r\nHost: h\r\n\r\n"),
        RefusedHead("9110 15.6.6", "HTTP/2.0", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", .unknownVersion),
        RefusedHead("9110 15.6.6", "HTTP/0.9 spelled out", "GET / HTTP/0.9\r\nHost: h\r\n\r\n", .unknownVersion),
        RefusedHead("9113 3.4", "HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unknownVersion),
        RefusedHead("9110 9.1", "lower-case method", "get / HTTP/1.1\r\nHost: h\r\n\r\n", .unknownMethod),
        RefusedHead("9110 9.1", "unknown method", "BREW / HTTP/1.1\r\nHost: h\r\n\r\n", .unknownMethod),
        RefusedHead("9110 9.1", "longer than a known one", "GETS / HTTP/1.1\r\nHost: h\r\n\r\n", .unknownMethod),
        RefusedHead("9110 9.3.6", "CONNECT", "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", .unknownMethod),
        RefusedHead("9110 5.6.2", "method with a parenthesis", "G(T / HTTP/1.1\r\nHost: h\r\n\r\n"),
        RefusedHead("9110 5.6.2", "method with NUL", "GE\0T / HTTP/1.1\r\nHost: h\r\n\r\n"),
        RefusedHead("9112 3.2", "a TLS handshake", "\u{16}\u{03}\u{01}\u{02}\0\u{01}\0\u{01}\u{FC}\u{03}\u{03}"),
        .target("9112 3.2", "index.html"),
        .target("9112 3.2.3", "h:80"),
        .target("9112 3.2.4", "*"),
        .target("9112 3.2.4", "*x"),
        .target("9112 3.2.2", "http://"),
        .target("9112 3.2.2", "http:///a"),
        .target("9112 3.2.2", "ftp://h/"),
        .target("9112 3.2.2", "http:/h/"),
        .target("9110 4.2.4", "http://user@h/"),
        .target("3986 3.2.3", "http://h:65536/"),
        .target("3986 3.2.3", "http://h:8o/"),
        .target("3986 3.2.2", "http://[::1/"),
        .target("3986 3.2.2", "http://[::1]x/"),
        .target("3986 3.2.2", "http://[]/"),
        .target("3986 3.2.2", "http://h/[a]"),
        .target("3986 3.4", "/?a\\b"),
        .target("3986 3.4", "/?\"a\""),
        .target("3986 3.3", "/[a]"),
        .target("3986 2", "/a\u{E9}"),
        .target("3986 2", "/a\"b"),
        .target("3986 2", "/a<b>"),
        .target("3986 2", "/a\\b"),
        .target("3986 2", "/a^b"),
        .target("3986 2", "/a`b"),
        .target("3986 2", "/{a}"),
        .target("3986 2", "/a|b"),
        .target("3986 2", "/a\u{7F}"),
        .target("3986 2", "/a\0b"),
        .target("3986 2", "/a\tb"),
        .target("3986 3.5", "/a#b"),
        .target("3986 2.1", "/%"),
        .target("3986 2.1", "/%4"),
        .target("3986 2.1", "/%zz"),
        .target("3986 2.1", "/%4g"),
        .target("3986 2.1", "/?q=%"),
    ]
}
