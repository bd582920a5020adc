import CFileStatus
import FileAccess
import Foundation
package import SubGuardDomain

/// Verifies that the most recent backup can be restored by restoring it into a temporary folder.
package struct RestoreDrill: Sendable {
    private let folder: BackupFolder
    private let targets: [String]
    private let random: @Sendable () -> UInt64

    /// - Parameter targets: the folders in which a restore replaces files. Those that do not exist yet are ignored.
    package init(folder: BackupFolder, targets: [String] = [], random: @escaping @Sendable () -> UInt64) {
        self.folder = folder
        self.targets = targets
        self.random = random
    }

    /// Restores the newest backup into a temporary folder, verifies it, deletes the folder and records the result. Also
    /// replaces a file in each of the targets, as the restore will.
    /// Throws the errors of ``RestoredCopy``, and ``RestoreError/noBackup(in:)`` if there is none.
    ///
    /// - Parameter room: the parent of the temporary folder; nil means the backup folder.
    package func run(at now: UTCInstant, in room: String? = nil) throws -> (backup: String, copy: RestoredCopy) {
        let open: OpenFolder
        do {
            open = try OpenFolder(folder.path)
        } catch {
            guard error.errno == ENOENT else { throw error }
            throw RestoreError.noBackup(in: folder.path)
        }
        let newest = folder.list(in: open, at: now).last
        // SQLite opens the copy by path, so it must be where the process has access with its current rights.
        let working = open.needsRoot ? try room.map { try OpenFolder($0) } ?? open : open
        let place = ".unfinished-drill-\(UUID().uuidString.lowercased())"
        defer { working.removeTree(place) }
        do {
            guard let newest else { throw RestoreError.noBackup(in: folder.path) }
            let copy = try RestoredCopy(of: newest, into: working, named: place, at: now, random: random)
            for target in targets { try Self.replaceFile(in: target) }
            try BackupStatus.update(in: open) { status in
                status.lastDrillAt = now
                status.lastDrillSucceeded = true
                status.lastProvenAt = now
                status.lastProven = newest
            }
            return (newest, copy)
        } catch {
            try? BackupStatus.update(in: open) { status in
                status.lastDrillAt = now
                status.lastDrillSucceeded = false
            }
            throw error
        }
    }

    private static func replaceFile(in path: String) throws {
        let folder: OpenFolder
        do {
            folder = try OpenFolder(path)
        } catch {
            guard error.errno == ENOENT else { throw error }
            return
        }
        let names = ["a", "b"].map { "drill-\(UUID().uuidString.lowercased())-\($0).unfinished" }
        defer { for name in names { folder.remove(name) } }
        for name in names { try folder.finish(folder.create(name)) }
        try folder.rename(names[0], to: folder, as: names[1])
    }
}

/// Owner and mode of a file. Files restored by an operator as root must still belong to the service.
struct FileOwner: Sendable, Hashable {
    let user: UInt32
    let group: UInt32
    /// The permission bits.
    let mode: UInt32

    /// Reads them from a path; nil if nothing is there.
    init?(of path: String) {
        var information = file_status()
        guard file_status_at(path, &information) else { return nil }
        self.init(information, mode: information.permissions)
    }

    private init(_ status: file_status, mode: UInt32) {
        user = status.owner
        group = status.group
        self.mode = mode
    }

    /// The owner and mode for a file to be written: those of the existing file, else the folder's owner and `mode`.
    /// Throws `FileFailure` if something other than a regular file with a single hard link is there.
    static func successor(of name: String, in folder: OpenFolder, mode: UInt32) throws -> FileOwner {
        try folder.requirePlainFile(name)
        if let status = folder.status(of: name) { return FileOwner(status, mode: status.permissions) }
        return FileOwner(try folder.status(), mode: mode)
    }

    /// Sets owner and mode; call it last, because the file may then be inaccessible. Only root can change the owner.
    func apply(to file: OpenFile) throws { try file.give(user: user, group: group, mode: mode) }
}
