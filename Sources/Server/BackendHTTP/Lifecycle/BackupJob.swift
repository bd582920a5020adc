import Backend
import SubGuardDomain

/// Creates and verifies scheduled backups.
package struct BackupJob: Sendable {
    private let store: OpenStore
    private let keep: Int
    private let drills: Bool
    private let note: @Sendable (String, [String: String]) -> Void

    /// - Parameters:
    ///   - keep: number of backups to keep.
    ///   - drills: whether each backup is verified.
    ///   - note: receives a message and its metadata for each step.
    package init(
        store: OpenStore, keep: Int, drills: Bool, note: @escaping @Sendable (String, [String: String]) -> Void
    ) {
        self.store = store
        self.keep = keep
        self.drills = drills
        self.note = note
    }

    /// Makes a backup unless the newest one, scheduled or manual, is younger than `hours`.
    package func runIfDue(everyHours hours: Int) throws {
        let last = BackupStatus(in: store.backups).lastBackupAt
        let now = store.context.now()
        if let last, last <= now, last.adding(seconds: Int64(hours) * 3600) > now { return }
        let backup = try store.backUp(to: store.backups)
        store.backups.prune(keeping: keep, written: backup.path, at: now)
        note("backup written", ["path": backup.path, "bytes": "\(backup.manifest.byteCount)"])
        guard drills else { return }
        let proven = try store.files.restoreDrill.run(at: store.context.now())
        note("backup verified", ["path": proven.backup, "events": "\(proven.copy.events)"])
    }
}
