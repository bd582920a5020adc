package import EventLog
package import Foundation
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// The items added most often.
package struct Ranking: Sendable, Hashable {
    /// When the counts were taken.
    package var computedAt: UTCInstant
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
        "Accepted subscription_added events by the catalogue item that they name, ever, most first; counted once a day, "
        + "at as_of (UTC). An item merged into another counts for that one; deleted items are left out."
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

    /// The first `limit` items. Computes the ranking first if today's is missing or empty.
    package func ranking(limit: Int) throws -> Ranking {
        if let ranking = try context.store.read({ try Self.load(limit: limit, in: $0) }), !isDue(ranking) {
            return ranking
        }
        try log.settleForReaders()
        // Avoids repeated writes while there is nothing to rank.
        if try context.store.read({ try Self.isNothingToRank(in: $0) }) {
            return Ranking(computedAt: context.now(), items: [])
        }
        return try context.store.write { transaction in
            try Self.refresh(at: context.now(), in: transaction)
            return try Self.load(limit: limit, in: transaction) ?? Ranking(computedAt: context.now(), items: [])
        }
    }

    /// Recomputes a ranking that is at least a day old. Returns whether it did.
    @discardableResult
    package func refreshIfDue() throws -> Bool {
        if let ranking = try context.store.read({ try Self.load(limit: 1, in: $0) }), !isDue(ranking) { return false }
        try log.settleForReaders()
        try context.store.write { try Self.refresh(at: context.now(), in: $0) }
        return true
    }

    /// Whether there are no additions of catalogue items, and no stored ranking to replace.
    private static func isNothingToRank(in session: any SQLSession) throws -> Bool {
        try session.first(
            """
            SELECT 1 FROM ranking_entries
            UNION ALL
            SELECT 1 FROM (SELECT id FROM catalogue_items UNION SELECT id FROM catalogue_tombstones) c
            JOIN item_additions a ON a.item_id = c.id
            LIMIT 1
            """
        ) { try $0.integer(0) } == nil
    }

    /// A ranking dated in the future, after a clock was set back, is due as well.
    private func isDue(_ ranking: Ranking) -> Bool {
        let now = context.now()
        return ranking.items.isEmpty || ranking.computedAt > now
            || ranking.computedAt.adding(seconds: Self.refreshHours * 3600) <= now
    }

    /// Computes the ranking from the current counts.
    static func refresh(at now: UTCInstant, in transaction: any SQLTransaction) throws {
        try transaction.execute("DELETE FROM ranking_entries")
        // Only items of the catalogue, so that invented ids cannot grow the table.
        try transaction.execute(
            """
            INSERT INTO ranking_entries (item_id, addition_count)
            SELECT a.item_id, a.addition_count
            FROM (SELECT id FROM catalogue_items UNION SELECT id FROM catalogue_tombstones) c
            JOIN item_additions a ON a.item_id = c.id
            """)
        try transaction.execute(
            """
            INSERT INTO ranking_refreshes (id, refreshed_at) VALUES (1, ?)
            ON CONFLICT (id) DO UPDATE SET refreshed_at = excluded.refreshed_at
            """, [.instant(now)])
    }

    /// Nil before the first refresh. Names, logos and merges are current.
    private static func load(limit: Int, in session: any SQLSession) throws -> Ranking? {
        let computedAt = try session.first("SELECT refreshed_at FROM ranking_refreshes WHERE id = 1") {
            try $0.instant(0)
        }
        guard let computedAt else { return nil }
        // Chains of merges are followed to the end; an item whose chain leads to a purged tombstone is skipped.
        let items = try session.query(
            """
            WITH RECURSIVE primaries (id, addition_count, depth) AS (
                SELECT item_id, addition_count, 0 FROM ranking_entries
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
        return Ranking(computedAt: computedAt, items: items)
    }
}
