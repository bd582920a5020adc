import HTTPTypes
import Testing

@testable import HTTPWire

@Suite struct RequestFieldTests {
    @Test(arguments: [
        ("X-A: b", "X-A: b"),
        ("X-A:b", "X-A: b"),
        ("X-A: \t b \t ", "X-A: b"),
        ("X-A:", "X-A: "),
        ("X-A:   ", "X-A: "),
        ("x-a: B c\td", "x-a: B c\td"),
        ("X-A: b: c", "X-A: b: c"),
        ("!#$%&'*+-.^_`|~09: v", "!#$%&'*+-.^_`|~09: v"),
        ("X-A: \"q\" (c) [d] {e} \\", "X-A: \"q\" (c) [d] {e} \\"),
    ])
    func readsNameAndTrimmedValue(_ line: String, _ field: String) throws {
        let seen = try ParserFeed.parse(octets("GET / HTTP/1.1\r\nHost: h\r\n\(line)\r\n\r\n"))
        var expected = SeenHead()
        expected.fields = ["Host: h", field]
        #expect(seen == [.head(expected), .end])
    }

    @Test func keepsOctetsThatAreNotASCII() throws {
        var head = RequestHead()
        var parser = RequestParser(limits: HTTPLimits())
        let request = Array("GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: caf\u{E9} 🍕\r\n\r\n".utf8)
        _ = try request.withUnsafeBytes { try parser.next($0, head: &head) }
        #expect(head.value(of: .userAgent) == "caf\u{E9} 🍕")
    }

    /// Comparing a text costs the square of a run of marks.
    @Test func longRunsOfMarksAndFlagsAreReplaced() throws {
        for count in [30, 31] {
            var head = RequestHead()
            var parser = RequestParser(limits: HTTPLimits())
            let value = "fre" + String(repeating: "\u{301}", count: count) + ";q=1"
            let request = Array("GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: \(value)\r\n\r\n".utf8)
            _ = try request.withUnsafeBytes { try parser.next($0, head: &head) }
            let expected = count == 30 ? value : "fre" + String(repeating: "\u{FFFD}", count: 2 * count) + ";q=1"
            #expect(head.value(of: .userAgent)?.unicodeScalars.elementsEqual(expected.unicodeScalars) == true)
        }
        for count in [64, 65] {
            var head = RequestHead()
            var parser = RequestParser(limits: HTTPLimits())
            let value = "f" + String(repeating: "\u{1F1E6}", count: count)
            let request = Array("GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: \(value)\r\n\r\n".utf8)
            _ = try request.withUnsafeBytes { try parser.next($0, head: &head) }
            let expected = count == 64 ? value : "f" + String(repeating: "\u{FFFD}", count: 4 * count)
            #expect(head.value(of: .userAgent) == expected)
        }
    }

    @Test(arguments: [
        ("Host: h", BodyFraming.none),
        ("Content-Length: 0", .length(0)),
        ("Content-Length: 5", .length(5)),
        ("content-length:0005", .length(5)),
        ("Transfer-Encoding: chunked", .chunked),
        ("transfer-encoding: CHUNKED", .chunked),
    ])
    func decidesFraming(_ line: String, _ framing: BodyFraming) throws {
        let host = line.hasPrefix("Host") ? "" : "Host: h\r\n"
        let head = try Self.head("POST / HTTP/1.1\r\n\(host)\(line)\r\n\r\n")
        #expect(head.framing == framing)
    }

    @Test(arguments: [
        ("HTTP/1.1", "X-A: b", true),
        ("HTTP/1.1", "Connection: close", false),
        ("HTTP/1.1", "Connection: CLOSE", false),
        ("HTTP/1.1", "Connection: x, close , y", false),
        ("HTTP/1.1", "Connection: keep-alive", true),
        ("HTTP/1.1", "Connection: keep-alive\r\nConnection: close", false),
        ("HTTP/1.1", "Connection: closed", true),
        ("HTTP/1.1", "Connection: ,,", true),
        ("HTTP/1.0", "X-A: b", false),
        ("HTTP/1.0", "Connection: keep-alive", true),
        ("HTTP/1.0", "Connection: Keep-Alive", true),
        ("HTTP/1.0", "Connection: keep-alive, close", false),
    ])
    func decidesWhetherTheConnectionGoesOn(_ version: String, _ line: String, _ keepsAlive: Bool) throws {
        // RFC 9112 section 9.3
        let head = try Self.head("GET / \(version)\r\nHost: h\r\n\(line)\r\n\r\n")
        #expect(head.keepsAlive == keepsAlive)
    }

    @Test(arguments: [
        ("HTTP/1.1", "Content-Length: 5", true),
        ("HTTP/1.1", "Transfer-Encoding: chunked", true),
        ("HTTP/1.1", "Content-Length: 0", false),
        ("HTTP/1.1", "X-A: b", false),
        ("HTTP/1.0", "Content-Length: 5", false),
    ])
    func waitsToBeToldToContinue(_ version: String, _ line: String, _ expectsContinue: Bool) throws {
        // RFC 9110 section 10.1.1: without a body a 100 is pointless; HTTP/1.0 has no expectations.
        let head = try Self.head("POST / \(version)\r\nHost: h\r\nExpect: 100-Continue\r\n\(line)\r\n\r\n")
        #expect(head.expectsContinue == expectsContinue)
    }

    @Test func ignoresAnUnknownExpectationOfHTTP10() throws {
        let head = try Self.head("POST / HTTP/1.0\r\nExpect: the-unexpected\r\n\r\n")
        #expect(!head.expectsContinue)
    }

    @Test func needsNoHostInHTTP10() throws {
        #expect(try Self.head("GET / HTTP/1.0\r\n\r\n").minorVersion == 0)
    }

    @Test(arguments: refusedFields)
    func refuses(_ refused: RefusedHead) {
        let refusal = ParserFeed.refusal(octets(refused.head.request))
        #expect(refusal?.status.code == refused.status)
        #expect(refusal?.code == refused.code)
    }

    private static func head(_ request: String) throws -> RequestHead {
        var head = RequestHead()
        var parser = RequestParser(limits: HTTPLimits())
        let (event, _) = try withBytes(request) { try parser.next($0, head: &head) }
        #expect(event == .head)
        return head
    }

    private static let refusedFields: [RefusedHead] =
        [
            RefusedHead("9112 3.2", "no Host", "GET / HTTP/1.1\r\n\r\n"),
            RefusedHead("9112 3.2", "Host twice", "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n"),
            RefusedHead("9112 3.2", "Host twice in HTTP/1.0", "GET / HTTP/1.0\r\nHost: h\r\nhost: i\r\n\r\n"),
            RefusedHead("9112 2.2", "blank before the first field", "GET / HTTP/1.1\r\n Host: h\r\n\r\n"),
            RefusedHead("9112 5.2", "obs-fold", "GET / HTTP/1.1\r\nHost: h\r\nX-A: b\r\n c\r\n\r\n"),
            RefusedHead("9112 5.2", "obs-fold with TAB", "GET / HTTP/1.1\r\nHost: h\r\nX-A: b\r\n\tc: d\r\n\r\n"),
            RefusedHead("9112 5.2", "obs-fold of only blanks", "GET / HTTP/1.1\r\nHost: h\r\nX-A: b\r\n \r\n\r\n"),
            RefusedHead("9112 2.2", "bare LF after a field", "GET / HTTP/1.1\r\nHost: h\nX-A: b\r\n\r\n"),
            RefusedHead("9112 2.2", "bare LF as the empty line", "GET / HTTP/1.1\r\nHost: h\r\n\n"),
            RefusedHead("9112 2.2", "CR CR LF after a field", "GET / HTTP/1.1\r\nHost: h\r\r\n\r\n"),
            RefusedHead(
                "9112 6.1", "chunked in HTTP/1.0",
                "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            RefusedHead(
                "9112 6.3", "length before coding",
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            RefusedHead(
                "9112 6.3", "coding before length",
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"),
        ]
        + ["", "a b", "a/b", "u@h", "h:http", "h:65536", "h:123456", "[::1", "[]", "[::g]", "[::1]x", "h%41", "\u{E9}"]
        .map {
            RefusedHead("9110 7.2", "Host: \($0)", "GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n")
        }
        + [
            "X-A : b", "X-A\t: b", ": b", "X-A", "X A: b", "X(A: b", "X-\u{E9}: b", "X-A\0: b", "\"X-A\": b",
        ].map { RefusedHead.field("9112 5.1", $0) }
        + ["X-A: b\0c", "X-A: b\u{01}", "X-A: b\rc", "X-A: \u{7F}", "X-A: b\u{0B}c", "X-A: \u{1B}[31m"].map {
            RefusedHead.field("9110 5.5", $0)
        }
        + [
            "+5", "-5", "5a", "0x5", "5_0", "5.0", "", "5 5", "5, 5", "5,6", "5;", "\"5\"", "\u{A0}5", "five", "1e1",
        ].map { RefusedHead.field("9112 6.2", "Content-Length: \($0)") }
        + [
            RefusedHead.field("9112 6.3", "Content-Length: 5\r\nContent-Length: 5"),
            RefusedHead.field("9112 6.3", "Content-Length: 5\r\nContent-Length: 6"),
            RefusedHead.field("9112 6.3", "Content-Length: 9223372036854775808", .bodyTooLarge),
            RefusedHead.field("9112 6.3", "Content-Length: 18446744073709551621", .bodyTooLarge),
            RefusedHead.field("9112 6.3", "Content-Length: 99999999999999999999999999", .bodyTooLarge),
        ]
        + [
            "gzip", "identity", "chunked, gzip", "chunked, chunked", "xchunked", "chunkedx", "chunked;q=1", "", ",",
            ", chunked", "chunked,", "\"chunked\"", "'chunked'", "chun ked", "\u{A0}chunked", "chunked\u{A0}",
            "gzip;q=1, chunked",
            "\u{0B}chunked", "chunked\0",
        ].map { RefusedHead.field("9112 6.1", "Transfer-Encoding: \($0)") }
        + [
            RefusedHead.field("9112 6.1", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
            RefusedHead.field("9112 6.1", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"),
            RefusedHead.field("9112 6.1", "Transfer-Encoding: gzip, chunked", .unknownTransferCoding),
            RefusedHead.field("9112 6.1", "Transfer-Encoding: deflate , gzip,\tchunked", .unknownTransferCoding),
            RefusedHead.field("9110 10.1.1", "Expect: 200-ok", .unknownExpectation),
            RefusedHead.field("9110 10.1.1", "Expect: 100-continue, x", .unknownExpectation),
            RefusedHead.field("9110 10.1.1", "Expect: 100-continue\r\nExpect: y", .unknownExpectation),
        ]
}
