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
    package func run(at now: UTCInstant) throws -> (backup: String, copy: RestoredCopy) {
        let newest = folder.list(at: now).last
        let place = "\(folder.path)/.unfinished-drill-\(UUID().uuidString.lowercased())"
        defer { try? FileManager.default.removeItem(atPath: place) }
        do {
            guard let newest else { throw RestoreError.notABackup(folder.path) }
            let copy = try RestoredCopy(of: newest, into: place, at: now, random: random)
            try BackupStatus.update(in: folder) { status in
                status.lastDrillAt = now
                status.lastDrillSucceeded = true
                status.lastProvenAt = now
                status.lastProven = newest
            }
            return (newest, copy)
        } catch {
            try? BackupStatus.update(in: folder) { status in
                status.lastDrillAt = now
                status.lastDrillSucceeded = false
            }
            throw error
        }
    }
}
