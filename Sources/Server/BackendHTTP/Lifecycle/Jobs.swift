import Dispatch
import Logging
import Operations
import ServerAccess
import SubGuardDomain

/// Runs recurring work in the background. A failed run is logged and repeated at the next interval.
final class Jobs: Sendable {
    private let queue = DispatchQueue(label: "subguard.jobs", qos: .utility)
    private let stopped = Flag()
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// Whether long-running work must stop early.
    var isStopping: Bool { stopped.isSet }

    /// The first run is after one interval, or after `first`; every further run is one interval after the end of the
    /// previous one.
    func every(
        _ interval: DispatchTimeInterval, first: DispatchTimeInterval? = nil, _ name: String,
        _ work: @escaping @Sendable () throws -> Void
    ) {
        queue.asyncAfter(deadline: .now() + (first ?? interval)) { [self] in
            guard !stopped.isSet else { return }
            do { try work() } catch { logger.error("job failed", metadata: ["job": "\(name)", "error": "\(error)"]) }
            every(interval, name, work)
        }
    }

    /// Like ``every(_:first:_:_:)``, but when the job is due, only one of the servers sharing the database runs it.
    ///
    /// - Parameter clock: for a job that deletes by age, which it can hold back.
    func everyOnce(
        seconds: Int64, first: DispatchTimeInterval? = nil, _ name: String, _ leases: JobLeases,
        by clock: PurgeClock? = nil, _ work: @escaping @Sendable () throws -> Void
    ) {
        every(.seconds(Int(clamping: min(seconds, 60))), first: first, name) {
            guard try clock?.allowsPurges() ?? true else { return }
            try leases.run(name, everySeconds: seconds, work)
        }
    }

    /// Returns when all running jobs have ended.
    func stop() {
        stopped.set()
        queue.sync {}
    }
}

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
