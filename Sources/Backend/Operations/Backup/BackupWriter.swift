import Foundation
package import SQLDatabase
package import SubGuardDomain

/// Makes backups of a store that others go on writing to.
package struct BackupWriter: Sendable {
    private let store: SQLiteStore
    private let logos: LogoFolder
    private let program: String

    /// `program` names the version, for whoever finds the backup years later.
    package init(store: SQLiteStore, logos: LogoFolder, program: String) {
        self.store = store
        self.logos = logos
        self.program = program
    }

    /// Writes one backup and returns its path and manifest. When this returns it is on disk, whole; when it throws there
    /// is none.
    ///
    /// The store's copy is of one moment. Logos are copied after it: their files never change, and those that the copy
    /// shows stay for a month.
    package func write(to folder: BackupFolder, at now: UTCInstant) throws -> (path: String, manifest: BackupManifest) {
        let (unfinished, finished) = try folder.begin(at: now)
        do {
            let manifest = try fill(unfinished, at: now)
            try DurableFile.synchronize(unfinished + "/logos")
            try DurableFile.synchronize(unfinished)
            try DurableFile.rename(unfinished, to: finished)
            try BackupStatus.update(in: folder) { status in
                status.lastBackupAt = now
                status.lastBackup = finished
                status.lastBackupBytes = manifest.byteCount
            }
            return (finished, manifest)
        } catch {
            try? FileManager.default.removeItem(atPath: unfinished)
            throw error
        }
    }

    private func fill(_ folder: String, at now: UTCInstant) throws -> BackupManifest {
        let copy = "\(folder)/\(BackupManifest.storeName)"
        try store.snapshot(to: copy)
        let hashed = try HashedCopy.hash(copy)
        var files = [
            BackupManifest.File(
                path: BackupManifest.storeName, byteCount: hashed.byteCount, sha256: hashed.sha256)
        ]
        for name in logos.names() {
            let copied = try HashedCopy.copy("\(logos.path)/\(name)", to: "\(folder)/logos/\(name)")
            files.append(
                BackupManifest.File(path: "logos/\(name)", byteCount: copied.byteCount, sha256: copied.sha256))
        }
        let manifest = BackupManifest(createdAt: now, program: program, files: files)
        try DurableFile.write(manifest.json, to: "\(folder)/\(BackupManifest.fileName)")
        return manifest
    }
}
