import Foundation
import TestKit
import Testing
import ZlibCoding

@testable import BrotliCoding

/// Samples were compressed by the `brotli` package for Python, version 1.2.1.
@Suite(.serialized) struct BrotliStreamTests {
    private static let text = Array(
        String(repeating: "{\"name\":\"caf\u{E9}\",\"amount\":\"12.34\",\"since\":\"2024-02-29\"}\n", count: 500).utf8)

    private static func coded(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

    private static let codedText = coded(
        "G2trQB0HdosP4mmpZWVp2ZOItcJeX6oUMRsGOVnqMsYptGbAIWd8EPwCC5Aj95oTKp1U5rL+euqnSOLVSb/vYgAWQVtgjIQA")
    /// 9 MiB of zeros, whose decoder needs a window of 16 MiB, and of 4 MiB.
    private static let largeWindow = coded("n///j/gnAOKxQCD3/hE=")
    private static let usualWindow = coded("y///P/gnAOKxQCD3/q/+/x//BEAcFgHo3j8A")

    private static var samples: [(coded: [UInt8], plain: [UInt8])] {
        [
            (codedText, text), (coded("Ow=="), []),
            (coded("W5+GgX8CIB4LBLL8AgA="), [UInt8](repeating: 0, count: 100_000)),
            (text.storedBrotli, text),
        ]
    }

    private func inflated(_ coded: [UInt8], pieces: Int, room: Int) throws -> (bytes: [UInt8], isEnded: Bool) {
        let stream = BrotliStream()
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: coded.count, by: pieces) {
            try stream.inflate(Array(coded[start..<min(start + pieces, coded.count)]), room: room) { part in
                #expect((1...room).contains(part.count))
                bytes += part
            }
        }
        return (bytes, stream.isEnded)
    }

    @Test(arguments: [(1, 1000), (7, 64), (1000, 65_536), (1 << 20, 1)])
    func inflatesWhatArrivesInPieces(_ pieces: Int, _ room: Int) throws {
        for (coded, plain) in Self.samples {
            let result = try inflated(coded, pieces: pieces, room: room)
            #expect(result.bytes == plain && result.isEnded)
            #expect(try !inflated(Array(coded.dropLast(1)), pieces: pieces, room: room).isEnded)
            #expect(throws: Inflater.Failure.malformed) { try inflated(coded + [0], pieces: pieces, room: room) }
        }
        #expect(throws: Inflater.Failure.malformed) { try inflated(Self.text, pieces: pieces, room: room) }
    }

    @Test func inflatesAWholeBodyWithinItsLimit() throws {
        let all = Self.text
        #expect(try BrotliStream().inflate(whole: Self.codedText, maximumBytes: all.count) == all)
        #expect(throws: Inflater.Failure.tooLarge) {
            try BrotliStream().inflate(whole: Self.codedText, maximumBytes: all.count - 1)
        }
        for broken in [[], Array(Self.codedText.dropLast(1)), Self.codedText + [1]] {
            #expect(throws: Inflater.Failure.malformed) {
                try BrotliStream().inflate(whole: broken, maximumBytes: all.count)
            }
        }
    }

    @Test func asksAboutTheBeginningOnce() throws {
        for (prefixCount, seen) in [(100, 100), (1 << 20, Self.text.count), (0, 0)] {
            var prefixes: [[UInt8]] = []
            let whole = try BrotliStream().inflate(
                whole: Self.codedText, maximumBytes: Self.text.count, prefixCount: prefixCount
            ) { prefix in
                prefixes.append(prefix)
                return true
            }
            #expect(whole == Self.text)
            #expect(prefixes == (prefixCount == 0 ? [] : [Array(Self.text.prefix(seen))]))
        }
        let refusal = #expect(throws: Inflater.Failure.self) {
            _ = try BrotliStream().inflate(
                whole: Self.codedText, maximumBytes: Self.text.count, prefixCount: 100, accepts: { _ in false })
        }
        #expect(refusal == .refused(byteCount: 100), "nothing more was inflated")
    }

    /// 14 bytes announce a window of 16 MiB.
    @Test func boundsTheMemoryOfADecoder() throws {
        #expect(throws: Inflater.Failure.tooLarge) { try inflated(Self.largeWindow, pieces: 1000, room: 65_536) }
        #expect(try inflated(Self.usualWindow, pieces: 1000, room: 65_536).bytes.count == 9 << 20)
        #expect(BrotliMemory.bytesTogether == 0)
    }

    @Test func boundsTheMemoryOfAllDecoders() throws {
        var streams: [BrotliStream] = []
        var failure: Inflater.Failure?
        for _ in 0..<20 where failure == nil {
            let stream = BrotliStream()
            streams.append(stream)
            do {
                try stream.inflate(Array(Self.usualWindow.dropLast(1)), room: 65_536) { _ in }
            } catch let error as Inflater.Failure {
                failure = error
            }
        }
        #expect(failure == .exhausted && streams.count > 5)
        #expect(BrotliMemory.bytesTogether <= BrotliMemory.mostBytesTogether)
        streams = []
        #expect(BrotliMemory.bytesTogether == 0)
        #expect(try inflated(Self.codedText, pieces: 1000, room: 1000).bytes == Self.text)
    }
}
