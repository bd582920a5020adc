import Foundation
import SQLDatabase
package import SubGuardDomain

/// Why a backup cannot be used, in words for the operator.
package enum RestoreError: Error, Sendable, Equatable, CustomStringConvertible {
    case notABackup(String)
    case damagedFile(String)
    case damagedStore([String])
    case brokenAudit(sequence: Int64)
    case wrongFigures(count: Int)
    case storeIsServed

    package var description: String {
        switch self {
        case .notABackup(let path): "\(path) is no backup: there is no manifest in it that can be read"
        case .damagedFile(let path): "\(path) is not what it was when the backup was made"
        case .damagedStore(let damages):
            "the store in the backup is damaged: \(damages.prefix(5).joined(separator: "; "))"
        case .brokenAudit(let sequence): "the audit chain in the backup is broken at row \(sequence)"
        case .wrongFigures(let count): "\(count) figures in the backup differ from its events"
        case .storeIsServed: "a server runs on this store: stop it first"
        }
    }
}

/// A backup that was copied out and proven: every hash, the database's own check, the audit chain, the figures.
package struct RestoredCopy: Sendable {
    /// What was looked at.
    package let manifest: BackupManifest
    package let auditRows: Int64
    package let events: Int64
    let folder: String

    var storePath: String { "\(folder)/\(BackupManifest.storeName)" }

    /// Copies the backup into an empty folder and proves the copy, migrated to this program's schema. Throws
    /// ``RestoreError``, `MigrationError` for a backup of a newer program, or what the disk says.
    package init(of backup: String, into folder: String, at now: UTCInstant, random: @escaping @Sendable () -> UInt64)
        throws
    {
        guard let data = FileManager.default.contents(atPath: "\(backup)/\(BackupManifest.fileName)"),
            let manifest = BackupManifest(json: Array(data)),
            manifest.files.contains(where: { $0.path == BackupManifest.storeName })
        else { throw RestoreError.notABackup(backup) }
        self.manifest = manifest
        self.folder = folder
        try DurableFile.makeFolder(folder + "/logos")
        for file in manifest.files {
            let source = "\(backup)/\(file.path)"
            guard FileManager.default.fileExists(atPath: source) else { throw RestoreError.damagedFile(source) }
            let copied = try HashedCopy.copy(source, to: "\(folder)/\(file.path)")
            guard copied.sha256 == file.sha256, copied.byteCount == file.byteCount else {
                throw RestoreError.damagedFile(source)
            }
        }
        let store = try SQLiteStore(path: "\(folder)/\(BackupManifest.storeName)")
        defer { try? store.close() }
        let damages = try store.integrityCheck()
        guard damages.isEmpty else { throw RestoreError.damagedStore(damages) }
        try Migrator(migrations: SQLiteMigrations.all).migrate(store, now: now.rfc3339)
        let context = BackendContext(store: store, now: { now }, random: random)
        let audit = try AuditLog(context: context).verify()
        if let broken = audit.firstBroken { throw RestoreError.brokenAudit(sequence: broken.sequence) }
        let figures = try FigureVerifier(context: context).verify()
        guard figures.agrees else { throw RestoreError.wrongFigures(count: figures.differenceCount) }
        auditRows = audit.count
        events = Int64(figures.eventCount + figures.waitingCount)
    }
}
