import Crypto
import FileAccess
import TextCoding

/// Copies and hashes files piece by piece, so that a large one needs no memory.
enum HashedCopy {
    /// SHA-256 in hexadecimal, and the length.
    static func hash(_ file: OpenFile) throws -> (sha256: String, byteCount: Int64) { try read(file) { _ in } }

    /// Copies to a new file of the folder and waits until it is on disk.
    @discardableResult
    static func copy(
        _ source: OpenFile, to name: String, in folder: OpenFolder
    ) throws -> (sha256: String, byteCount: Int64) {
        let target = try folder.create(name)
        let result = try read(source) { try target.write($0) }
        try folder.finish(target)
        return result
    }

    private static func read(
        _ file: OpenFile, _ visit: (ArraySlice<UInt8>) throws -> Void
    ) throws -> (sha256: String, byteCount: Int64) {
        var hash = SHA256()
        var total: Int64 = 0
        try file.forEachPiece { piece in
            hash.update(data: piece)
            total += Int64(piece.count)
            try visit(piece)
        }
        return (Hexadecimal.text(hash.finalize()), total)
    }
}
