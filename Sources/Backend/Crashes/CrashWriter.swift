import Foundation
import SQLDatabase
import SubGuardDomain

/// Writes reports into one open transaction.
struct CrashWriter {
    let transaction: any SQLTransaction
    let context: BackendContext
    let limits: CrashStoreLimits
    let receivedAt: UTCInstant
    var tally: CrashTally

    mutating func write(_ report: CrashReport) throws {
        guard try isNew(report.id) else {
            tally.duplicates += 1
            return
        }
        tally.reports += 1
        let groupID = try groupID(of: report)
        try count(report, in: groupID)
        guard report.sample.count <= limits.sampleBytes else { return }
        try transaction.execute(
            "INSERT INTO crash_samples (group_id, occurred_at, body) VALUES (?, ?, ?)",
            [.blob(groupID), .instant(report.occurredAt), .text(String(decoding: report.sample, as: UTF8.self))])
        try transaction.execute(
            """
            DELETE FROM crash_samples WHERE group_id = ? AND id NOT IN
                (SELECT id FROM crash_samples WHERE group_id = ? ORDER BY id DESC LIMIT ?)
            """, [.blob(groupID), .blob(groupID), .integer(limits.samplesPerGroup)])
    }

    /// Forgets the oldest ids and sessions beyond the most.
    func trim() throws {
        try transaction.execute(
            "DELETE FROM crash_receipts WHERE id <= (SELECT max(id) FROM crash_receipts) - ?",
            [.integer(limits.receipts)])
        try transaction.execute(
            "DELETE FROM crash_sessions WHERE id <= (SELECT max(id) FROM crash_sessions) - ?",
            [.integer(limits.sessions)])
    }

    /// Remembers the id; false when it was known. Without an id everything is new.
    func isNew(_ id: UUID?) throws -> Bool {
        guard let id else { return true }
        return try transaction.execute(
            "INSERT INTO crash_receipts (receipt_id) VALUES (?) ON CONFLICT (receipt_id) DO NOTHING", [.uuid(id)]) == 1
    }

    /// The number of a release, made if new; that of ``CrashStore/otherRelease`` when there are too many.
    func releaseID(_ name: String) throws -> Int64 {
        if let id = try knownReleaseID(name) { return id }
        let count = try transaction.first("SELECT count(*) FROM crash_releases") { try $0.integer(0) } ?? 0
        let name = count < limits.releases ? name : CrashStore.otherRelease
        if let id = try knownReleaseID(name) { return id }
        let id = try transaction.first("INSERT INTO crash_releases (name) VALUES (?) RETURNING id", [.text(name)]) {
            try $0.integer(0)
        }
        guard let id else { throw SQLError(code: .other, number: 0, context: "insert release") }
        return id
    }

    private func knownReleaseID(_ name: String) throws -> Int64? {
        try transaction.first("SELECT id FROM crash_releases WHERE name = ?", [.text(name)]) { try $0.integer(0) }
    }

    /// The group of the fault, made if new; the one for all others when there are too many.
    private func groupID(of report: CrashReport) throws -> [UInt8] {
        let key = CrashStore.digest(report.groupKey)
        if let id = try counted(report, key: key) { return id }
        let count = try transaction.first("SELECT count(*) FROM crash_groups") { try $0.integer(0) } ?? 0
        guard count >= limits.groups else {
            return try insert(report, key: key, title: report.title, culprit: report.culprit)
        }
        let overflow = CrashStore.digest(CrashStore.overflowTitle)
        return try counted(report, key: overflow)
            ?? insert(report, key: overflow, title: CrashStore.overflowTitle, culprit: nil)
    }

    /// Counts the report in the group of that key; nil when there is none.
    private func counted(_ report: CrashReport, key: [UInt8]) throws -> [UInt8]? {
        let seenAt = SQLValue.instant(report.occurredAt)
        return try transaction.first(
            """
            UPDATE crash_groups SET event_count = event_count + 1, level = ?,
                first_seen_at = CASE WHEN first_seen_at > ? THEN ? ELSE first_seen_at END,
                last_seen_at = CASE WHEN last_seen_at < ? THEN ? ELSE last_seen_at END
            WHERE group_key = ? RETURNING id
            """, [.text(report.level.rawValue), seenAt, seenAt, seenAt, seenAt, .blob(key)]
        ) { try $0.blob(0) }
    }

    private func insert(_ report: CrashReport, key: [UInt8], title: String, culprit: String?) throws -> [UInt8] {
        let id = context.makeID()
        try transaction.execute(
            """
            INSERT INTO crash_groups
                (id, group_key, title, culprit, platform, level, event_count, first_seen_at, last_seen_at)
            VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)
            """,
            [
                .uuid(id), .blob(key), .text(title), .text(orNull: culprit), .text(orNull: report.platform),
                .text(report.level.rawValue), .instant(report.occurredAt), .instant(report.occurredAt),
            ])
        return id.rawBytes
    }

    private func count(_ report: CrashReport, in groupID: [UInt8]) throws {
        var release = try releaseID(report.release ?? "")
        let known = try transaction.first(
            "SELECT 1 FROM crash_group_releases WHERE group_id = ? AND release_id = ?",
            [.blob(groupID), .integer(release)]
        ) { try $0.integer(0) }
        if known == nil {
            let count = try transaction.first(
                "SELECT count(*) FROM crash_group_releases WHERE group_id = ?", [.blob(groupID)]
            ) { try $0.integer(0) }
            if count ?? 0 >= limits.releasesPerGroup { release = try releaseID(CrashStore.otherRelease) }
        }
        try transaction.execute(
            """
            INSERT INTO crash_group_releases (group_id, release_id, event_count, last_seen_at) VALUES (?, ?, 1, ?)
            ON CONFLICT (group_id, release_id) DO UPDATE SET
                event_count = crash_group_releases.event_count + 1,
                last_seen_at = CASE WHEN crash_group_releases.last_seen_at < excluded.last_seen_at
                    THEN excluded.last_seen_at ELSE crash_group_releases.last_seen_at END
            """, [.blob(groupID), .integer(release), .instant(report.occurredAt)])
    }
}
