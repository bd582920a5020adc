package import CFileStatus
import Foundation

/// A regular file with a single name, opened by name in an ``OpenFolder``.
package final class OpenFile: Sendable {
    /// For messages.
    package let path: String
    package let descriptor: Int32

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Current size, owner and permissions.
    package func status() throws(FileFailure) -> file_status {
        var status = file_status()
        guard file_status_of_descriptor(descriptor, &status) else { throw failure }
        return status
    }

    /// Visits the content in chunks of one megabyte, so that a large file needs no memory.
    package func forEachPiece(_ visit: (ArraySlice<UInt8>) throws -> Void) throws {
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure }
            if count == 0 { return }
            try visit(piece[..<count])
        }
    }

    /// Reads on from where the last call ended; empty at the end of the file.
    package func nextPiece(atMost count: Int) throws(FileFailure) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: count)
        while true {
            let found = read(descriptor, &piece, count)
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else { throw failure }
            return Array(piece.prefix(found))
        }
    }

    /// Returns the whole content. Throws ``FileFailure/Reason/tooLarge(maximumBytes:)`` beyond `maximumBytes`.
    package func bytes(maximumBytes: Int) throws -> [UInt8] {
        guard try status().byte_count <= maximumBytes else { throw tooLarge(maximumBytes) }
        var bytes: [UInt8] = []
        try forEachPiece { piece in
            guard bytes.count + piece.count <= maximumBytes else { throw tooLarge(maximumBytes) }
            bytes += piece
        }
        return bytes
    }

    package func write(_ bytes: some Collection<UInt8>) throws {
        try Array(bytes).withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let count = Foundation.write(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure }
                offset += count
            }
        }
    }

    /// Syncs the file to disk.
    package func synchronize() throws(FileFailure) {
        guard fsync(descriptor) == 0 else { throw failure }
    }

    /// Sets owner and permission bits. Only root can change the owner.
    package func give(user: UInt32, group: UInt32, mode: UInt32) throws(FileFailure) {
        let status = try status()
        if status.owner != user || status.group != group, fchown(descriptor, user, group) != 0, geteuid() == 0 {
            throw failure
        }
        // After the owner, because changing the owner clears permission bits.
        guard fchmod(descriptor, mode) == 0 else { throw failure }
    }

    private var failure: FileFailure { FileFailure(path: path, errno: errno) }

    private func tooLarge(_ maximum: Int) -> FileFailure {
        FileFailure(path: path, reason: .tooLarge(maximumBytes: maximum))
    }
}

/// The identity of a file.
package struct FileStatus: Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Nil if there is no file. Follows symbolic links.
    package init?(of path: String) {
        var information = file_status()
        guard file_status_at(path, &information) else { return nil }
        device = information.device
        number = information.number
    }

    /// Whether both are the same file, under any name.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }
}
