import TestKit
import Testing

@testable import HTTPWire

/// Thousands of requests with random damage. Individual results are not predicted; invariants are checked for all.
@Suite struct RequestParserFuzzTests {
    private static let seeds: [[UInt8]] =
        RequestParserTests.pipeline.map { Array($0.utf8) } + [
            octets("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n"),
            octets("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\nff\r\n"),
            octets("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9223372036854775807\r\n\r\n"),
            octets("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n"),
        ]

    /// Syntactically significant fragments, so that damage is often meaningful.
    private static let splices: [[UInt8]] = [
        "\r\n", "\n", "\r", " ", "\t", ":", ",", ";", "0", "5", "\0", "%", "%41", "chunked",
        "Transfer-Encoding: chunked\r\n",
        "Content-Length: 5\r\n", "Host: h\r\n", "HTTP/1.1", "HTTP/1.0", "\r\n\r\n", "ffffffffffffffff", "-1", "+", "*",
        "http://", "[", "]", "\u{FF}", "\u{7F}",
    ].map(octets)

    private static func damaged(_ random: inout SeededRandom) -> [UInt8] {
        var bytes = (0..<Int.random(in: 1...3, using: &random)).flatMap { _ in
            seeds.randomElement(using: &random) ?? []
        }
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where place < bytes.count: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: splices.randomElement(using: &random) ?? [], at: place)
            case 3: bytes.removeLast(bytes.count - place)
            case 4:
                let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: bytes.append(UInt8.random(in: .min ... .max, using: &random))
            }
        }
        return bytes
    }

    /// Never a crash, never more consumed than passed (checked by the feed), and equal events whether the bytes arrive
    /// at once or in pieces.
    @Test(arguments: 1...8)
    func damageNeverMakesTheSplitMatter(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var refused = 0
        let rounds = 2500
        for round in 0..<rounds {
            let input = Self.damaged(&random)
            var whole = ParserFeed(bodyLimit: 64)
            var pieces = ParserFeed(bodyLimit: 64)
            let wholeRefusal = Self.refusal { () throws(WireError) in try whole.give(input) }
            let piecesRefusal = Self.refusal { () throws(WireError) in
                var rest = input[...]
                while !rest.isEmpty {
                    let piece = rest.prefix(Int.random(in: 1...20, using: &random))
                    rest = rest.dropFirst(piece.count)
                    try pieces.give(piece)
                }
            }
            if wholeRefusal != nil { refused += 1 }
            if (wholeRefusal == nil) != (piecesRefusal == nil) || Self.ends(whole) != Self.ends(pieces) {
                Issue.record("seed \(seed), round \(round): \(String(decoding: input, as: UTF8.self).debugDescription)")
            }
        }
        // Damage that is nearly always or hardly ever detected would mean that the test is badly aimed.
        #expect((rounds / 10...rounds * 19 / 20).contains(refused), "\(refused) of \(rounds) refused")
    }

    /// The completed requests. The body of an unfinished one may be reported or not, depending on the split.
    private static func ends(_ feed: ParserFeed) -> [Seen] {
        guard let last = feed.seen.lastIndex(of: .end) else { return [] }
        return Array(feed.seen[...last])
    }

    private static func refusal(_ work: () throws(WireError) -> Void) -> WireError? {
        do {
            try work()
            return nil
        } catch {
            return error
        }
    }
}
