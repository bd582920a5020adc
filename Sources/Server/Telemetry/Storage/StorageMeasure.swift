import CFileStatus
import Foundation
package import SQLDatabase
import SQLiteDatabase
package import ServerAccess
import SubGuardSQL

/// The space used by the database, and the space left.
package struct StorageMeasure: Sendable, Hashable {
    /// Bytes in use. SQLite: pages with data, plus the part of the write-ahead log above its regular maximum size.
    /// PostgreSQL: the whole database with its indexes.
    package var usedBytes: Int64 = 0
    /// Free bytes in the file system of the SQLite file; nil for PostgreSQL.
    package var freeBytes: Int64?

    package init() {}

    /// A checkpoint truncates the log to this size.
    private static let usualLogBytes = SQLiteOptions.journalSizeLimitBytes

    /// Measures both. `path` is that of the SQLite file. Costs a few small statements and system calls.
    package init(of store: any SQLStore, path: String?) throws {
        switch store.dialect {
        case .sqlite:
            usedBytes = try store.read { session in
                func pragma(_ name: String) throws -> Int64 {
                    try session.integer("PRAGMA \(name)") ?? 0
                }
                // Free pages are reused, so they do not count.
                return try (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
            }
        case .postgres:
            usedBytes = try store.read { session in
                try session.integer("SELECT pg_database_size(current_database())") ?? 0
            }
        }
        guard let path else { return }
        var log = file_status()
        if file_status_at(path + "-wal", &log) { usedBytes += max(0, log.byte_count - Self.usualLogBytes) }
        var system = statvfs()
        if statvfs(path, &system) == 0 {
            freeBytes = Int64(clamping: UInt64(system.f_bavail) * UInt64(system.f_frsize))
        }
    }
}

/// How full the storage is. The raw value is its name on the wire and in the database.
package enum StorageLevel: String, Sendable, CaseIterable, Comparable {
    case ok
    /// At least 80 % of the ceiling in use, or little free disk space: the operator should act.
    case nearlyFull = "nearly_full"
    /// Data from devices is rejected.
    case full

    private var rank: Int { self == .ok ? 0 : self == .nearlyFull ? 1 : 2 }

    package static func < (left: StorageLevel, right: StorageLevel) -> Bool { left.rank < right.rank }
}

/// Limits of storage; 0 means no limit.
package struct StorageLimits: Sendable, Hashable {
    package var maximumBytes: Int64
    package var minimumFreeBytes: Int64

    package init(maximumBytes: Int64 = 0, minimumFreeBytes: Int64 = 0) {
        self.maximumBytes = maximumBytes
        self.minimumFreeBytes = minimumFreeBytes
    }

    /// Percent of a limit from which the storage is nearly full.
    private static let warningPercent: Int64 = 80
    /// Hysteresis: a level is left only when usage is this many percentage points below its start.
    private static let slackPercent: Int64 = 2

    /// The level of a measure, and whether it results from the free disk space rather than from the database's size.
    func level(of measure: StorageMeasure, before: StorageLevel) -> (level: StorageLevel, isDisk: Bool) {
        let (store, disk) = percents(of: measure)
        let used = max(store, disk)
        func isAtLeast(_ level: StorageLevel, _ bound: Int64) -> Bool {
            used >= (before >= level ? bound - Self.slackPercent : bound)
        }
        let level: StorageLevel =
            isAtLeast(.full, 100) ? .full : isAtLeast(.nearlyFull, Self.warningPercent) ? .nearlyFull : .ok
        return (level, disk > store)
    }

    /// The fuller one of database and disk; nil without limits.
    func percent(of measure: StorageMeasure) -> Int64? {
        guard maximumBytes > 0 || minimumFreeBytes > 0 && measure.freeBytes != nil else { return nil }
        let (store, disk) = percents(of: measure)
        return max(store, disk)
    }

    private func percents(of measure: StorageMeasure) -> (store: Int64, disk: Int64) {
        (
            store: maximumBytes > 0 ? percent(measure.usedBytes, of: maximumBytes) : 0,
            // 100 % means that only the minimum of the disk is free.
            disk: minimumFreeBytes > 0 ? measure.freeBytes.map { percent(minimumFreeBytes, of: max($0, 1)) } ?? 0 : 0
        )
    }

    private func percent(_ part: Int64, of whole: Int64) -> Int64 {
        Int64((Double(part) / Double(whole) * 100).rounded(.down))
    }
}

/// The storage state that an alert reports.
package struct StorageNotice: Sendable, Hashable {
    package let level: StorageLevel
    /// Whether disk space is low; otherwise the database is near its ceiling.
    package let isDisk: Bool
    /// Used bytes of the database, or free bytes of the disk.
    package let bytes: Int64
    /// The ceiling of the database, or the minimum of free disk space.
    package let limitBytes: Int64
}

/// Checks by writing whether the database accepts writes.
package struct StoreProbe: Sendable {
    private let context: BackendContext

    /// About what a batch of events takes. A single small row still fits on a disk that has no room for one.
    private static let ballastBytes = 16_384

    package init(context: BackendContext) {
        self.context = context
    }

    /// Commits a real write, always to the same row. Throws the database's error, so a full disk or a read-only file is
    /// detected before a device loses events.
    package func check() throws {
        let now = context.now()
        // Random, because PostgreSQL compresses.
        let ballast = context.makeRandomBytes(Self.ballastBytes)
        let changed = try context.store.write(in: .marks) { transaction in
            try transaction.execute(
                "UPDATE health_probe SET write_count = write_count + 1, probed_at = ?, ballast = ? WHERE id = 1",
                [.instant(now), .blob(ballast)])
        }
        guard changed == 1 else { throw SQLError(code: .corrupt, number: 0, context: "health_probe row missing") }
    }
}
