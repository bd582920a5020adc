import CFileStatus
package import Catalogue
import Cryptography
import FileAccess
import Foundation
import SQLDatabase
package import SQLiteDatabase
package import SubGuardDomain
import TextCoding

/// Makes backups of a database that is in use.
package struct BackupWriter: Sendable {
    private let store: SQLiteStore
    private let logos: LogoFolder
    private let program: String

    /// `program` is the version recorded in the manifest.
    package init(store: SQLiteStore, logos: LogoFolder, program: String) {
        self.store = store
        self.logos = logos
        self.program = program
    }

    /// Writes a backup and returns its path and manifest. On return the whole backup is on disk; after an error there
    /// is none.
    ///
    /// The database is copied as of one instant. Logos are copied afterwards: their files never change, and are kept
    /// for a month after their last use.
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
                // One that was removed meanwhile had not been used for a month: the copied database does not name it.
                guard let logo = try Self.logo(name, in: source) else { continue }
                let copied = try HashedCopy.copy(logo, to: name, in: copies)
                files.append(
                    BackupManifest.File(path: "logos/\(name)", byteCount: copied.byteCount, sha256: copied.sha256))
            }
        }
        try copies.synchronize()
        let manifest = BackupManifest(createdAt: now, program: program, files: files)
        try DurableFile.write(manifest.json, to: BackupManifest.fileName, in: folder)
        return manifest
    }

    /// Nil if there is no such file any more.
    private static func logo(_ name: String, in folder: OpenFolder) throws(FileFailure) -> OpenFile? {
        do {
            return try folder.open(name)
        } catch {
            guard error.errno == ENOENT else { throw error }
            return nil
        }
    }

    private func copyStore(to folder: OpenFolder) throws -> (sha256: String, byteCount: Int64) {
        guard folder.needsRoot else {
            try store.snapshot(to: folder.path(of: BackupManifest.storeName))
            let copy = try folder.open(BackupManifest.storeName)
            try folder.finish(copy)
            return try HashedCopy.hash(copy)
        }
        // SQLite has the access rights of the database's owner and cannot write to the backup folder, so the copy is
        // made beside the database.
        let (beside, name) = FilePath.split(store.path)
        let working = try OpenFolder(beside)
        let staged = "\(name).backing-up-\(UUID().uuidString.lowercased())"
        defer { working.remove(staged) }
        try store.snapshot(to: working.path(of: staged))
        return try HashedCopy.copy(working.open(staged), to: BackupManifest.storeName, in: folder)
    }
}

/// A complete backup and its best-known time.
struct WrittenBackup: Comparable {
    let path: String
    /// Whether `moment` is plausible.
    private let isPlausible: Bool
    private let moment: UTCInstant
    /// Modification time of the manifest in nanoseconds since 1970; orders backups of the same millisecond.
    private let modifiedAt: Int64

    /// Nil for a folder without a manifest, and for a symbolic link.
    init?(_ name: String, in folder: OpenFolder, at now: UTCInstant) {
        guard let backup = try? folder.folder(name), let information = backup.status(of: BackupManifest.fileName),
            information.is_regular
        else { return nil }
        let (seconds, nanoseconds) = (information.modified_seconds, information.modified_nanoseconds)
        let modified = UTCInstant(millisecondsSinceEpoch: seconds * 1000 + nanoseconds / 1_000_000)
        let createdAt = (try? BackupManifest(in: backup))?.createdAt
        path = backup.path
        modifiedAt = seconds * 1_000_000_000 + nanoseconds
        if let createdAt, createdAt <= now {
            (isPlausible, moment) = (true, createdAt)
        } else if modified <= now {
            (isPlausible, moment) = (true, modified)
        } else {
            (isPlausible, moment) = (false, createdAt ?? modified)
        }
    }

    static func < (left: WrittenBackup, right: WrittenBackup) -> Bool {
        if left.isPlausible != right.isPlausible { return right.isPlausible }
        if left.moment != right.moment { return left.moment < right.moment }
        if left.modifiedAt != right.modifiedAt { return left.modifiedAt < right.modifiedAt }
        return left.path < right.path
    }
}

/// Copies and hashes files in chunks, with constant memory.
enum HashedCopy {
    /// Returns the SHA-256 in hexadecimal and the length.
    static func hash(_ file: OpenFile) throws -> (sha256: String, byteCount: Int64) { try read(file) { _ in } }

    /// Copies to a new file in the folder and syncs it to disk.
    @discardableResult
    static func copy(
        _ source: OpenFile, to name: String, in folder: OpenFolder
    ) throws -> (sha256: String, byteCount: Int64) {
        let target = try folder.create(name)
        let result = try read(source) { try target.write($0) }
        try folder.finish(target)
        return result
    }

    private static func read(
        _ file: OpenFile, _ visit: (ArraySlice<UInt8>) throws -> Void
    ) throws -> (sha256: String, byteCount: Int64) {
        var hash = SHA256()
        var total: Int64 = 0
        try file.forEachPiece { piece in
            hash.update(piece)
            total += Int64(piece.count)
            try visit(piece)
        }
        return (Hexadecimal.text(hash.finish()), total)
    }
}
