import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

extension CrashWriter {
    private struct KnownGroup {
        let id: [UInt8]
        let mergedInto: [UInt8]?
        var status: CrashStatus
        let decidedAt: UTCInstant?
        var regressedAt: UTCInstant?
        var revision: Int64
        var standing: CrashStanding
    }

    private static let overflowKey = CrashStore.digest(CrashStore.overflowTitle)

    /// The groups that count a report.
    struct Counting {
        /// The group with its key, or the overflow group.
        let own: [UInt8]
        /// The group that shows it, if names made several groups one.
        var shown: [UInt8]?
        /// Whether the report is the first of its key.
        var isNew = false

        var all: [[UInt8]] { [own] + (shown.map { [$0] } ?? []) }
    }

    /// Counts a report in its group, creating it if it is new: the overflow group if the client's quota is used up or
    /// no group can be evicted.
    mutating func group(of report: CrashReport) throws -> Counting {
        let key = CrashStore.digest(report.groupKey)
        if let known = try counted(report, key: key) { return known }
        guard take(.group) else { return try overflow(report, .groupQuota) }
        let count = try countGroups()
        if count >= limits.groups {
            guard try evictGroup() else {
                giveBack(.group)
                return try overflow(report, .groupsFull)
            }
        } else {
            groupCount = count + 1
        }
        return Counting(own: try insert(report, key: key), isNew: true)
    }

    private mutating func overflow(_ report: CrashReport, _ folding: CrashFolding) throws -> Counting {
        tally.folded[folding, default: 0] += 1
        if let known = try counted(report, key: Self.overflowKey) { return known }
        return Counting(
            own: try insertOverflow(
                platform: report.platform, level: report.level.rawValue, count: 1, report.occurredAt,
                report.occurredAt))
    }

    private mutating func countGroups() throws -> Int64 {
        if let groupCount { return groupCount }
        let count = try transaction.integer(
            "SELECT count(*) FROM crash_groups WHERE rank < ?", [.integer(CrashStanding.reserved)])
        groupCount = count ?? 0
        return count ?? 0
    }

    /// Counts the report in the group with that key; nil if there is none. A crash that happened after its group was
    /// resolved reopens the group.
    private mutating func counted(_ report: CrashReport, key: [UInt8]) throws -> Counting? {
        guard let group = try group("group_key", key) else { return nil }
        // A group that came back is shown, and counted, once.
        let shown = try group.mergedInto.flatMap { try self.group("id", $0) }
        let hasRegressed = try count(report, in: group)
        if let shown {
            if try count(report, in: shown) { tally.regressions += 1 }
        } else if hasRegressed {
            tally.regressions += 1
        }
        return Counting(own: group.id, shown: shown?.id)
    }

    /// Returns whether the report reopened the group.
    private func count(_ report: CrashReport, in known: KnownGroup) throws -> Bool {
        var group = known
        var hasRegressed = false
        _ = group.standing.note(quota.mark, at: receivedAt)
        if group.status == .resolved, group.decidedAt.map({ report.occurredAt > $0 }) ?? true {
            group.status = .open
            group.regressedAt = report.occurredAt
            group.revision += 1
            hasRegressed = true
        }
        let seenAt = SQLValue.instant(report.occurredAt)
        try transaction.execute(
            """
            UPDATE crash_groups SET event_count = event_count + 1, level = ?,
                first_seen_at = CASE WHEN first_seen_at > ? THEN ? ELSE first_seen_at END,
                last_seen_at = CASE WHEN last_seen_at < ? THEN ? ELSE last_seen_at END,
                rank = ?, marks = ?, marked_day = ?, status = ?, regressed_at = ?, revision = ?
            WHERE id = ?
            """,
            [
                .text(report.level.rawValue), seenAt, seenAt, seenAt, seenAt, .integer(group.standing.rank),
                .integer(group.standing.marks), .integer(group.standing.markedDay), .text(group.status.rawValue),
                .instant(orNull: group.regressedAt), .integer(group.revision), .blob(group.id),
            ])
        return hasRegressed
    }

    private func group(_ column: String, _ value: [UInt8]) throws -> KnownGroup? {
        // Built from constants only; there are two variants.
        try transaction.first(
            """
            SELECT id, merged_into, status, decided_at, regressed_at, revision, rank, marks, marked_day
            FROM crash_groups WHERE \(column) = ?
            """, [.blob(value)]
        ) { row in
            KnownGroup(
                id: try row.blob(0), mergedInto: try row.optionalBlob(1), status: try row.word(2),
                decidedAt: try row.optionalInstant(3),
                regressedAt: try row.optionalInstant(4), revision: try row.integer(5),
                standing: CrashStanding(
                    rank: try row.integer(6), marks: try row.integer(7), markedDay: try row.integer(8)))
        }
    }

    private func insert(_ report: CrashReport, key: [UInt8]) throws -> [UInt8] {
        let id = context.makeID()
        let standing = CrashStanding(mark: quota.mark, at: receivedAt)
        try transaction.execute(
            """
            INSERT INTO crash_groups (id, group_key, title, culprit, platform, level, event_count, first_seen_at,
                last_seen_at, number, rank, marks, marked_day)
            VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, (SELECT coalesce(max(number), 0) + 1 FROM crash_groups), ?, ?, ?)
            """,
            [
                .uuid(id), .blob(key), .text(report.title), .text(orNull: report.culprit),
                .text(orNull: report.platform), .text(report.level.rawValue), .instant(report.occurredAt),
                .instant(report.occurredAt), .integer(standing.rank), .integer(standing.marks),
                .integer(standing.markedDay),
            ])
        return id.rawBytes
    }

    /// Creates the overflow group, which is never evicted.
    private func insertOverflow(
        platform: String?, level: String, count: Int64, _ firstSeenAt: UTCInstant, _ lastSeenAt: UTCInstant
    ) throws -> [UInt8] {
        let id = context.makeID()
        try transaction.execute(
            """
            INSERT INTO crash_groups
                (id, group_key, title, platform, level, event_count, first_seen_at, last_seen_at, number, rank)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
            """,
            [
                .uuid(id), .blob(Self.overflowKey), .text(CrashStore.overflowTitle), .text(orNull: platform),
                .text(level), .integer(count), .instant(firstSeenAt), .instant(lastSeenAt),
                .integer(CrashStanding.reserved),
            ])
        return id.rawBytes
    }
}

// MARK: Eviction

extension CrashWriter {
    private struct LeavingGroup {
        let id: [UInt8]
        let platform: String?
        let level: String
        let count: Int64
        let firstSeenAt: UTCInstant
        let lastSeenAt: UTCInstant
    }

    /// Makes room for a group. Hidden parts go first: their group goes on counting what they counted. Then the group of
    /// the lowest rank goes, and its reports to the overflow group. The newest half is exempt, so that others have time
    /// to report a new fault; resolved and ignored groups are evicted only after all open ones. Returns false if no
    /// group can be evicted.
    private mutating func evictGroup() throws -> Bool {
        if try CrashRegrouping(transaction, context).foldPart(keeping: limits.samplesPerGroup) {
            // One fewer, or two if the group needs no parts any more.
            groupCount = nil
            tally.evicted[.group, default: 0] += 1
            return true
        }
        let newest = try transaction.integer("SELECT coalesce(max(number), 0) FROM crash_groups")
        let last = (newest ?? 0) - limits.newGroups
        guard
            let leaving = try leastGroup("status = 'open'", upTo: last)
                ?? leastGroup("status IN ('resolved', 'ignored')", upTo: last)
        else { return false }
        let overflowID = try addToOverflow(leaving)
        let releases = try transaction.query(
            "SELECT release_id, event_count, last_seen_at FROM crash_group_releases WHERE group_id = ?",
            [.blob(leaving.id)]
        ) { (id: try $0.integer(0), count: try $0.integer(1), lastSeenAt: try $0.instant(2)) }
        for release in releases {
            try count(release.count, lastSeenAt: release.lastSeenAt, of: release.id, in: overflowID)
        }
        try CrashStore.addDays(of: leaving.id, to: overflowID, in: transaction)
        try transaction.execute(
            "DELETE FROM crash_groups WHERE id = ? OR merged_into = ?", [.blob(leaving.id), .blob(leaving.id)])
        tally.evicted[.group, default: 0] += 1
        return true
    }

    private func leastGroup(_ condition: String, upTo number: Int64) throws -> LeavingGroup? {
        // Built from constants only; there are two variants.
        try transaction.first(
            """
            SELECT id, platform, level, event_count, first_seen_at, last_seen_at FROM crash_groups
            WHERE \(condition) AND rank < ? AND number <= ? AND merged_into IS NULL ORDER BY rank LIMIT 1
            """, [.integer(CrashStanding.reserved), .integer(number)]
        ) { row in
            LeavingGroup(
                id: try row.blob(0), platform: try row.optionalText(1), level: try row.text(2),
                count: try row.integer(3), firstSeenAt: try row.instant(4), lastSeenAt: try row.instant(5))
        }
    }

    private func addToOverflow(_ leaving: LeavingGroup) throws -> [UInt8] {
        let id = try transaction.first(
            """
            UPDATE crash_groups SET event_count = event_count + ?,
                first_seen_at = CASE WHEN first_seen_at > ? THEN ? ELSE first_seen_at END,
                last_seen_at = CASE WHEN last_seen_at < ? THEN ? ELSE last_seen_at END
            WHERE group_key = ? RETURNING id
            """,
            [
                .integer(leaving.count), .instant(leaving.firstSeenAt), .instant(leaving.firstSeenAt),
                .instant(leaving.lastSeenAt), .instant(leaving.lastSeenAt), .blob(Self.overflowKey),
            ]
        ) { try $0.blob(0) }
        return try id
            ?? insertOverflow(
                platform: leaving.platform, level: leaving.level, count: leaving.count, leaving.firstSeenAt,
                leaving.lastSeenAt)
    }
}

extension CrashStore {
    /// Removes all samples of a group but the newest, and the first, so that forged ones cannot replace every sample.
    static func trimSamples(of group: [UInt8], to count: Int64, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            DELETE FROM crash_samples WHERE group_id = ?
                AND id NOT IN (SELECT id FROM crash_samples WHERE group_id = ? ORDER BY id DESC LIMIT ?)
                AND id <> (SELECT min(id) FROM crash_samples WHERE group_id = ?)
            """, [.blob(group), .blob(group), .integer(max(0, count - 1)), .blob(group)])
    }

    /// Adds the days of one group to those of another.
    static func addDays(of group: [UInt8], to other: [UInt8], in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO crash_group_days (group_id, day_number, event_count)
            SELECT ?, day_number, event_count FROM crash_group_days WHERE group_id = ?
            ON CONFLICT (group_id, day_number) DO UPDATE SET
                event_count = crash_group_days.event_count + excluded.event_count
            """, [.blob(other), .blob(group)])
    }
}
