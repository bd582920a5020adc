import CFileStatus
import CSQLite
import FileAccess
import Foundation
import SQLDatabase

/// A folder for a temporary database under the system's temporary folder. Its process holds a lock on it, which ends
/// with the process, however that ends: the first that a later process makes deletes those of killed ones.
final class SQLiteTemporaryFolder: Sendable {
    let path: String
    private let descriptor: Int32

    private static let prefix = "subguard-sqlite-"
    private static let parent = FileManager.default.temporaryDirectory.path
    /// Where Linux has files in memory.
    private static let memory = "/dev/shm"
    private static let sweep: Void = [parent, memory].forEach { removeAbandoned(in: $0) }

    /// - Parameter byteCount: for so much; in memory if the disk of the system's temporary folder has no room for it.
    init(byteCount: Int64 = 4 << 20) throws {
        _ = Self.sweep
        let hasRoom = FreeSpace.bytes(at: Self.parent).map { $0 >= byteCount } ?? true
        let parent = hasRoom || access(Self.memory, W_OK) != 0 ? Self.parent : Self.memory
        for _ in 0..<10 {
            let path = "\(parent)/\(Self.prefix)\(UUID().uuidString.lowercased())"
            try SQLiteFile.createFolder(path)
            guard let descriptor = Self.lock(path) else { continue }
            self.path = path
            self.descriptor = descriptor
            return
        }
        throw SQLError(sqliteCode: SQLITE_CANTOPEN, context: "create folder")
    }

    deinit { close(descriptor) }

    /// Remains are harmless, so an error is ignored.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Nil for a folder that another process holds or has deleted. One that its file system cannot lock is never taken
    /// for abandoned.
    private static func lock(_ path: String, isOld: Bool = false) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var (opened, named) = (file_status(), file_status())
        let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || !isOld && errno != EWOULDBLOCK
        guard isLocked, file_status_of_descriptor(descriptor, &opened), file_status_of_link(path, &named),
            opened.number == named.number, opened.owner == geteuid()
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Deletes this user's folders of processes that are gone.
    static func removeAbandoned(in parent: String) {
        guard let folder = try? OpenFolder(parent) else { return }
        for name in folder.names() where name.hasPrefix(prefix) {
            guard let descriptor = lock(folder.path(of: name), isOld: true) else { continue }
            folder.removeTree(name)
            close(descriptor)
        }
    }
}
