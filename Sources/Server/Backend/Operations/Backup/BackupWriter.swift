import FileAccess
import Foundation
import SQLDatabase
package import SQLiteDatabase
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
        let target = try OpenFolder.making(folder.path)
        let names = folder.names(at: now, in: target)
        do {
            let unfinished = try target.makeFolder(names.unfinished)
            let manifest = try fill(unfinished, at: now)
            try unfinished.synchronize()
            try target.rename(names.unfinished, to: target, as: names.finished)
            let finished = target.path(of: names.finished)
            try BackupStatus.update(in: target) { status in
                status.lastBackupAt = now
                status.lastBackup = finished
                status.lastBackupBytes = manifest.byteCount
            }
            return (finished, manifest)
        } catch {
            target.removeTree(names.unfinished)
            throw error
        }
    }

    private func fill(_ folder: OpenFolder, at now: UTCInstant) throws -> BackupManifest {
        let hashed = try copyStore(to: folder)
        var files = [
            BackupManifest.File(path: BackupManifest.storeName, byteCount: hashed.byteCount, sha256: hashed.sha256)
        ]
        let copies = try folder.makeFolder("logos")
        if let source = try logos.open() {
            for name in logos.names(in: source) {
                let copied = try HashedCopy.copy(source.open(name), to: name, in: copies)
                files.append(
                    BackupManifest.File(path: "logos/\(name)", byteCount: copied.byteCount, sha256: copied.sha256))
            }
        }
        try copies.synchronize()
        let manifest = BackupManifest(createdAt: now, program: program, files: files)
        try DurableFile.write(manifest.json, to: BackupManifest.fileName, in: folder)
        return manifest
    }

    private func copyStore(to folder: OpenFolder) throws -> (sha256: String, byteCount: Int64) {
        guard folder.needsRoot else {
            try store.snapshot(to: folder.path(of: BackupManifest.storeName))
            let copy = try folder.open(BackupManifest.storeName)
            try folder.finish(copy)
            return try HashedCopy.hash(copy)
        }
        // SQLite works with the rights of the store's owner and cannot write there, so the copy is made beside the store.
        let (beside, name) = FilePath.split(store.path)
        let working = try OpenFolder(beside)
        let staged = "\(name).backing-up-\(UUID().uuidString.lowercased())"
        defer { working.remove(staged) }
        try store.snapshot(to: working.path(of: staged))
        return try HashedCopy.copy(working.open(staged), to: BackupManifest.storeName, in: folder)
    }
}
