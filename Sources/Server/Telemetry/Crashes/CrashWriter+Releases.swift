import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension CrashWriter {
    /// Returns the number of a release, creating one if it is new. Returns that of ``CrashStore/otherRelease`` if the
    /// release has that name or is unknown to the operator, the client has no quota left, or no release can be evicted.
    ///
    /// - Parameter instant: that of the report, or of the start of the sessions.
    mutating func releaseID(_ name: String, seenAt instant: UTCInstant) throws -> Int64 {
        if name == CrashStore.otherRelease { return try otherRelease(.releaseName) }
        if name.isEmpty { return try reservedRelease(name) }
        guard knownReleases.contains(name) else { return try otherRelease(.releaseUnknown) }
        if let id = try reportedRelease(name, seenAt: instant) { return id }
        guard take(.release) else { return try otherRelease(.releaseQuota) }
        let count = try countReleases()
        if count >= limits.releases {
            guard try evictRelease() else {
                giveBack(.release)
                return try otherRelease(.releasesFull)
            }
        } else {
            releaseCount = count + 1
        }
        return try insert(
            release: name, CrashStanding(mark: quota.mark, at: receivedAt), firstSeenAt: min(instant, receivedAt))
    }

    /// The number of ``CrashStore/otherRelease``.
    mutating func otherReleaseID() throws -> Int64 {
        if let otherReleaseNumber { return otherReleaseNumber }
        let id = try reservedRelease(CrashStore.otherRelease)
        otherReleaseNumber = id
        return id
    }

    /// Counts reports of a release in a group. At the limit, the group's release of the lowest rank is evicted, and its
    /// reports count as those of ``CrashStore/otherRelease``.
    mutating func count(
        _ events: Int64, lastSeenAt: UTCInstant, of releaseID: Int64, in groupID: [UInt8]
    ) throws {
        let isThere = try transaction.execute(
            """
            UPDATE crash_group_releases SET event_count = event_count + ?,
                last_seen_at = CASE WHEN last_seen_at < ? THEN ? ELSE last_seen_at END
            WHERE group_id = ? AND release_id = ?
            """,
            [
                .integer(events), .instant(lastSeenAt), .instant(lastSeenAt), .blob(groupID), .integer(releaseID),
            ])
        guard isThere == 0 else { return }
        try makeRoom(for: releaseID, in: groupID)
        try transaction.execute(
            "INSERT INTO crash_group_releases (group_id, release_id, event_count, last_seen_at) VALUES (?, ?, ?, ?)",
            [.blob(groupID), .integer(releaseID), .integer(events), .instant(lastSeenAt)])
    }

    private mutating func makeRoom(for releaseID: Int64, in groupID: [UInt8]) throws {
        let count = try transaction.integer(
            "SELECT count(*) FROM crash_group_releases WHERE group_id = ?", [.blob(groupID)])
        guard count ?? 0 >= limits.releasesPerGroup else { return }
        let other = try otherReleaseID()
        // ``CrashStore/otherRelease`` does not count towards the limit.
        guard releaseID != other, try countOwnReleases(of: groupID, other) >= limits.releasesPerGroup else { return }
        let leaving = try transaction.first(
            """
            SELECT g.release_id, g.event_count, g.last_seen_at FROM crash_group_releases g
            LEFT JOIN crash_releases r ON r.id = g.release_id WHERE g.group_id = ? AND g.release_id <> ?
            ORDER BY coalesce(r.rank, 0), g.event_count, g.last_seen_at, g.release_id LIMIT 1
            """, [.blob(groupID), .integer(other)]
        ) { (id: try $0.integer(0), count: try $0.integer(1), lastSeenAt: try $0.instant(2)) }
        guard let leaving else { return }
        try transaction.execute(
            "DELETE FROM crash_group_releases WHERE group_id = ? AND release_id = ?",
            [.blob(groupID), .integer(leaving.id)])
        try self.count(leaving.count, lastSeenAt: leaving.lastSeenAt, of: other, in: groupID)
        tally.evicted[.groupRelease, default: 0] += 1
    }

    private func countOwnReleases(of groupID: [UInt8], _ other: Int64) throws -> Int64 {
        try transaction.integer(
            "SELECT count(*) FROM crash_group_releases WHERE group_id = ? AND release_id <> ?",
            [.blob(groupID), .integer(other)]) ?? 0
    }

    /// Evicts the release of the lowest rank outside the newest half, and adds its counts to
    /// ``CrashStore/otherRelease``. Returns false if no release can be evicted.
    private mutating func evictRelease() throws -> Bool {
        let newest = try transaction.integer("SELECT coalesce(max(id), 0) FROM crash_releases")
        let leaving = try transaction.integer(
            """
            SELECT id FROM crash_releases WHERE is_deleted = 0 AND rank < ? AND id <= ? ORDER BY rank LIMIT 1
            """, [.integer(CrashStanding.reserved), .integer((newest ?? 0) - limits.newReleases)])
        guard let leaving else { return false }
        let other = try otherReleaseID()
        try Self.moveReports(from: leaving, to: other, in: transaction)
        try transaction.execute(
            """
            INSERT INTO session_hours
                (hour_number, release_id, session_count, crashed_count, abnormal_count, errored_count)
            SELECT hour_number, ?, session_count, crashed_count, abnormal_count, errored_count
            FROM session_hours WHERE release_id = ?
            ON CONFLICT (hour_number, release_id) DO UPDATE SET
                session_count = session_hours.session_count + excluded.session_count,
                crashed_count = session_hours.crashed_count + excluded.crashed_count,
                abnormal_count = session_hours.abnormal_count + excluded.abnormal_count,
                errored_count = session_hours.errored_count + excluded.errored_count
            """, [.integer(other), .integer(leaving)])
        try transaction.execute("DELETE FROM session_hours WHERE release_id = ?", [.integer(leaving)])
        // Sessions that refer to it are read with an outer join: see KnownSession.
        try transaction.execute("DELETE FROM crash_releases WHERE id = ?", [.integer(leaving)])
        tally.evicted[.release, default: 0] += 1
        return true
    }

    /// Adds the reports of one release to another, in every group.
    static func moveReports(from leaving: Int64, to other: Int64, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO crash_group_releases (group_id, release_id, event_count, last_seen_at)
            SELECT group_id, ?, event_count, last_seen_at FROM crash_group_releases WHERE release_id = ?
            ON CONFLICT (group_id, release_id) DO UPDATE SET
                event_count = crash_group_releases.event_count + excluded.event_count,
                last_seen_at = CASE WHEN crash_group_releases.last_seen_at < excluded.last_seen_at
                    THEN excluded.last_seen_at ELSE crash_group_releases.last_seen_at END
            """, [.integer(other), .integer(leaving)])
        try transaction.execute("DELETE FROM crash_group_releases WHERE release_id = ?", [.integer(leaving)])
    }

    private mutating func otherRelease(_ folding: CrashFolding) throws -> Int64 {
        tally.folded[folding, default: 0] += 1
        return try otherReleaseID()
    }

    /// Returns a release that is never evicted, creating it if it is missing.
    private func reservedRelease(_ name: String) throws -> Int64 {
        try Self.releaseNumber(name, in: transaction)
            ?? insert(
                release: name, CrashStanding(rank: CrashStanding.reserved, marks: 0, markedDay: 0),
                firstSeenAt: receivedAt)
    }

    /// Returns the number of a release; nil if unknown or deleted by an administrator.
    static func releaseNumber(_ name: String, in session: any SQLSession) throws -> Int64? {
        try session.integer("SELECT id FROM crash_releases WHERE name = ? AND is_deleted = 0", [.text(name)])
    }

    /// Returns the number of a known release and records which network reported it, and when it was first seen.
    private func reportedRelease(_ name: String, seenAt instant: UTCInstant) throws -> Int64? {
        let known = try transaction.first(
            """
            SELECT id, rank, marks, marked_day, first_seen_at FROM crash_releases WHERE name = ? AND is_deleted = 0
            """, [.text(name)]
        ) { row in
            (
                id: try row.integer(0),
                standing: CrashStanding(
                    rank: try row.integer(1), marks: try row.integer(2), markedDay: try row.integer(3)),
                firstSeenAt: try row.optionalInstant(4)
            )
        }
        guard let id = known?.id, var standing = known?.standing else { return nil }
        // Devices send late.
        if let firstSeenAt = known?.firstSeenAt, instant < firstSeenAt {
            try transaction.execute(
                "UPDATE crash_releases SET first_seen_at = ? WHERE id = ?", [.instant(instant), .integer(id)])
        }
        if standing.note(quota.mark, at: receivedAt) {
            try transaction.execute(
                "UPDATE crash_releases SET rank = ?, marks = ?, marked_day = ? WHERE id = ?",
                [.integer(standing.rank), .integer(standing.marks), .integer(standing.markedDay), .integer(id)])
        }
        return id
    }

    private mutating func countReleases() throws -> Int64 {
        if let releaseCount { return releaseCount }
        let count = try transaction.integer(
            "SELECT count(*) FROM crash_releases WHERE is_deleted = 0 AND rank < ?", [.integer(CrashStanding.reserved)])
        releaseCount = count ?? 0
        return count ?? 0
    }

    private func insert(
        release name: String, _ standing: CrashStanding, firstSeenAt: UTCInstant
    ) throws -> Int64 {
        let id = try transaction.integer(
            """
            INSERT INTO crash_releases (name, rank, marks, marked_day, first_seen_at) VALUES (?, ?, ?, ?, ?)
            RETURNING id
            """,
            [
                .text(name), .integer(standing.rank), .integer(standing.marks), .integer(standing.markedDay),
                .instant(firstSeenAt),
            ])
        guard let id else { throw SQLError(code: .other, number: 0, context: "insert release") }
        return id
    }
}
