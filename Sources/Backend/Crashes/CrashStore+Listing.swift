package import Foundation
import SQLDatabase
package import SubGuardDomain

extension CrashStore {
    private static let columns =
        "SELECT id, title, culprit, platform, level, status, event_count, first_seen_at, last_seen_at FROM crash_groups"

    /// Groups, last seen first, with their releases; nil as `next` on the last page.
    package func list(after cursor: CrashCursor?, limit: Int) throws -> (groups: [CrashGroup], next: CrashCursor?) {
        try context.store.read { session in
            let place = cursor ?? CrashCursor(lastSeenAt: .latest, id: Self.lastID)
            var groups = try session.query(
                Self.columns + " WHERE (last_seen_at, id) < (?, ?) ORDER BY last_seen_at DESC, id DESC LIMIT ?",
                [.instant(place.lastSeenAt), .uuid(place.id), .integer(Int64(limit) + 1)], Self.group)
            let hasMore = groups.count > limit
            if hasMore { groups.removeLast() }
            for index in groups.indices { groups[index].releases = try Self.releases(of: groups[index].id, session) }
            let last = groups.last.map { CrashCursor(lastSeenAt: $0.lastSeenAt, id: $0.id) }
            return (groups, hasMore ? last : nil)
        }
    }

    /// One group with its newest reports, newest first; nil when there is none.
    package func find(_ id: UUID) throws -> (group: CrashGroup, samples: [CrashGroup.Sample])? {
        try context.store.read { session in
            guard var group = try session.first(Self.columns + " WHERE id = ?", [.uuid(id)], Self.group) else {
                return nil
            }
            group.releases = try Self.releases(of: id, session)
            let samples = try session.query(
                "SELECT occurred_at, body FROM crash_samples WHERE group_id = ? ORDER BY id DESC", [.uuid(id)]
            ) { CrashGroup.Sample(occurredAt: try $0.instant(0), body: try $0.text(1)) }
            return (group, samples)
        }
    }

    /// Sessions of each release in the last 720 hours, most sessions first.
    package func releaseHealth(at now: UTCInstant) throws -> [ReleaseHealth] {
        let end = CrashFreeRate.hourNumber(of: now)
        return try context.store.read { session in
            try session.query(
                """
                SELECT r.name, sum(h.session_count), sum(h.crashed_count), sum(h.abnormal_count), sum(h.errored_count)
                FROM session_hours h JOIN crash_releases r ON r.id = h.release_id
                WHERE h.hour_number BETWEEN ? AND ? GROUP BY r.name ORDER BY 2 DESC, 1
                """, [.integer(end - 30 * 24 + 1), .integer(end)]
            ) { row in
                ReleaseHealth(
                    release: try row.text(0),
                    tally: SessionTally(
                        sessions: try row.integer(1), crashed: try row.integer(2), abnormal: try row.integer(3),
                        errored: try row.integer(4)))
            }
        }
    }

    private static let lastID = UUID(
        uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))

    private static func group(_ row: any SQLRow) throws -> CrashGroup {
        CrashGroup(
            id: try row.uuid(0), title: try row.text(1), culprit: try row.optionalText(2),
            platform: try row.optionalText(3), level: try row.text(4), status: try row.text(5),
            count: try row.integer(6), firstSeenAt: try row.instant(7), lastSeenAt: try row.instant(8), releases: [])
    }

    private static func releases(of id: UUID, _ session: any SQLSession) throws -> [CrashGroup.Release] {
        try session.query(
            """
            SELECT r.name, g.event_count, g.last_seen_at FROM crash_group_releases g
            JOIN crash_releases r ON r.id = g.release_id WHERE g.group_id = ? ORDER BY g.event_count DESC, r.name
            """, [.uuid(id)]
        ) { row in
            let name = try row.text(0)
            return CrashGroup.Release(
                name: name.isEmpty ? nil : name, count: try row.integer(1), lastSeenAt: try row.instant(2))
        }
    }
}
