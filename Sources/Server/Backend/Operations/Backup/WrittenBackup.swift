import CFileStatus
import FileAccess
import SubGuardDomain

/// A whole backup and when it was written, as far as that can be told.
struct WrittenBackup: Comparable {
    let path: String
    /// Whether `moment` can be true.
    private let isPlausible: Bool
    private let moment: UTCInstant
    /// Of the manifest, in nanoseconds since 1970: for two of one millisecond.
    private let modifiedAt: Int64

    /// Nil for a folder without a manifest, which is no backup, and for a symbolic link to one.
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
