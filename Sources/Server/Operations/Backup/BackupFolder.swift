import CFileStatus
import FileAccess
import Foundation
import JSONWire
package import SubGuardDomain

/// The folder of backups; each backup is a subfolder named after its time.
package struct BackupFolder: Sendable {
    package let path: String

    static let prefix = "subguard-"
    private static let unfinished = ".unfinished-"

    /// Created with the first backup.
    package init(path: String) { self.path = path }

    /// Paths of complete backups in the order of their creation.
    ///
    /// The time is that of the manifest, or the file's modification time if the manifest's is later than `now` because
    /// a clock was wrong. Backups with no plausible time come first.
    package func list(at now: UTCInstant) -> [String] {
        (try? OpenFolder(path)).map { list(in: $0, at: now) } ?? []
    }

    func list(in folder: OpenFolder, at now: UTCInstant) -> [String] {
        folder.names().filter { $0.hasPrefix(Self.prefix) }
            .compactMap { WrittenBackup($0, in: folder, at: now) }
            .sorted().map(\.path)
    }

    /// A complete backup as its manifest describes it.
    package struct Listed: Sendable, Hashable {
        /// The name of its folder.
        package let name: String
        package let createdAt: UTCInstant
        package let program: String
        package let byteCount: Int64
        package let fileCount: Int
    }

    /// The newest `limit` backups, the newest first.
    package func newest(_ limit: Int, at now: UTCInstant) -> [Listed] {
        guard let folder = try? OpenFolder(path) else { return [] }
        return list(in: folder, at: now).suffix(limit).reversed().compactMap { path in
            let name = FilePath.split(path).name
            guard let backup = try? folder.folder(name), let manifest = try? BackupManifest(in: backup) else {
                return nil
            }
            return Listed(
                name: name, createdAt: manifest.createdAt, program: manifest.program, byteCount: manifest.byteCount,
                fileCount: manifest.files.count)
        }
    }

    /// The temporary and the final name of a backup in the folder.
    func names(at instant: UTCInstant, in folder: OpenFolder) -> (unfinished: String, finished: String) {
        let stamp = instant.rfc3339.filter { $0.isNumber || $0 == "T" || $0 == "Z" || $0 == "." }
        let name = Self.prefix + stamp
        var finished = name
        var number = 2
        while folder.contains(finished) {
            finished = "\(name)-\(number)"
            number += 1
        }
        return (Self.unfinished + UUID().uuidString.lowercased(), finished)
    }

    /// Deletes all but the newest `count` backups; `written` always stays, regardless of its time. Also deletes remains
    /// of failed attempts. Returns the number of deleted backups.
    @discardableResult
    package func prune(keeping count: Int, written: String, at now: UTCInstant) -> Int {
        guard let folder = try? OpenFolder(path) else { return 0 }
        let old = list(in: folder, at: now).filter { $0 != written }.dropLast(max(0, count - 1))
        for backup in old { folder.removeTree(FilePath.split(backup).name) }
        for name in folder.names() where name.hasPrefix(Self.unfinished) && isOlderThanADay(name, in: folder) {
            folder.removeTree(name)
        }
        return old.count
    }

    private func isOlderThanADay(_ name: String, in folder: OpenFolder) -> Bool {
        folder.status(of: name).map { Int64(time(nil)) - $0.modified_seconds > 86_400 } ?? false
    }
}

/// The times of the last backup and of the last verification: a small file beside the backups, so that the server's
/// metrics include backups made from the command line.
package struct BackupStatus: Sendable, Hashable {
    package var lastBackupAt: UTCInstant?
    package var lastBackup: String?
    package var lastBackupBytes: Int64?
    /// The last drill, successful or not.
    package var lastDrillAt: UTCInstant?
    package var lastDrillSucceeded: Bool?
    /// The last successful drill.
    package var lastProvenAt: UTCInstant?
    package var lastProven: String?

    private static let fileName = "status.json"
    private static let maximumBytes = 64 << 10

    /// Empty if there is no such file.
    package init(in folder: BackupFolder) {
        guard let open = try? OpenFolder(folder.path) else { return }
        read(open)
    }

    private init(in folder: OpenFolder) { read(folder) }

    private mutating func read(_ folder: OpenFolder) {
        guard let bytes = try? folder.open(Self.fileName).bytes(maximumBytes: Self.maximumBytes),
            let object = (try? JSONValue.parse(bytes))?.objectValue
        else { return }
        func instant(_ name: String) -> UTCInstant? { object[name]?.stringValue.flatMap { UTCInstant(rfc3339: $0) } }
        lastBackupAt = instant("last_backup_at")
        lastBackup = object["last_backup"]?.stringValue
        lastBackupBytes = object["last_backup_bytes"]?.integerValue
        lastDrillAt = instant("last_drill_at")
        lastDrillSucceeded = object["last_drill_succeeded"]?.boolValue
        lastProvenAt = instant("last_proven_at")
        lastProven = object["last_proven"]?.stringValue
    }

    static func update(in folder: OpenFolder, _ change: (inout BackupStatus) -> Void) throws {
        var status = BackupStatus(in: folder)
        change(&status)
        let bytes = JSONWriter.bytes { writer in
            writer.field("last_backup_at", status.lastBackupAt?.rfc3339)
            writer.field("last_backup", status.lastBackup)
            writer.field("last_backup_bytes", status.lastBackupBytes)
            writer.field("last_drill_at", status.lastDrillAt?.rfc3339)
            writer.field("last_drill_succeeded", status.lastDrillSucceeded)
            writer.field("last_proven_at", status.lastProvenAt?.rfc3339)
            writer.field("last_proven", status.lastProven)
        }
        try DurableFile.write(bytes + [UInt8(ascii: "\n")], to: fileName, in: folder)
    }
}
