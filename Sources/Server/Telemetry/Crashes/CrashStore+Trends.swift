package import Foundation
import SQLDatabase
import ServerAccess
package import SubGuardDomain
import SubGuardSQL
import TextCoding

/// What a list of groups can be narrowed down to.
package struct CrashFilterChoices: Sendable, Hashable {
    /// Sorted by name.
    package let platforms: [String]
    /// Newest first, at most ``mostReleases``.
    package let releases: [String]

    package static let mostReleases = 100

    package init(platforms: [String], releases: [String]) {
        self.platforms = platforms
        self.releases = releases
    }
}

extension CrashStore {
    /// Returns the reports of each group by day (UTC): one number for each of the days that end with `last`, oldest
    /// first. Days before the retention period are zero.
    package func trends(of ids: [UUID], days: Int, through last: CalendarDay) throws -> [UUID: [Int64]] {
        let lastNumber = Int64(last.daysSinceEpoch)
        let firstNumber = lastNumber - Int64(days) + 1
        var trends: [UUID: [Int64]] = [:]
        for id in ids { trends[id] = [Int64](repeating: 0, count: days) }
        guard let list = SQLIDList(ids) else { return trends }
        try context.store.readOnStandby { session in
            try session.forEach(
                """
                SELECT group_id, day_number, event_count FROM crash_group_days
                WHERE group_id IN \(list.placeholders) AND day_number BETWEEN ? AND ?
                """, list.arguments + [.integer(firstNumber), .integer(lastNumber)]
            ) { row in
                trends[try row.uuid(0)]?[Int(try row.integer(1) - firstNumber)] = try row.integer(2)
            }
        }
        return trends
    }

    /// Returns the platforms of all groups, and the newest releases.
    package func filterChoices() throws -> CrashFilterChoices {
        try context.store.readOnStandby { session in
            CrashFilterChoices(
                platforms: try session.query(
                    "SELECT DISTINCT platform FROM crash_groups WHERE platform IS NOT NULL ORDER BY platform"
                ) { try $0.text(0) },
                releases: try session.query(
                    "SELECT name FROM crash_releases WHERE is_deleted = 0 AND name <> '' ORDER BY id DESC LIMIT ?",
                    [.integer(Int64(CrashFilterChoices.mostReleases))]
                ) { try $0.text(0) })
        }
    }

    /// Writes the groups as CSV, one row each. Formulas are neutralised.
    package static func csv(_ groups: [CrashGroup]) -> [UInt8] {
        var writer = CSVWriter()
        writer.record([
            "id", "title", "culprit", "platform", "level", "status", "count", "first_seen_at", "last_seen_at",
            "releases",
        ])
        for group in groups {
            let releases = group.releases.map { "\($0.name ?? "?")=\($0.count)" }.joined(separator: " ")
            writer.guardedRecord(
                [
                    group.id.lowercased, group.title, group.culprit ?? "", group.platform ?? "",
                    group.level.rawValue,
                    group.status.rawValue, "\(group.count)", group.firstSeenAt.rfc3339, group.lastSeenAt.rfc3339,
                    releases,
                ])
        }
        return writer.bytes
    }
}
