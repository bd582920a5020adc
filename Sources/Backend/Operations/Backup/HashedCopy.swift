import Crypto
import Foundation

/// Copies and hashes files piece by piece, so that a large one needs no memory.
enum HashedCopy {
    private static let pieceBytes = 1 << 20

    /// SHA-256 in hexadecimal, and the length.
    static func hash(_ path: String) throws -> (sha256: String, byteCount: Int64) { try read(path) { _ in } }

    /// Copies to a new file and waits until it is on disk.
    @discardableResult
    static func copy(_ source: String, to target: String) throws -> (sha256: String, byteCount: Int64) {
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DurableFile.Failure(path: target, errno: errno) }
        defer { close(descriptor) }
        let result = try read(source) { piece in
            try piece.withUnsafeBytes { buffer in
                var offset = 0
                while offset < buffer.count {
                    let count = write(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { throw DurableFile.Failure(path: target, errno: errno) }
                    offset += count
                }
            }
        }
        guard fsync(descriptor) == 0 else { throw DurableFile.Failure(path: target, errno: errno) }
        return result
    }

    private static func read(
        _ path: String, _ visit: (ArraySlice<UInt8>) throws -> Void
    ) throws -> (sha256: String, byteCount: Int64) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DurableFile.Failure(path: path, errno: errno) }
        defer { close(descriptor) }
        var hash = SHA256()
        var total: Int64 = 0
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        while true {
            let count = Foundation.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw DurableFile.Failure(path: path, errno: errno) }
            if count == 0 { break }
            hash.update(data: piece[..<count])
            total += Int64(count)
            try visit(piece[..<count])
        }
        let digits = Array("0123456789abcdef")
        return (String(hash.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }), total)
    }
}
