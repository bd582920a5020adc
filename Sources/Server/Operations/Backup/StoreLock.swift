import CFileStatus
import FileAccess
import Foundation

/// Marks a database as in use: `<file>.lock`, locked by every server of the database. The system releases the lock when
/// a process ends; the last process to end regularly deletes the file.
package final class StoreLock: Sendable {
    private let folder: OpenFolder
    private let name: String
    private let file: OpenFile

    /// Maximum attempts to open the file when other processes remove or replace it meanwhile, 2 ms apart.
    private static let maximumAttempts = 200

    /// Takes a shared lock or, if `alone`, an exclusive one. Nil if other locks prevent it. Creates the folder if
    /// necessary.
    ///
    /// Throws `FileFailure` if the file is not a regular one with a single hard link, or if other processes keep
    /// replacing it for half a second.
    package init?(store path: String, alone: Bool) throws {
        let (folderPath, storeName) = FilePath.split(path)
        folder = try OpenFolder.making(folderPath)
        name = storeName + ".lock"
        for _ in 0..<Self.maximumAttempts {
            guard let file = try Self.openOrCreate(name, in: folder) else { continue }
            guard flock(file.descriptor, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
                guard errno == EWOULDBLOCK else { throw FileFailure(path: file.path, errno: errno) }
                return nil
            }
            if try Self.isTheFile(name, in: folder, file) {
                try Self.giveToService(file, in: folder)
                self.file = file
                return
            }
            // The previous holder removed the file between the two calls.
            usleep(2000)
        }
        throw FileFailure(path: folder.path(of: name), reason: .keepsChanging)
    }

    /// Takes the lock for a starting server, and reports whether no other server was running. Waits up to a second for
    /// other servers that are starting; nil if a restore holds the lock.
    package static func serving(_ path: String) throws -> (lock: StoreLock, wasAlone: Bool)? {
        for _ in 0..<20 {
            if let lock = try StoreLock(store: path, alone: true), lock.share() { return (lock, true) }
            if let lock = try StoreLock(store: path, alone: false) { return (lock, false) }
            usleep(50_000)
        }
        return nil
    }

    /// False if a restore took the lock in between.
    private func share() -> Bool { flock(file.descriptor, LOCK_SH | LOCK_NB) == 0 }

    deinit {
        if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { folder.remove(name) }
    }

    /// Nil if the file appeared or disappeared between two calls.
    private static func openOrCreate(_ name: String, in folder: OpenFolder) throws -> OpenFile? {
        do {
            return try folder.open(name, writes: true)
        } catch {
            guard error.errno == ENOENT else { throw error }
        }
        do {
            return try folder.create(name)
        } catch {
            guard error.errno == EEXIST else { throw error }
            return nil
        }
    }

    private static func isTheFile(_ name: String, in folder: OpenFolder, _ file: OpenFile) throws -> Bool {
        let opened = try file.status()
        guard let named = folder.status(of: name) else { return false }
        return opened.number == named.number && opened.device == named.device
    }

    /// Lets the service open the file even if root is killed during a restore. Only an empty file owned by root with a
    /// single hard link is given away, after all other checks.
    private static func giveToService(_ file: OpenFile, in folder: OpenFolder) throws {
        let (status, owner) = (try file.status(), try folder.status())
        guard geteuid() == 0, status.owner == 0, owner.owner != 0, status.byte_count == 0, status.link_count == 1 else {
            return
        }
        try file.give(user: owner.owner, group: owner.group, mode: 0o600)
    }
}
