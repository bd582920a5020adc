import FileAccess
import Foundation
package import SubGuardDomain

/// Proves that the newest backup, the one that was written last, can be restored, by doing it somewhere else.
package struct RestoreDrill: Sendable {
    private let folder: BackupFolder
    private let random: @Sendable () -> UInt64

    package init(folder: BackupFolder, random: @escaping @Sendable () -> UInt64) {
        self.folder = folder
        self.random = random
    }

    /// Restores the newest backup into a folder of its own, proves it, takes the folder away and notes what came of it.
    /// Throws what ``RestoredCopy`` throws, and ``RestoreError/notABackup(_:)`` when there is none.
    ///
    /// - Parameter room: the folder in which the copy lies meanwhile; nil means the one with the backups.
    package func run(at now: UTCInstant, in room: String? = nil) throws -> (backup: String, copy: RestoredCopy) {
        let open: OpenFolder
        do {
            open = try OpenFolder(folder.path)
        } catch {
            guard error.errno == ENOENT else { throw error }
            throw RestoreError.notABackup(folder.path)
        }
        let newest = folder.list(in: open, at: now).last
        // SQLite opens the copy by path, so it must lie where the process may work with the rights that it has.
        let working = open.needsRoot ? try room.map { try OpenFolder($0) } ?? open : open
        let place = ".unfinished-drill-\(UUID().uuidString.lowercased())"
        defer { working.removeTree(place) }
        do {
            guard let newest else { throw RestoreError.notABackup(folder.path) }
            let copy = try RestoredCopy(of: newest, into: working, named: place, at: now, random: random)
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
}
