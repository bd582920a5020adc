package import EventLog
package import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

/// The items added most often.
package struct Ranking: Sendable, Hashable {
    /// When the counts were taken, and how far they go.
    package var standing: FigureStanding
    package var computedAt: UTCInstant { standing.computedAt }
    /// Most first; equal ones in the order of their names.
    package let items: [Item]

    package struct Item: Sendable, Hashable {
        package let id: UUID
        package let name: String
        package let logoURL: String?
        /// Accepted `subscription_added` events that name the item or one merged into it.
        package let count: Int64
    }

    package static let definition =
        "Accepted subscription_added events by the catalogue item that they name, ever, most first; counted once a "
        + "day, at as_of. An item merged into another counts for that one; deleted items are left out."
}

/// The ranking, recomputed once a day, so that it neither changes while people read it nor reveals what a single device
/// has just added.
package struct RankingStore: Sendable {
    private let context: BackendContext
    private let log: EventLog

    /// `log` defaults to a new one.
    package init(context: BackendContext, log: EventLog? = nil) {
        self.context = context
        self.log = log ?? EventLog(context: context)
    }

    package static let refreshHours: Int64 = 24

    /// The first `limit` items. Where the day's ranking has not been taken yet, or is empty, it is taken now. While
    /// events wait that take too long to count, it is the last one or, without one, that of the events counted so far,
    /// which is not stored.
    package func ranking(limit: Int) throws -> Ranking {
        let stored = try context.store.read { try Self.load(limit: limit, in: $0) }
        if let stored, !isDue(stored) { return stored }
        let mark = try log.settleForReaders()
        let now = context.now()
        let (standing, isNothingToRank) = try context.store.read { session in
            (try FigureStanding(of: mark, now: now, in: session), try Self.isNothingToRank(in: session))
        }
        // Reading must not write again and again while there is nothing to rank.
        if standing.isComplete, isNothingToRank { return Ranking(standing: standing, items: []) }
        // Events that have come since are few, and are counted along.
        if standing.isComplete {
            return try log.write { _, transaction in
                try log.foldAll(at: now, in: transaction)
                try Self.refresh(at: now, in: transaction)
                return try Self.load(limit: limit, in: transaction)
                    ?? Ranking(standing: FigureStanding(completeAt: now, standing.calendar), items: [])
            }
        }
        if let stored, !stored.items.isEmpty { return stored }
        return try context.store.readOnStandby { session in
            Ranking(
                standing: try FigureStanding(of: mark, now: now, in: session),
                items: try Self.items(of: Self.counted, limit: limit, in: session))
        }
    }

    /// Takes the ranking when the last one is a day old, after everything was counted that is in the log now. Returns
    /// whether it did.
    @discardableResult
    package func refreshIfDue() throws -> Bool {
        if let ranking = try context.store.read({ try Self.load(limit: 1, in: $0) }), !isDue(ranking) { return false }
        try log.settle()
        try log.write { _, transaction in
            let now = context.now()
            try log.foldAll(at: now, in: transaction)
            try Self.refresh(at: now, in: transaction)
        }
        return true
    }

    /// Whether there are no additions of catalogue items, and no stored ranking to replace.
    private static func isNothingToRank(in session: any SQLSession) throws -> Bool {
        try !session.exists(
            """
            SELECT 1 FROM ranking_entries
            UNION ALL
            SELECT 1 FROM (SELECT id FROM catalogue_items UNION SELECT id FROM catalogue_tombstones) c
            JOIN item_additions a ON a.item_id = c.id
            LIMIT 1
            """)
    }

    /// A ranking dated in the future, after a clock was set back, is due as well.
    private func isDue(_ ranking: Ranking) -> Bool {
        let now = context.now()
        return ranking.items.isEmpty || ranking.computedAt > now
            || ranking.computedAt.adding(seconds: Self.refreshHours * 3600) <= now
    }

    /// Takes the ranking from the figures. Call it when every event is in them.
    static func refresh(at now: UTCInstant, in transaction: any SQLTransaction) throws {
        try transaction.execute("DELETE FROM ranking_entries")
        try transaction.execute("INSERT INTO ranking_entries (item_id, addition_count) \(counted)")
        try transaction.execute(
            """
            INSERT INTO ranking_refreshes (id, refreshed_at, folded_block_id)
            SELECT 1, ?, folded_block_id FROM event_folds WHERE id = 1
            ON CONFLICT (id)
            DO UPDATE SET refreshed_at = excluded.refreshed_at, folded_block_id = excluded.folded_block_id
            """, [.instant(now)])
    }

    /// Removes the stored ranking, so that the next reader takes another.
    static func forget(in transaction: any SQLTransaction) throws {
        try transaction.execute("DELETE FROM ranking_entries")
        try transaction.execute("DELETE FROM ranking_refreshes")
    }

    /// When the stored ranking was taken, and the last block that was folded then; nil before the first one.
    static func storedMoment(in session: any SQLSession) throws -> (takenAt: UTCInstant, foldedBlock: Int64)? {
        try session.first("SELECT refreshed_at, folded_block_id FROM ranking_refreshes WHERE id = 1") {
            (try $0.instant(0), try $0.integer(1))
        }
    }

    static func storedCounts(in session: any SQLSession) throws -> [(item: UUID, count: Int64)] {
        try session.query("SELECT item_id, addition_count FROM ranking_entries ORDER BY item_id") {
            (try $0.uuid(0), try $0.integer(1))
        }
    }

    /// Items of the catalogue that a ranking taken at `instant` must have if they had been added by then.
    static func knownItems(before instant: UTCInstant, in session: any SQLSession) throws -> [UUID] {
        try session.query("SELECT id FROM catalogue_items WHERE created_at < ? ORDER BY id", [.instant(instant)]) {
            try $0.uuid(0)
        }
    }

    /// Only what the catalogue knows, so that invented ids cannot make this long.
    private static let counted = """
        SELECT a.item_id, a.addition_count
        FROM (SELECT id FROM catalogue_items UNION SELECT id FROM catalogue_tombstones) c
        JOIN item_additions a ON a.item_id = c.id
        """

    /// The stored one; nil before the first refresh. Names, logos and merges are those of now.
    private static func load(limit: Int, in session: any SQLSession) throws -> Ranking? {
        let computedAt = try session.first("SELECT refreshed_at FROM ranking_refreshes WHERE id = 1") {
            try $0.instant(0)
        }
        guard let computedAt else { return nil }
        return Ranking(
            standing: FigureStanding(completeAt: computedAt, try ReportCalendar.load(in: session)),
            items: try items(of: "SELECT item_id, addition_count FROM ranking_entries", limit: limit, in: session))
    }

    /// - Parameter counts: SQL for ids and how often each was added.
    private static func items(
        of counts: String, limit: Int, in session: any SQLSession
    ) throws -> [Ranking.Item] {
        // A chain of merges is followed to its end; one that a purged tombstone breaks leads nowhere.
        try session.query(
            """
            WITH RECURSIVE primaries (id, addition_count, depth) AS (
                SELECT item_id, addition_count, 0 FROM (\(counts)) AS counted
                UNION ALL
                SELECT t.merged_into, p.addition_count, p.depth + 1
                FROM primaries p JOIN catalogue_tombstones t ON t.id = p.id
                WHERE t.merged_into IS NOT NULL AND p.depth < 64
            )
            SELECT i.id, i.name, i.logo_url, sum(p.addition_count) AS additions
            FROM primaries p JOIN catalogue_items i ON i.id = p.id
            GROUP BY i.id
            ORDER BY additions DESC, i.sort_name, i.id
            LIMIT ?
            """, [.integer(Int64(limit))]
        ) { row in
            Ranking.Item(
                id: try row.uuid(0), name: try row.text(1), logoURL: try row.optionalText(2), count: try row.integer(3))
        }
    }
}
