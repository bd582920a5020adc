package import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

extension CrashStore {
    private static let fields = """
        g.id, g.title, g.culprit, g.platform, g.level, g.status, g.event_count, g.first_seen_at, g.last_seen_at,
            g.decided_at, g.regressed_at, g.revision
        """
    static let columns = "SELECT \(fields) FROM crash_groups g"

    /// Groups whose reports another one counts as well.
    static let parts = "(SELECT id FROM crash_groups WHERE merged_into IS NOT NULL)"

    /// Returns a page of groups with their releases, and the position of the next page; nil on the last page. A group
    /// reported between two page requests may appear twice or not at all.
    package func list(
        _ query: CrashListQuery = CrashListQuery(), after cursor: PageCursor?, limit: Int
    ) throws -> (groups: [CrashGroup], next: PageCursor?) {
        let column = query.sort.column
        var (conditions, arguments) = conditions(of: query)
        if let cursor, let id = cursor.ids.first {
            conditions.append("(\(column), id) < (?, ?)")
            arguments += [.integer(cursor.number), .uuid(id)]
        }
        arguments.append(.integer(Int64(limit) + 1))
        let filter = "WHERE " + conditions.joined(separator: " AND ")
        // Built from constants only; there are 96 variants.
        let sql = "\(Self.columns) \(filter) ORDER BY \(column) DESC, id DESC LIMIT ?"
        return try context.store.readOnStandby { session in
            var groups = try session.query(sql, arguments, Self.group)
            let hasMore = groups.count > limit
            if hasMore { groups.removeLast() }
            let releases = try Self.releases(of: groups.map(\.id), session)
            for index in groups.indices { groups[index].releases = releases[groups[index].id] ?? [] }
            let next = groups.last.map { PageCursor(number: query.sort.key(of: $0), ids: [$0.id]) }
            return (groups, hasMore ? next : nil)
        }
    }

    /// Returns the number of groups of each status that the query finds, whatever its own status.
    package func counts(_ query: CrashListQuery = CrashListQuery()) throws -> [CrashStatus: Int64] {
        var query = query
        query.status = nil
        let (conditions, arguments) = conditions(of: query)
        let filter = "WHERE " + conditions.joined(separator: " AND ")
        var counts: [CrashStatus: Int64] = [:]
        try context.store.readOnStandby { session in
            try session.forEach("SELECT status, count(*) FROM crash_groups \(filter) GROUP BY status", arguments) {
                row in
                counts[try row.word(0)] = try row.integer(1)
            }
        }
        return counts
    }

    private func conditions(of query: CrashListQuery) -> (conditions: [String], arguments: [SQLValue]) {
        var conditions = ["merged_into IS NULL"]
        var arguments: [SQLValue] = []
        if let status = query.status {
            conditions.append("status = ?")
            arguments.append(.text(status.rawValue))
        }
        if let search = query.search {
            // LIKE of SQLite ignores the case of ASCII letters by itself.
            let columns =
                context.store.dialect == .sqlite ? ["title", "culprit"] : ["lower(title)", "lower(culprit)"]
            conditions.append("(" + columns.map { "\($0) LIKE ? ESCAPE '!'" }.joined(separator: " OR ") + ")")
            let pattern = SQLValue.text(CrashListQuery.pattern(search))
            arguments += [pattern, pattern]
        }
        if let platform = query.platform {
            conditions.append("platform = ?")
            arguments.append(.text(platform))
        }
        if let release = query.release {
            conditions.append(
                """
                id IN (SELECT g.group_id FROM crash_group_releases g JOIN crash_releases r ON r.id = g.release_id
                    WHERE r.name = ?)
                """)
            arguments.append(.text(release))
        }
        return (conditions, arguments)
    }

    /// Returns a group with its parts, and its samples with the names of functions, newest first; nil if there is none.
    package func find(_ id: UUID) throws -> CrashGroup.Details? {
        try context.store.read { session in
            guard let group = try Self.find(id, in: session) else { return nil }
            // Of several parts, the newest samples and the first one, as of one group.
            let all =
                "FROM crash_samples s JOIN crash_groups g ON g.id = s.group_id WHERE g.id = ? OR g.merged_into = ?"
            let reports = try session.query(
                """
                SELECT s.occurred_at, s.body FROM crash_samples s WHERE s.id IN (
                    SELECT id FROM (SELECT s.id \(all) ORDER BY s.id DESC LIMIT ?) newest
                    UNION SELECT min(s.id) \(all))
                ORDER BY s.occurred_at DESC, s.id DESC
                """,
                [
                    .uuid(group.id), .uuid(group.id), .integer(max(0, limits.samplesPerGroup - 1)), .uuid(group.id),
                    .uuid(group.id),
                ]
            ) { CrashGroup.Sample(occurredAt: try $0.instant(0), body: try $0.text(1)) }
            var names = CrashNames(session)
            let samples = try reports.map { report in
                CrashGroup.Sample(occurredAt: report.occurredAt, body: try names.naming(report: report.body))
            }
            let count = try session.integer(
                "SELECT count(*) FROM crash_groups WHERE merged_into = ?", [.uuid(group.id)])
            return CrashGroup.Details(
                group: group, samples: samples, parts: try Self.parts(of: group.id, in: session),
                partCount: count ?? 0)
        }
    }

    /// Returns the groups of some ids, or those which show them, without their releases and reports, in one query. Ids
    /// that are not there are left out.
    package func groups(_ ids: [UUID]) throws -> [UUID: CrashGroup] {
        guard let list = SQLIDList(ids) else { return [:] }
        var groups: [UUID: CrashGroup] = [:]
        try context.store.read { session in
            try session.forEach(
                """
                SELECT \(Self.fields), a.id
                FROM (SELECT id, merged_into FROM crash_groups WHERE id IN \(list.placeholders)) a
                JOIN crash_groups g ON g.id = coalesce(a.merged_into, a.id)
                """, list.arguments
            ) { row in groups[try row.uuid(12)] = try Self.group(row) }
        }
        return groups
    }

    /// The group, or the one that shows it.
    static func find(_ id: UUID, in session: any SQLSession) throws -> CrashGroup? {
        let shown = "coalesce((SELECT merged_into FROM crash_groups WHERE id = ?), ?)"
        guard
            var found = try session.first("\(columns) WHERE id = \(shown)", [.uuid(id), .uuid(id)], Self.group)
        else { return nil }
        found.releases = try releases(of: [found.id], session)[found.id] ?? []
        return found
    }

    /// The first parts, at most ``CrashGroup/Details/mostParts``: for each, a report is read.
    private static func parts(of id: UUID, in session: any SQLSession) throws -> [CrashGroup.Part] {
        try session.query(
            """
            SELECT g.event_count, g.first_seen_at, g.last_seen_at, g.status,
                (SELECT s.body FROM crash_samples s WHERE s.group_id = g.id ORDER BY s.id LIMIT 1)
            FROM crash_groups g WHERE g.merged_into = ? ORDER BY g.number, g.id LIMIT ?
            """, [.uuid(id), .integer(Int64(CrashGroup.Details.mostParts))]
        ) { row in
            let event = try row.optionalText(4).flatMap { try? JSONValue.parse(Array($0.utf8)).objectValue }
            let facts = event.map { CrashFacts($0) }
            let build = facts?.frames.first?.address?.build
            return CrashGroup.Part(
                place: facts?.culprit, build: build?.isEmpty == false ? build : nil, count: try row.integer(0),
                firstSeenAt: try row.instant(1), lastSeenAt: try row.instant(2), status: try row.word(3))
        }
    }

    /// Returns every release with its sessions in the last 720 hours and its reports; most sessions first, then
    /// reports.
    package func releaseHealth(at now: UTCInstant) throws -> [ReleaseHealth] {
        let end = CrashFreeRate.hourNumber(of: now)
        return try context.store.readOnStandby { session in
            try session.query(
                """
                SELECT r.name, coalesce(s.sessions, 0), coalesce(s.crashed, 0), coalesce(s.abnormal, 0),
                    coalesce(s.errored, 0), coalesce(g.reports, 0), r.first_seen_at
                FROM crash_releases r
                LEFT JOIN (
                    SELECT release_id, sum(session_count) AS sessions, sum(crashed_count) AS crashed,
                        sum(abnormal_count) AS abnormal, sum(errored_count) AS errored
                    FROM session_hours WHERE hour_number BETWEEN ? AND ? GROUP BY release_id
                ) s ON s.release_id = r.id
                LEFT JOIN (
                    SELECT release_id, sum(event_count) AS reports FROM crash_group_releases
                    WHERE group_id NOT IN \(Self.parts) GROUP BY release_id
                ) g ON g.release_id = r.id
                WHERE r.is_deleted = 0 AND r.name <> '' AND (s.sessions > 0 OR g.reports > 0)
                ORDER BY 2 DESC, 6 DESC, 1
                """, [.integer(end - 30 * 24 + 1), .integer(end)]
            ) { row in
                ReleaseHealth(
                    release: try row.text(0),
                    tally: SessionTally(
                        sessions: try row.integer(1), crashed: try row.integer(2), abnormal: try row.integer(3),
                        errored: try row.integer(4)), reports: try row.integer(5),
                    firstSeenAt: try row.optionalInstant(6))
            }
        }
    }

    private static func group(_ row: any SQLRow) throws -> CrashGroup {
        CrashGroup(
            id: try row.uuid(0), title: try row.text(1), culprit: try row.optionalText(2),
            platform: try row.optionalText(3), level: try row.word(4),
            status: try row.word(5),
            count: try row.integer(6), firstSeenAt: try row.instant(7), lastSeenAt: try row.instant(8),
            decidedAt: try row.optionalInstant(9), regressedAt: try row.optionalInstant(10),
            revision: try row.integer(11), releases: [])
    }

    private static func releases(
        of ids: [UUID], _ session: any SQLSession
    ) throws -> [UUID: [CrashGroup.Release]] {
        guard let list = SQLIDList(ids) else { return [:] }
        var releases: [UUID: [CrashGroup.Release]] = [:]
        try session.forEach(
            """
            SELECT g.group_id, r.name, g.event_count, g.last_seen_at FROM crash_group_releases g
            JOIN crash_releases r ON r.id = g.release_id WHERE g.group_id IN \(list.placeholders)
            ORDER BY g.event_count DESC, r.name
            """, list.arguments
        ) { row in
            let name = try row.text(1)
            releases[try row.uuid(0), default: []].append(
                CrashGroup.Release(
                    name: name.isEmpty ? nil : name, count: try row.integer(2), lastSeenAt: try row.instant(3)))
        }
        return releases
    }
}
