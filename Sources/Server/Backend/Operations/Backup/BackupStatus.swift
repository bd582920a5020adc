import FileAccess
import JSONWire
package import SubGuardDomain

/// When the last backup was made and the last one proven: a small file beside the backups, so that the server can tell of
/// what a timer does at the command line.
package struct BackupStatus: Sendable, Hashable {
    package var lastBackupAt: UTCInstant?
    package var lastBackup: String?
    package var lastBackupBytes: Int64?
    /// The last drill, whatever came of it.
    package var lastDrillAt: UTCInstant?
    package var lastDrillSucceeded: Bool?
    /// The last drill that found everything in order.
    package var lastProvenAt: UTCInstant?
    package var lastProven: String?

    private static let fileName = "status.json"
    private static let maximumBytes = 64 << 10

    /// Empty when there is no such file.
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
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.field("last_backup_at", status.lastBackupAt?.rfc3339)
        writer.field("last_backup", status.lastBackup)
        writer.field("last_backup_bytes", status.lastBackupBytes)
        writer.field("last_drill_at", status.lastDrillAt?.rfc3339)
        writer.field("last_drill_succeeded", status.lastDrillSucceeded)
        writer.field("last_proven_at", status.lastProvenAt?.rfc3339)
        writer.field("last_proven", status.lastProven)
        writer.endObject()
        try DurableFile.write(writer.bytes + [UInt8(ascii: "\n")], to: fileName, in: folder)
    }
}
