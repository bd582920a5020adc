import CFileStatus
import Foundation
package import SQLDatabase
import SQLiteDatabase
import SubGuardSQL

/// How much room the store takes, and how much there is.
package struct StorageMeasure: Sendable, Hashable {
    /// Bytes in use. SQLite: pages that hold data, and the write-ahead log as far as it is larger than it stays by itself.
    /// PostgreSQL: the whole database with its indexes.
    package var usedBytes: Int64 = 0
    /// Bytes that the file system of an SQLite file has left; nil for a database on a server.
    package var freeBytes: Int64?

    package init() {}

    /// A checkpoint cuts the log back to this size.
    private static let usualLogBytes = SQLiteOptions().journalSizeLimitBytes

    /// Reads both. `path` is that of an SQLite file. Costs a few small statements and system calls.
    package init(of store: any SQLStore, path: String?) throws {
        switch store.dialect {
        case .sqlite:
            usedBytes = try store.read { session in
                func pragma(_ name: String) throws -> Int64 {
                    try session.first("PRAGMA \(name)") { try $0.integer(0) } ?? 0
                }
                // What was deleted leaves pages that are used again.
                return try (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
            }
        case .postgres:
            usedBytes = try store.read { session in
                try session.first("SELECT pg_database_size(current_database())") { try $0.integer(0) } ?? 0
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

/// How full the storage is. The raw value is its name on the wire and in the store.
package enum StorageLevel: String, Sendable, CaseIterable, Comparable {
    case ok
    /// Over 80 % of the ceiling, or little disk space left: somebody should look.
    case nearlyFull = "nearly_full"
    /// Nothing of devices is stored any more.
    case full

    private var rank: Int { self == .ok ? 0 : self == .nearlyFull ? 1 : 2 }

    package static func < (left: StorageLevel, right: StorageLevel) -> Bool { left.rank < right.rank }
}

/// What may be used; 0 stands for no limit.
package struct StorageLimits: Sendable, Hashable {
    package var maximumBytes: Int64
    package var minimumFreeBytes: Int64

    package init(maximumBytes: Int64 = 0, minimumFreeBytes: Int64 = 0) {
        self.maximumBytes = maximumBytes
        self.minimumFreeBytes = minimumFreeBytes
    }

    /// Percent of a limit from which the storage is nearly full.
    private static let warningPercent: Int64 = 80
    /// A level is left once use has fallen this many percent under where it begins, so that a store at the edge does not
    /// go back and forth.
    private static let slackPercent: Int64 = 2

    /// The level of a measure, and whether it is the disk rather than the store's size that makes it so.
    func level(of measure: StorageMeasure, before: StorageLevel) -> (level: StorageLevel, isDisk: Bool) {
        let store = maximumBytes > 0 ? percent(measure.usedBytes, of: maximumBytes) : 0
        // The minimum is all that is left of the disk when 100 % are used.
        let disk = minimumFreeBytes > 0 ? measure.freeBytes.map { percent(minimumFreeBytes, of: max($0, 1)) } ?? 0 : 0
        let used = max(store, disk)
        func isAtLeast(_ level: StorageLevel, _ bound: Int64) -> Bool {
            used >= (before >= level ? bound - Self.slackPercent : bound)
        }
        let level: StorageLevel =
            isAtLeast(.full, 100) ? .full : isAtLeast(.nearlyFull, Self.warningPercent) ? .nearlyFull : .ok
        return (level, disk > store)
    }

    private func percent(_ part: Int64, of whole: Int64) -> Int64 {
        Int64((Double(part) / Double(whole) * 100).rounded(.down))
    }
}

/// What an alert says about storage.
package struct StorageNotice: Sendable, Hashable {
    package let level: StorageLevel
    /// Whether the disk is short of space; else the store is near its ceiling.
    package let isDisk: Bool
    /// In use; of a disk, free.
    package let bytes: Int64
    /// The ceiling; of a disk, what must stay free.
    package let limitBytes: Int64
}

/// Finds out whether the store takes writes, by writing.
package struct StoreProbe: Sendable {
    private let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// Commits one real write, to the same row each time. Throws what the store throws: a full disk or a file that became
    /// read-only shows here and not only when a device loses its events.
    package func check() throws {
        let now = context.now()
        let changed = try context.store.write { transaction in
            try transaction.execute(
                "UPDATE health_probe SET write_count = write_count + 1, probed_at = ? WHERE id = 1", [.instant(now)])
        }
        guard changed == 1 else { throw SQLError(code: .corrupt, number: 0, context: "health_probe row missing") }
    }
}
