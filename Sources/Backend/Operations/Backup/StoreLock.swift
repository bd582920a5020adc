import CFileStatus
import Foundation

/// Says that a store is being served: `<file>.lock`, held by every server that runs on it. The system lets go of it when a
/// process ends, however it ends; the last one that ends well takes the file away.
package final class StoreLock: Sendable {
    private let name: String
    private let descriptor: Int32

    /// Several may hold it shared; alone, one at a time. Nil when others are in the way. Makes the folder if need be.
    package init?(store path: String, alone: Bool) throws {
        name = path + ".lock"
        try DurableFile.makeFolder(DurableFile.folder(of: path))
        while true {
            let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw DurableFile.Failure(path: name, errno: errno) }
            // Should root be killed while it restores, the service must still be able to open the file.
            if geteuid() == 0, let owner = FileOwner(of: DurableFile.folder(of: path)) {
                _ = fchown(descriptor, owner.user, owner.group)
            }
            guard flock(descriptor, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
                let reason = errno
                close(descriptor)
                if reason == EWOULDBLOCK { return nil }
                throw DurableFile.Failure(path: name, errno: reason)
            }
            if Self.isTheFile(at: name, descriptor) {
                self.descriptor = descriptor
                return
            }
            // Whoever held it last took it away between the two calls.
            close(descriptor)
        }
    }

    /// For a server that starts, and whether no other ran on the store at that moment. Waits a second for other servers
    /// that start at the same time; nil when a restore holds the store.
    package static func serving(_ path: String) throws -> (lock: StoreLock, wasAlone: Bool)? {
        for _ in 0..<20 {
            if let lock = try StoreLock(store: path, alone: true), lock.share() { return (lock, true) }
            if let lock = try StoreLock(store: path, alone: false) { return (lock, false) }
            usleep(50_000)
        }
        return nil
    }

    /// False when a restore came in between.
    private func share() -> Bool { flock(descriptor, LOCK_SH | LOCK_NB) == 0 }

    deinit {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(name) }
        close(descriptor)
    }

    private static func isTheFile(at name: String, _ descriptor: Int32) -> Bool {
        var opened = file_status()
        var named = file_status()
        return file_status_of_descriptor(descriptor, &opened) && file_status_of_link(name, &named)
            && opened.number == named.number && opened.device == named.device
    }
}
