import CFileStatus
import Foundation

/// Atomic file writes, with permissions for the owner only.
public enum WholeFile {
    /// Replaces the file atomically: on return the bytes are on disk; on an error the old file is unchanged. Follows symbolic
    /// links and replaces or creates their target.
    public static func write(_ bytes: [UInt8], to link: String) throws {
        let path = try target(of: link)
        let unfinished = path + ".\(UInt64.random(in: .min ... .max)).unfinished"
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write", path) }
        var isWritten = bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        isWritten = isWritten && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(unfinished, path) == 0 else {
            let error = failure("write", path)
            unlink(unfinished)
            throw error
        }
        // By hand: Foundation's own way to a path's folder stops the process at a name of one letter.
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let folder = open(parent, O_RDONLY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    /// - Parameter maximumBytes: larger files are refused, to protect memory.
    public static func read(_ path: String, maximumBytes: Int = 512 << 20) throws -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: path) else { throw failure("read", path) }
        defer { try? handle.close() }
        do {
            let data = try handle.read(upToCount: maximumBytes + 1) ?? Data()
            guard data.count <= maximumBytes else { throw DeviceStoreError.storage("\(path) is too large") }
            return Array(data)
        } catch let error as DeviceStoreError {
            throw error
        } catch {
            throw DeviceStoreError.storage("cannot read \(path): input/output error")
        }
    }

    /// The target of a chain of symbolic links; may not exist yet.
    private static func target(of path: String) throws -> String {
        var path = path
        // The limit of Linux.
        for _ in 0...40 {
            var status = file_status()
            guard file_status_of_link(path, &status), status.is_symbolic_link else { return path }
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                throw failure("write", path)
            }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            path = next.hasPrefix("/") ? next : folder + next
        }
        throw DeviceStoreError.storage("cannot write \(path): \(String(cString: strerror(ELOOP)))")
    }

    private static func failure(_ verb: String, _ path: String) -> DeviceStoreError {
        errno == ENOENT && verb == "read"
            ? .storage("file not found: \(path)")
            : .storage("cannot \(verb) \(path): \(String(cString: strerror(errno)))")
    }
}
