import Backend
import Logging
import SubGuardDomain

/// The backup that the server makes by itself, and its proof.
struct BackupJob: Sendable {
    let store: OpenStore
    let keep: Int
    let drills: Bool
    let logger: Logger

    /// Does nothing while the newest backup is younger than `hours`, whoever made it.
    func runIfDue(everyHours hours: Int) throws {
        let last = BackupStatus(in: store.backups).lastBackupAt
        let now = store.context.now()
        if let last, last <= now, last.adding(seconds: Int64(hours) * 3600) > now { return }
        let backup = try store.backUp(to: store.backups)
        store.backups.prune(keeping: keep)
        logger.notice(
            "backup written", metadata: ["path": "\(backup.path)", "bytes": "\(backup.manifest.byteCount)"])
        guard drills else { return }
        let proven = try RestoreDrill(folder: store.backups, random: store.context.random).run(at: store.context.now())
        logger.notice("backup proven", metadata: ["path": "\(proven.backup)", "events": "\(proven.copy.events)"])
    }
}
