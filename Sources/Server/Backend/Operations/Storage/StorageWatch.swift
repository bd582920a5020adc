import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import Synchronization

/// Watches how full the storage is, and puts an alert in the outbox once each time that a level is reached.
///
/// Each server watches for itself; which level was announced last stands in the store, so that restarts and several servers
/// announce it once.
package final class StorageWatch: Sendable {
    /// What a look has found.
    package struct Finding: Sendable {
        package let level: StorageLevel
        package let measure: StorageMeasure
        package let isDisk: Bool
        /// Whether another level was reported the last time by this process, which begins with ``StorageLevel/ok``.
        package let isNew: Bool
    }

    package let limits: StorageLimits
    private let context: BackendContext
    private let alerts: AlertStore
    private let path: String?
    private let present = Mutex((level: StorageLevel.ok, measure: StorageMeasure(), reported: StorageLevel.ok))
    /// Read with each request that could make the store grow.
    private let isFull = Atomic<Bool>(false)

    /// - Parameter path: of an SQLite file; nil for a database on a server.
    package init(context: BackendContext, alerts: AlertStore, path: String?, limits: StorageLimits) {
        self.context = context
        self.alerts = alerts
        self.path = path
        self.limits = limits
    }

    /// As the last look has found it.
    package var level: StorageLevel {
        if isFull.load(ordering: .relaxed) { return .full }
        return present.withLock { $0.level }
    }

    package var isStorageFull: Bool { isFull.load(ordering: .relaxed) }

    package var measure: StorageMeasure { present.withLock { $0.measure } }

    /// Measures. Call it every few seconds, one call at a time.
    ///
    /// - Parameter reports: whether the caller reports a level that is new. Default: true.
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

    /// Puts an alert in the outbox when the level is higher than the one announced before. Reads one row otherwise.
    package func announce(_ finding: Finding) throws {
        let announced = try context.store.read { try Self.announced(in: $0) }
        guard announced != finding.level else { return }
        let notice = StorageNotice(
            level: finding.level, isDisk: finding.isDisk,
            bytes: finding.isDisk ? finding.measure.freeBytes ?? 0 : finding.measure.usedBytes,
            limitBytes: finding.isDisk ? limits.minimumFreeBytes : limits.maximumBytes)
        let now = context.now()
        try context.store.write { transaction in
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
