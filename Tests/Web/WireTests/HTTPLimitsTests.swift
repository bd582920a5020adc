import HTTPTypes
import Testing

@testable import HTTPWire

/// Each limit accepts exactly its bound and rejects one more, however the bytes arrive.
@Suite struct HTTPLimitsTests {
    private static let rest = "Host: h\r\n\r\n"

    /// A request line of `count` bytes without its line end.
    private static func line(_ count: Int) -> String {
        let ends = "GET / HTTP/1.1".utf8.count
        return "GET /" + String(repeating: "a", count: count - ends) + " HTTP/1.1\r\n"
    }

    @Test func takesARequestLineOfExactlyTheLimit() throws {
        let request = octets(Self.line(8192) + Self.rest)
        let seen = try ParserFeed.parse(request)
        #expect(seen.count == 2)
        #expect(try ParserFeed.parseByteByByte(request) == seen)
    }

    @Test func refusesARequestLineOneByteLonger() {
        let request = octets(Self.line(8193) + Self.rest)
        #expect(ParserFeed.refusal(request) == .requestLineTooLong)
        #expect(throws: WireError.requestLineTooLong) { try ParserFeed.parseByteByByte(request).count }
    }

    @Test func refusesARequestLineThatNeverEnds() {
        var feed = ParserFeed()
        #expect(throws: Never.self) { try feed.give(repeatElement(UInt8(ascii: "G"), count: 8192)) }
        #expect(throws: WireError.requestLineTooLong) { try feed.give(repeatElement(UInt8(ascii: "G"), count: 2)) }
    }

    /// Field lines of `total` bytes together, line ends included.
    private static func fields(_ total: Int, by size: Int) -> String {
        var text = "Host: h\r\n"
        while text.utf8.count < total {
            // The remainder must be long enough for a last line.
            let left = total - text.utf8.count
            let count = left - size >= 8 ? size : left
            text += "X: " + String(repeating: "v", count: count - 5) + "\r\n"
        }
        return text
    }

    @Test(arguments: [500, 20_000])
    func takesFieldLinesOfExactlyTheLimit(_ size: Int) throws {
        let request = octets("GET / HTTP/1.1\r\n" + Self.fields(32_768, by: size) + "\r\n")
        #expect(request.count == 16 + 32_768 + 2)
        #expect(try ParserFeed.parse(request).count == 2)
        #expect(try ParserFeed.parseByteByByte(request).count == 2)
    }

    @Test(arguments: [500, 20_000])
    func refusesFieldLinesOneByteLonger(_ size: Int) {
        let request = octets("GET / HTTP/1.1\r\n" + Self.fields(32_769, by: size) + "\r\n")
        #expect(ParserFeed.refusal(request) == .headerTooLarge)
        #expect(throws: WireError.headerTooLarge) { try ParserFeed.parseByteByByte(request).count }
    }

    @Test func aLongRequestLineTakesNothingFromTheFields() throws {
        let request = octets(Self.line(8192) + Self.fields(32_768, by: 500) + "\r\n")
        #expect(try ParserFeed.parse(request).count == 2)
    }

    @Test func refusesAFieldLineThatNeverEnds() {
        var feed = ParserFeed()
        #expect(throws: Never.self) { try feed.give(octets("GET / HTTP/1.1\r\nHost: h\r\nX: ")) }
        #expect(throws: WireError.headerTooLarge) {
            try feed.give(repeatElement(UInt8(ascii: "v"), count: 32_768))
        }
    }

    @Test func takesAHundredFieldsAndRefusesOneMore() throws {
        let hundred = "Host: h\r\n" + String(repeating: "X: v\r\n", count: 99)
        #expect(try ParserFeed.parse(octets("GET / HTTP/1.1\r\n\(hundred)\r\n")).count == 2)
        #expect(ParserFeed.refusal(octets("GET / HTTP/1.1\r\n\(hundred)Y: v\r\n\r\n")) == .headerTooLarge)
    }

    @Test func holdsTheBodyLimitForALength() throws {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: "
        #expect(try ParserFeed.parse(octets("\(head)5\r\n\r\n12.34"), bodyLimit: 5).count == 3)
        // Rejected when announced, before any byte of it arrives.
        #expect(ParserFeed.refusal(octets("\(head)6\r\n\r\n"), bodyLimit: 5) == .bodyTooLarge)
    }

    @Test func holdsTheBodyLimitForChunks() throws {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let five = octets(head + "2\r\n12\r\n3\r\n.34\r\n0\r\n\r\n")
        #expect(try ParserFeed.parse(five, bodyLimit: 5).count == 3)
        let six = octets(head + "2\r\n12\r\n4\r\n.345\r\n0\r\n\r\n")
        #expect(ParserFeed.refusal(six, bodyLimit: 5) == .bodyTooLarge)
        #expect(throws: WireError.bodyTooLarge) { try ParserFeed.parseByteByByte(six, bodyLimit: 5) }
    }

    @Test func startsTheBodyLimitAnewWithEachRequest() {
        let request = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12.34"
        var feed = ParserFeed(bodyLimit: 5)
        #expect(throws: Never.self) { try feed.give(octets(request + request)) }
        #expect(feed.seen.count == 6)
        feed.bodyLimit = nil
        var limits = HTTPLimits()
        limits.bodyBytes = 4
        #expect(ParserFeed.refusal(octets(request), limits: limits) == .bodyTooLarge)
    }
}
