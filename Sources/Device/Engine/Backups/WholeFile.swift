import CFileStatus
import Foundation

/// Files that are either there whole or not at all, readable by their owner alone.
public enum WholeFile {
    /// Puts the bytes in the place of the file; when this returns they are on disk, when it throws the old file stays. A
    /// symbolic link stays, and what it leads to is replaced or made.
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

    /// - Parameter maximumBytes: more are refused, so that a wrong name does not fill the memory.
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
            throw DeviceStoreError.storage("cannot read \(path)")
        }
    }

    /// Where a chain of symbolic links ends, which may be at no file yet.
    private static func target(of path: String) throws -> String {
        var path = path
        // As many as Linux follows.
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
        .storage("cannot \(verb) \(path): \(String(cString: strerror(errno)))")
    }
}
