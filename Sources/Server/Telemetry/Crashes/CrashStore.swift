import Cryptography
package import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL
import TextCoding

/// Stores crashes by group, and sessions by hour and release.
package struct CrashStore: Sendable {
    let context: BackendContext
    let limits: CrashStoreLimits
    let knownReleases: KnownReleases

    /// The title of the group that counts reports without a group of their own.
    package static let overflowTitle = "(other crashes)"
    /// The name that counts releases without a row of their own.
    package static let otherRelease = ReleaseName.other

    package init(
        context: BackendContext, limits: CrashStoreLimits = CrashStoreLimits(), knownReleases: KnownReleases = .all
    ) {
        self.context = context
        self.limits = limits
        self.knownReleases = knownReleases
    }

    /// Stores a submission in one transaction and returns what was counted. Duplicates count once. Reports beyond the
    /// quota count in the overflow group or release, and sessions beyond it are not counted. A failed transaction takes
    /// nothing from the quota.
    @discardableResult
    package func record(
        _ submission: CrashSubmission, receivedAt: UTCInstant, quota: any CrashQuota = UnlimitedCrashQuota()
    ) throws -> CrashTally {
        guard !submission.isEmpty else { return submission.tally }
        var taken: [CrashAddition: Int64] = [:]
        do {
            return try context.store.write { transaction in
                var writer = CrashWriter(
                    transaction: transaction, store: self, quota: quota, receivedAt: receivedAt,
                    tally: submission.tally)
                defer { taken = writer.taken }
                for report in submission.reports { try writer.write(report) }
                for update in submission.updates { try writer.write(update) }
                for count in submission.counts { try writer.write(count) }
                try writer.trim()
                return writer.tally
            }
        } catch {
            for (addition, count) in taken where count > 0 { quota.giveBack(addition, count) }
            throw error
        }
    }

    static func digest(_ text: String) -> [UInt8] { SHA256.hash(of: text.utf8) }
}

/// Limits of the crash store, so that a crash loop cannot fill the disk.
package struct CrashStoreLimits: Sendable, Hashable {
    /// At the limit, the group of the lowest rank is evicted; its reports count in ``CrashStore/overflowTitle``.
    package var groups: Int64 = 1000
    /// Per group: the first report and the newest others.
    package var samplesPerGroup: Int64 = 5
    /// Larger reports are counted without a sample.
    package var sampleBytes = 32 << 10
    /// At the limit, the release of the lowest rank is evicted; it counts as ``CrashStore/otherRelease``.
    package var releases: Int64 = 500
    /// As ``releases``, but for each group.
    package var releasesPerGroup: Int64 = 50
    /// Ids kept to detect duplicates; the oldest are deleted first.
    package var receipts: Int64 = 200_000
    /// Sessions kept for updates; the oldest are deleted first.
    package var sessions: Int64 = 2_000_000

    /// Reports of older crashes are counted and dropped, in days of 24 hours; ``CrashStore/purge(before:)`` would
    /// delete them.
    package var retentionDays: Int

    package init(retentionDays: Int = 90) { self.retentionDays = retentionDays }

    /// The newest half of the groups, which are never evicted.
    var newGroups: Int64 { max(1, groups / 2) }
    /// The newest half of the releases, which are never evicted.
    var newReleases: Int64 { max(1, releases / 2) }
}

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
