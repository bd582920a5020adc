import CFileStatus
import FileAccess
import Foundation

/// A lock between processes of a device, held on a file. Released with the value, or when the process ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Waits for the lock; nil after `timeout`. Refuses links and anything but regular files, which an attacker could
    /// use to create or lock other files, and files of another user, who could hold the lock, in a folder that others
    /// may change.
    package static func take(_ path: String, timeout: Duration) async throws(ClientError) -> FileLock? {
        // Non-blocking, in case the path is a named pipe.
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            guard ![ELOOP, EISDIR, ENXIO].contains(errno) else { throw .unsafeLock(path: path) }
            throw .store("cannot open \(path): \(String(cString: strerror(errno)))")
        }
        let lock = FileLock(descriptor: descriptor)
        var status = file_status()
        guard file_status_of_descriptor(descriptor, &status), status.is_regular,
            (try? FilePath.requireTrustworthy(status, at: path)) != nil
        else {
            throw .unsafeLock(path: path)
        }
        let end = ContinuousClock.now + timeout
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else { return nil }
            do { try await Task.sleep(for: .milliseconds(20)) } catch { throw .cancelled }
        }
        return lock
    }
}
