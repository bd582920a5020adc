import Foundation

/// Writes files so that a crash leaves the old one or the new one, whole.
package enum DurableFile {
    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        package let errno: Int32

        package var description: String { "\(path): \(String(cString: strerror(errno)))" }
    }

    /// Replaces what is at the path. When this returns, content and name are on disk.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws {
        let unfinished = "\(path).\(UUID().uuidString.lowercased()).unfinished"
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure(path: path, errno: errno) }
        do {
            defer { close(descriptor) }
            try write(bytes, to: descriptor, path)
            guard fsync(descriptor) == 0 else { throw Failure(path: path, errno: errno) }
        } catch {
            unlink(unfinished)
            throw error
        }
        try rename(unfinished, to: path)
    }

    /// Gives a file or folder another name, in the place of what bears it, and waits until the name is on disk.
    package static func rename(_ old: String, to new: String) throws {
        guard Foundation.rename(old, new) == 0 else { throw Failure(path: new, errno: errno) }
        try synchronize(folder(of: new))
    }

    /// Waits until a file's bytes, or a folder's names, are on disk.
    package static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: path, errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure(path: path, errno: errno) }
    }

    /// Makes a folder that only its owner may enter, and those above it that are missing.
    package static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let above = folder(of: path)
        guard errno == ENOENT, above != path else { throw Failure(path: path, errno: errno) }
        try makeFolder(above)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Failure(path: path, errno: errno) }
    }

    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws {
        try bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let count = Foundation.write(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Failure(path: path, errno: errno) }
                offset += count
            }
        }
    }
}
