import TestKit
import Testing

@testable import HTTPWire

@Suite struct RequestParserTests {
    /// Pipelined requests with every kind of body.
    static let pipeline = [
        "GET /first?a=b HTTP/1.1\r\nHost: h\r\n\r\n",
        """
        POST /caf%C3%A9 HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nX-Request-Id: 2024-02-29\r\n\r\n\
        "12.34" \u{20AC}\r\n
        """,
        "POST /chunks HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5;name=\"v\"\r\n1\r\n34\r\n0a \t;x\r\n0123456789\r\n000\r\nX-Trailer: t\r\n\r\n",
        "\r\nDELETE / HTTP/1.1\r\nHost: [::1]:8080\r\nContent-Length: 0\r\n\r\n",
        "HEAD http://h HTTP/1.0\r\n\r\n",
    ]

    private static var input: [UInt8] { Array(pipeline.joined().utf8) }

    @Test func tellsPipelinedRequestsOneAfterTheOther() throws {
        let seen = try ParserFeed.parse(Self.input)
        var heads: [String] = []
        var bodies: [String] = []
        for event in seen {
            if case .head(let head) = event { heads.append("\(head.method.name) \(head.path)") }
            if case .body(let bytes) = event { bodies.append(String(decoding: bytes, as: UTF8.self)) }
        }
        #expect(heads == ["GET /first", "POST /caf%C3%A9", "POST /chunks", "DELETE /", "HEAD /"])
        #expect(bodies == ["\"12.34\" \u{20AC}", "1\r\n340123456789"])
        #expect(seen.filter { $0 == .end }.count == 5)
    }

    @Test func tellsTheSameByteByByte() throws {
        #expect(try ParserFeed.parseByteByByte(Self.input) == ParserFeed.parse(Self.input))
    }

    @Test func tellsTheSameForEverySplit() throws {
        let input = Self.input
        let whole = try ParserFeed.parse(input)
        for split in 0...input.count {
            var feed = ParserFeed()
            try feed.give(input[..<split])
            try feed.give(input[split...])
            #expect(feed.seen == whole, "split at \(split)")
            #expect(feed.pendingCount == 0)
        }
    }

    @Test func tellsTheSameForSplitsIntoThreeAtRandom() throws {
        let input = Self.input
        let whole = try ParserFeed.parse(input)
        var random = SeededSplits(seed: 29_02_2024)
        for _ in 0..<2000 {
            let (first, second) = random.next(upTo: input.count)
            var feed = ParserFeed()
            try feed.give(input[..<first])
            try feed.give(input[first..<second])
            try feed.give(input[second...])
            #expect(feed.seen == whole, "split at \(first) and \(second)")
        }
    }

    /// Other splits may change when the error occurs, but not whether, and no events may follow the rejected message.
    @Test func refusesTheSameForEverySplit() throws {
        let refused = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12.34X\r\n0\r\n\r\n"
        let input = octets(Self.pipeline[0] + refused + Self.pipeline[0])
        for split in 0...input.count {
            var feed = ParserFeed()
            #expect(throws: WireError.self) {
                try feed.give(input[..<split])
                try feed.give(input[split...])
            }
            #expect(feed.seen.filter { $0 == .end }.count == 1, "split at \(split)")
        }
    }

    @Test func saysWhenItIsBetweenRequests() throws {
        var feed = ParserFeed()
        #expect(feed.parser.isBetweenRequests)
        try feed.give(octets("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12"))
        #expect(!feed.parser.isBetweenRequests)
        try feed.give(octets(".34"))
        #expect(feed.parser.isBetweenRequests)
    }

    @Test func endsARequestOfLengthZeroAtOnce() throws {
        let seen = try ParserFeed.parse(octets("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"))
        #expect(seen.count == 2)
        #expect(seen.last == .end)
    }
}

private struct SeededSplits {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func next(upTo count: Int) -> (Int, Int) {
        let first = Int.random(in: 0...count, using: &random)
        let second = Int.random(in: 0...count, using: &random)
        return (min(first, second), max(first, second))
    }
}
