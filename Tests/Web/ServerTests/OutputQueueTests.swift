import TestKit
import Testing

@testable import HTTPServer

@Suite struct OutputQueueTests {
    private static func held(_ bytes: [UInt8]) throws -> HeldAnswer {
        try AnswerBudget(maximumBytes: 1 << 20).hold(bytes, for: .unlimited)
    }

    /// Removes everything, at most `size` bytes at a time.
    private static func drain(_ queue: inout OutputQueue, by size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while !queue.isEmpty {
            let piece = queue.withFirst { Array($0.prefix(size)) }
            bytes += piece
            queue.drop(piece.count)
        }
        return bytes
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func givesBackInOrder(_ size: Int) throws {
        var queue = OutputQueue()
        #expect(queue.isEmpty)
        queue.append(try Self.held(Array("12.34 ".utf8)), from: 2)
        queue.append(try Self.held(Array("caf\u{E9} ".utf8)))
        queue.append(try Self.held([]))
        queue.append(try Self.held(Array("29".utf8)))
        #expect(!queue.isEmpty)
        #expect(String(decoding: Self.drain(&queue, by: size), as: UTF8.self) == ".34 caf\u{E9} 29")
        #expect(queue.isEmpty)
        queue.append(try Self.held(Array("again".utf8)))
        #expect(String(decoding: Self.drain(&queue, by: size), as: UTF8.self) == "again")
    }

    @Test func staysEmptyWithNothingToSend() throws {
        var queue = OutputQueue()
        queue.append(try Self.held([]))
        queue.append(try Self.held([1, 2, 3]), from: 3)
        #expect(queue.isEmpty)
    }

    @Test func takesMoreWhileItIsDrained() throws {
        var random = SeededRandom(seed: 7)
        var queue = OutputQueue()
        var expected: [UInt8] = []
        var given: [UInt8] = []
        for _ in 0..<2000 {
            let segment = random.bytes(Int.random(in: 0...50, using: &random))
            expected += segment
            queue.append(try Self.held(segment))
            guard !queue.isEmpty else { continue }
            let piece = queue.withFirst { Array($0.prefix(Int.random(in: 1...40, using: &random))) }
            given += piece
            queue.drop(piece.count)
        }
        given += Self.drain(&queue, by: 100)
        #expect(given == expected)
    }
}
