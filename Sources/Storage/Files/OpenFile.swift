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

    /// Size, owner and permissions as they are now.
    package func status() throws(FileFailure) -> file_status {
        var status = file_status()
        guard file_status_of_descriptor(descriptor, &status) else { throw failure }
        return status
    }

    /// Passes the content on in pieces of a megabyte, so that a large file needs no memory.
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

    /// The whole content. Throws ``FileFailure/Reason/tooLarge(maximumBytes:)`` for more than `maximumBytes`.
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

    /// Waits until the bytes are on disk.
    package func synchronize() throws(FileFailure) {
        guard fsync(descriptor) == 0 else { throw failure }
    }

    /// Gives the file an owner and permission bits. The owner changes only where the process may change it: root alone
    /// can give a file away.
    package func give(user: UInt32, group: UInt32, mode: UInt32) throws(FileFailure) {
        let status = try status()
        if status.owner != user || status.group != group, fchown(descriptor, user, group) != 0, geteuid() == 0 {
            throw failure
        }
        // After the owner, because a change of owner takes bits away.
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

    /// Nil when there is none. A symbolic link is followed.
    package init?(of path: String) {
        var information = file_status()
        guard file_status_at(path, &information) else { return nil }
        device = information.device
        number = information.number
    }

    /// Whether both are one file, whatever it is called.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }
}
