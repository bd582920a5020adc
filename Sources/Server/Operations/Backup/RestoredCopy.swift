import FileAccess
import Foundation
import SQLDatabase
import SQLiteDatabase
import ServerAccess
import SubGuardDomain
import Telemetry

/// Why a backup is not usable, described for the operator.
package enum RestoreError: Error, Sendable, Equatable, CustomStringConvertible {
    case notABackup(String)
    case noBackup(in: String)
    case damagedFile(String)
    case damagedStore([String])
    /// Objects of the database that its migrations did not make.
    case foreignSchema([String])
    case brokenAudit(sequence: Int64)
    case wrongFigures(count: Int)
    case storeIsServed

    package var description: String {
        switch self {
        case .notABackup(let path): "\(path) is not a backup: no readable manifest is there"
        case .noBackup(let folder): "there is no backup in \(folder)"
        case .damagedFile(let path): "\(path) has changed since the backup was made"
        case .damagedStore(let damages):
            "the store in the backup is damaged: \(damages.prefix(5).joined(separator: "; "))"
        case .foreignSchema(let differences):
            "the schema in the backup is not that of its version: \(differences.prefix(5).joined(separator: "; "))"
        case .brokenAudit(let sequence): "the audit chain in the backup is broken at row \(sequence)"
        case .wrongFigures(let count): "\(count) figures in the backup differ from its events"
        case .storeIsServed: "a server runs on this store: stop it first"
        }
    }
}

/// A restored and verified copy of a backup. Verified are all hashes, the database itself, its schema object by object,
/// the audit chain and the figures.
package struct RestoredCopy: Sendable {
    /// The manifest of the backup.
    package let manifest: BackupManifest
    package let auditRows: Int64
    package let events: Int64
    let folder: OpenFolder

    var storePath: String { folder.path(of: BackupManifest.storeName) }

    /// Copies the backup into a new folder of `parent` and verifies the copy, migrated to this version's schema. Throws
    /// ``RestoreError``, `MigrationError` for a backup of a newer version or of a build before 0.1.0, or a file error.
    init(
        of backup: String, into parent: OpenFolder, named name: String, at now: UTCInstant,
        random: @escaping @Sendable () -> UInt64
    ) throws {
        let source: OpenFolder
        do {
            source = try OpenFolder(backup)
            manifest = try Self.manifest(in: source)
        } catch {
            guard error.errno == ENOENT || error.reason == .notAFolder else { throw error }
            throw RestoreError.notABackup(backup)
        }
        folder = try parent.makeFolder(name)
        let (logos, copies) = (try? source.folder("logos"), try folder.makeFolder("logos"))
        for file in manifest.files {
            let (place, name) = FilePath.split(file.path)
            guard let from = place == "." ? source : logos, from.contains(name) else {
                throw RestoreError.damagedFile(source.path(of: file.path))
            }
            let copied = try HashedCopy.copy(from.open(name), to: name, in: place == "." ? folder : copies)
            guard copied.sha256 == file.sha256, copied.byteCount == file.byteCount else {
                throw RestoreError.damagedFile(source.path(of: file.path))
            }
        }
        let store = try SQLiteStore(path: folder.path(of: BackupManifest.storeName))
        defer { try? store.close() }
        let migrator = Migrator.backend(.sqlite)
        // Before all else: checking the rows would compute what foreign columns and indexes say, and a foreign trigger
        // would run with the first change.
        let differences: [String]
        do {
            differences = try store.objectDifferences(migrator)
        } catch let error as SQLError where error.code == .corrupt {
            throw RestoreError.damagedStore([error.reason])
        }
        guard differences.isEmpty else { throw RestoreError.foreignSchema(differences) }
        let damages = try store.integrityCheck()
        guard damages.isEmpty else { throw RestoreError.damagedStore(damages) }
        try migrator.migrate(store, now: now.rfc3339)
        let context = BackendContext(store: store, now: { now }, random: random)
        let audit = try AuditLog(context: context).verify()
        if let broken = audit.firstBroken { throw RestoreError.brokenAudit(sequence: broken.sequence) }
        let figures = try FigureVerifier(context: context).verify()
        guard figures.agrees else { throw RestoreError.wrongFigures(count: figures.differenceCount) }
        auditRows = audit.count
        events = Int64(figures.eventCount + figures.waitingCount)
    }

    private static func manifest(in source: OpenFolder) throws(FileFailure) -> BackupManifest {
        let manifest: BackupManifest?
        do {
            manifest = try BackupManifest(in: source)
        } catch let error as FileFailure {
            throw error
        } catch {
            manifest = nil
        }
        guard let manifest, manifest.files.contains(where: { $0.path == BackupManifest.storeName }) else {
            throw FileFailure(path: source.path, errno: ENOENT)
        }
        return manifest
    }
}
