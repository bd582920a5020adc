import Foundation
import TestKit
import Testing
import ZlibCoding

@Suite struct InflaterTests {
    private static let text = Array(
        String(repeating: "{\"name\":\"caf\u{E9}\",\"amount\":\"12.34\",\"since\":\"2024-02-29\"}\n", count: 500).utf8)

    private static func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) } }

    private static var samples: [[UInt8]] {
        var random = SeededRandom(seed: 1952)
        return [
            [], [0], Array("a".utf8), text, [UInt8](repeating: 0, count: 100_000), random.bytes(70_000),
            pattern(65_536), pattern(65_537),
        ]
    }

    @Test(arguments: [Int32(1), 5, 9])
    func gzipAndBack(_ level: Int32) throws {
        for sample in Self.samples {
            let compressed = try #require(Gzip.compress(sample, level: level))
            #expect(compressed.starts(with: [0x1F, 0x8B]))
            #expect(try Inflater.inflate(compressed, maximumBytes: sample.count) == sample)
        }
        #expect(try #require(Gzip.compress(Self.text, level: level)).count < Self.text.count / 10)
    }

    /// The stream inside a gzip wrapper, which has 10 bytes of header without options and 8 bytes of trailer.
    private static func bare(_ sample: [UInt8]) throws -> [UInt8] {
        Array(try #require(Gzip.compress(sample)).dropFirst(10).dropLast(8))
    }

    private func inflated(_ coded: [UInt8], pieces: Int, room: Int) throws -> (bytes: [UInt8], isEnded: Bool) {
        let stream = InflatingStream()
        var bytes: [UInt8] = []
        var start = 0
        while start < coded.count {
            let end = min(start + pieces, coded.count)
            try stream.inflate(Array(coded[start..<end]), room: room) { part in
                #expect((1...room).contains(part.count))
                bytes += part
            }
            start = end
        }
        return (bytes, stream.isEnded)
    }

    @Test(arguments: [(1, 1000), (7, 64), (1000, 65_536), (1 << 20, 1)])
    func inflatesWhatArrivesInPieces(_ pieces: Int, _ room: Int) throws {
        for sample in Self.samples.filter({ $0.count < 40_000 || room > 1 && pieces > 1 }) {
            for coded in [try #require(Gzip.compress(sample)), try Self.zlib(sample), try Self.bare(sample)] {
                let result = try inflated(coded, pieces: pieces, room: room)
                #expect(result.bytes == sample && result.isEnded)
                #expect(try !inflated(Array(coded.dropLast(1)), pieces: pieces, room: room).isEnded)
            }
        }
        let coded = try #require(Gzip.compress(Self.text))
        #expect(throws: Inflater.Failure.malformed) { try inflated(coded + [0], pieces: pieces, room: room) }
        #expect(throws: Inflater.Failure.malformed) {
            try inflated(Array("plain text".utf8), pieces: pieces, room: room)
        }
    }

    /// RFC 1950: header, the bare stream, Adler-32.
    private static func zlib(_ sample: [UInt8]) throws -> [UInt8] {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for octet in sample {
            low = (low + UInt32(octet)) % 65_521
            high = (high + low) % 65_521
        }
        let sum = high << 16 | low
        return try [0x78, 0x9C] + bare(sample) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }

    @Test func inflatesWhatIsCalledDeflate() throws {
        for sample in Self.samples {
            #expect(try Inflater.inflate(Self.bare(sample), maximumBytes: sample.count) == sample)
            #expect(try Inflater.inflate(Self.zlib(sample), maximumBytes: sample.count) == sample)
        }
    }

    @Test func stopsAtTheBound() throws {
        for coded in [try #require(Gzip.compress(Self.text)), try Self.bare(Self.text), try Self.zlib(Self.text)] {
            #expect(try Inflater.inflate(coded, maximumBytes: Self.text.count).count == Self.text.count)
            #expect(throws: Inflater.Failure.tooLarge) {
                try Inflater.inflate(coded, maximumBytes: Self.text.count - 1)
            }
            #expect(throws: Inflater.Failure.tooLarge) { try Inflater.inflate(coded, maximumBytes: 0) }
        }
    }

    /// What `accepts` received, and the result.
    private static func inflate(
        _ coded: [UInt8], prefixCount: Int, accepts: Bool
    ) -> (prefixes: [[UInt8]], result: Result<[UInt8], Inflater.Failure>) {
        var prefixes: [[UInt8]] = []
        let result = Result { () throws(Inflater.Failure) in
            try Inflater.inflate(coded, maximumBytes: text.count, prefixCount: prefixCount) { prefix in
                prefixes.append(prefix)
                return accepts
            }
        }
        return (prefixes, result)
    }

    @Test func showsTheBeginningBeforeItInflatesTheRest() throws {
        for coded in [try #require(Gzip.compress(Self.text)), try Self.bare(Self.text), try Self.zlib(Self.text)] {
            // The rest may be missing or damaged if it is not needed.
            let cut = Array(coded.prefix(coded.count * 3 / 4))
            for count in [1, 10, 1000, Self.text.count, Self.text.count + 1] {
                let beginning = Array(Self.text.prefix(count))
                let whole = Self.inflate(coded, prefixCount: count, accepts: true)
                #expect(whole.prefixes == [beginning])
                #expect(try whole.result.get() == Self.text)
                let refused = Self.inflate(coded, prefixCount: count, accepts: false)
                #expect(refused.prefixes == [beginning])
                #expect(refused.result == .failure(.refused(byteCount: beginning.count)))
            }
            let refused = Self.inflate(cut, prefixCount: 10, accepts: false)
            #expect(refused.prefixes == [Array(Self.text.prefix(10))])
            #expect(refused.result == .failure(.refused(byteCount: 10)))
            #expect(Self.inflate(cut, prefixCount: 10, accepts: true).result == .failure(.malformed))
            #expect(Self.inflate(coded, prefixCount: 0, accepts: false).prefixes.isEmpty)
        }
        for noCode in [Array("plain".utf8), []] {
            let outcome = Self.inflate(noCode, prefixCount: 10, accepts: true)
            #expect(outcome.prefixes.isEmpty)
            #expect(outcome.result == .failure(.malformed))
        }
    }

    @Test func stopsABombBeforeItIsLarge() throws {
        let bomb = try #require(Gzip.compress([UInt8](repeating: 0, count: 50_000_000), level: 9))
        #expect(bomb.count < 100_000)
        #expect(throws: Inflater.Failure.tooLarge) { try Inflater.inflate(bomb, maximumBytes: 1_048_576) }
    }

    @Test func refusesEveryTruncation() throws {
        let small = Array("caf\u{E9} 12.34".utf8)
        for coded in [try #require(Gzip.compress(small)), try Self.bare(small), try Self.zlib(small)] {
            for count in 0..<coded.count {
                #expect(throws: Inflater.Failure.malformed, "\(count) of \(coded.count)") {
                    try Inflater.inflate(Array(coded[..<count]), maximumBytes: 1000)
                }
            }
        }
    }

    @Test func refusesWhatFollows() throws {
        for coded in [try #require(Gzip.compress(Self.text)), try Self.bare(Self.text), try Self.zlib(Self.text)] {
            for rest in [[0], Array("GET /".utf8), coded] {
                #expect(throws: Inflater.Failure.malformed) {
                    try Inflater.inflate(coded + rest, maximumBytes: 10 * Self.text.count)
                }
            }
        }
    }

    @Test func refusesADamagedSum() throws {
        for var coded in [try #require(Gzip.compress(Self.text)), try Self.zlib(Self.text)] {
            coded[coded.count - 5] ^= 1
            coded[coded.count - 1] ^= 1
            #expect(throws: Inflater.Failure.malformed) { try Inflater.inflate(coded, maximumBytes: Self.text.count) }
        }
    }

    @Test func neverCrashesOnDamage() throws {
        var random = SeededRandom(seed: 1951)
        let coded = [try #require(Gzip.compress(Self.text)), try Self.bare(Self.text), try Self.zlib(Self.text)]
        for round in 0..<3000 {
            var damaged = coded[round % 3]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = random.bytes(1)[0]
            }
            if let inflated = try? Inflater.inflate(damaged, maximumBytes: 100_000) {
                #expect(inflated.count <= 100_000)
            }
        }
        for _ in 0..<3000 {
            _ = try? Inflater.inflate(random.bytes(Int.random(in: 0...200, using: &random)), maximumBytes: 1000)
        }
    }
}
