import Foundation
import Synchronization

/// The filters for which there is no room in memory, in a file without a name that is gone with the process: everything
/// in it is also in the database.
///
/// A line is read with `pread` and not through a mapping, whose pages would count as memory of the process.
final class EventIDFilterFile: Sendable {
    private struct Space {
        var end: Int64 = 0
        /// Places that are free again, by their size.
        var free: [Int: [Int64]] = [:]
    }

    /// A filter in the file. Its place is free again when nothing refers to it.
    final class Place: Sendable {
        let byteCount: Int
        fileprivate let file: EventIDFilterFile
        fileprivate let offset: Int64

        fileprivate init(in file: EventIDFilterFile, offset: Int64, byteCount: Int) {
            self.file = file
            self.offset = offset
            self.byteCount = byteCount
        }

        deinit { file.free(offset, byteCount) }

        /// Reads a part of the filter. Returns false if that fails.
        func read(from start: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
            var count = 0
            while count < buffer.count {
                let result = pread(
                    file.descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count,
                    off_t(offset) + off_t(start + count))
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { return false }
                count += result
            }
            return true
        }
    }

    private let descriptor: Int32
    private let space = Mutex(Space())

    /// Nil if no file can be made in the folder.
    init?(folder: String) {
        var path = Array("\(folder)/subguard-filters-XXXXXX".utf8CString)
        let descriptor = path.withUnsafeMutableBufferPointer { path -> Int32 in
            guard let name = path.baseAddress else { return -1 }
            let descriptor = mkstemp(name)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                unlink(name)
            }
            return descriptor
        }
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Writes a filter. Returns nil if that fails, as on a full disk.
    func write(_ bytes: UnsafeRawBufferPointer) -> Place? {
        let offset = space.withLock { space -> Int64 in
            if let free = space.free[bytes.count]?.popLast() { return free }
            defer { space.end += Int64(bytes.count) }
            return space.end
        }
        let place = Place(in: self, offset: offset, byteCount: bytes.count)
        var count = 0
        while count < bytes.count {
            let result = pwrite(
                descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count, off_t(offset) + off_t(count))
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return nil }
            count += result
        }
        return place
    }

    private func free(_ offset: Int64, _ byteCount: Int) {
        space.withLock { $0.free[byteCount, default: []].append(offset) }
    }
}
