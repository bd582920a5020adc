import CFileStatus
import Foundation

/// A lock that processes of one device share by a file; it goes with the value, and with the process however that ends.
final class FileLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Waits until the lock is free, `patience` at most; nil when it was not. Refuses a link and what is no file: whoever
    /// put it there could have another file made or held.
    static func take(_ path: String, patience: Duration) async throws(ClientError) -> FileLock? {
        // Without waiting: a pipe in its place has nobody at the other end.
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            guard ![ELOOP, EISDIR, ENXIO].contains(errno) else { throw .unsafeLock(path: path) }
            throw .store("cannot open \(path): \(String(cString: strerror(errno)))")
        }
        let lock = FileLock(descriptor: descriptor)
        var status = file_status()
        guard file_status_of_descriptor(descriptor, &status), status.is_regular else {
            throw .unsafeLock(path: path)
        }
        let end = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else { return nil }
            do { try await Task.sleep(for: .milliseconds(20)) } catch { throw .cancelled }
        }
        return lock
    }
}
