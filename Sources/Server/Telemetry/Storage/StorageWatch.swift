import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Synchronization

/// Monitors storage and puts an alert in the outbox once each time that a higher level is reached.
///
/// Each server measures for itself; the last announced level is in the database, so that restarts and several servers
/// announce it once.
package final class StorageWatch: Sendable {
    /// The result of a measurement.
    package struct Finding: Sendable {
        package let level: StorageLevel
        package let measure: StorageMeasure
        package let isDisk: Bool
        /// Whether the level differs from the one last reported by this process, initially ``StorageLevel/ok``.
        package let isNew: Bool
    }

    package let limits: StorageLimits
    private let context: BackendContext
    private let alerts: AlertStore
    private let path: String?
    private let present = Mutex((level: StorageLevel.ok, measure: StorageMeasure(), reported: StorageLevel.ok))
    /// Read by each request that could grow the database.
    private let isFull = Atomic<Bool>(false)

    /// - Parameter path: of the SQLite file; nil for PostgreSQL.
    package init(context: BackendContext, alerts: AlertStore, path: String?, limits: StorageLimits) {
        self.context = context
        self.alerts = alerts
        self.path = path
        self.limits = limits
    }

    /// The level of the last measurement.
    package var level: StorageLevel {
        if isFull.load(ordering: .relaxed) { return .full }
        return present.withLock { $0.level }
    }

    package var isStorageFull: Bool { isFull.load(ordering: .relaxed) }

    package var measure: StorageMeasure { present.withLock { $0.measure } }

    /// How full the storage was at the last measurement, in percent; nil without limits.
    package var percent: Int64? { limits.percent(of: measure) }

    /// Measures. Call it every few seconds, never concurrently.
    ///
    /// - Parameter reports: whether the caller reports a new level. Default true.
    @discardableResult
    package func look(reports: Bool = true) throws -> Finding {
        let measure = try StorageMeasure(of: context.store, path: path)
        return present.withLock { present in
            let (level, isDisk) = limits.level(of: measure, before: present.level)
            let isNew = reports && level != present.reported
            present = (level, measure, reports ? level : present.reported)
            isFull.store(level == .full, ordering: .relaxed)
            return Finding(level: level, measure: measure, isDisk: isDisk, isNew: isNew)
        }
    }

    /// Puts an alert in the outbox if the level is higher than the last announced one. Otherwise it only reads one row.
    package func announce(_ finding: Finding) throws {
        let announced = try context.store.read { try Self.announced(in: $0) }
        guard announced != finding.level else { return }
        let notice = StorageNotice(
            level: finding.level, isDisk: finding.isDisk,
            bytes: finding.isDisk ? finding.measure.freeBytes ?? 0 : finding.measure.usedBytes,
            limitBytes: finding.isDisk ? limits.minimumFreeBytes : limits.maximumBytes)
        try context.write { transaction, now in
            let announced = try Self.announced(in: transaction)
            let changed = try transaction.execute(
                "UPDATE storage_watch SET level = ?, changed_at = ? WHERE id = 1 AND level <> ?",
                [.text(finding.level.rawValue), .instant(now), .text(finding.level.rawValue)])
            guard changed == 1, finding.level > announced else { return }
            try alerts.enqueue(.storage(notice), at: now, in: transaction)
        }
    }

    private static func announced(in session: any SQLSession) throws -> StorageLevel {
        let level = try session.first("SELECT level FROM storage_watch WHERE id = 1") { try $0.text(0) }
        guard let level = level.flatMap(StorageLevel.init(rawValue:)) else {
            throw SQLError(code: .corrupt, number: 0, context: "storage_watch row missing")
        }
        return level
    }
}
