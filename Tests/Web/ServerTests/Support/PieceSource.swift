import HTTPServer
import Synchronization

/// A streamed body whose pieces contain their numbers.
final class PieceSource: ChunkSource {
    private let pieces: Int
    private let bytes: Int
    private let breaksAfter: Int
    private let given = Mutex(0)

    init(pieces: Int, bytes: Int, breaksAfter: Int = .max) {
        self.pieces = pieces
        self.bytes = bytes
        self.breaksAfter = breaksAfter
    }

    /// The number of requested pieces.
    var asked: Int { given.withLock { $0 } }

    func nextChunk() throws -> [UInt8]? {
        let number = given.withLock { given in
            given += 1
            return given
        }
        if number > breaksAfter { throw TestRoutes.Broken() }
        guard number <= pieces else { return nil }
        return Self.piece(number, bytes: bytes)
    }

    static func piece(_ number: Int, bytes: Int) -> [UInt8] {
        Array(repeating: UInt8(ascii: "a") + UInt8(number % 26), count: bytes)
    }
}
