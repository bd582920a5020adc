import EventLog
package import Foundation
package import SQLDatabase
import ServerAccess
package import SubGuardDomain
import SubGuardSQL

/// A rebuild of the figures and its state: the row of `figure_rebuilds`, which exists while one is under way or has
/// left something behind. On PostgreSQL it is written in the lane of the figures only.
package struct FigureRebuild: Sendable, Hashable {
    /// Tells this rebuild from any other.
    package let run: UUID
    package let actorName: String
    package let begunAt: UTCInstant
    /// The last block of which the figures are computed.
    package let lastBlock: Int64
    /// What was counted when it was begun: of the same blocks, unless some could not be counted.
    let totalsBefore: UserTotals
    /// The last sign of life of its process.
    let seenAt: UTCInstant
    /// When it published its figures or was given up; nil while it reads the log.
    let endedAt: UTCInstant?
    /// What it has published; nil before and without.
    let published: Published?

    package struct Published: Sendable, Hashable {
        package let eventCount: Int64
        package let totalsBefore: UserTotals
        package let totalsAfter: UserTotals
    }

    /// Nil if there is none.
    package static func load(in session: any SQLSession) throws -> FigureRebuild? {
        try session.first(
            """
            SELECT run, actor_name, begun_at, through_block_id, seen_at, ended_at, event_count, users_before,
                conversions_before, subscriptions_before, users_after, conversions_after, subscriptions_after
            FROM figure_rebuilds WHERE id = 1
            """
        ) { row in
            // An earlier program writes them when it publishes.
            let totalsBefore = UserTotals(
                users: try row.optionalInteger(7) ?? 0, conversions: try row.optionalInteger(8) ?? 0,
                subscriptions: try row.optionalInteger(9) ?? 0)
            let published = try row.optionalInteger(6).map { events in
                Published(
                    eventCount: events, totalsBefore: totalsBefore,
                    totalsAfter: UserTotals(
                        users: try row.integer(10), conversions: try row.integer(11),
                        subscriptions: try row.integer(12)))
            }
            return FigureRebuild(
                run: try row.uuid(0), actorName: try row.text(1), begunAt: try row.instant(2),
                lastBlock: try row.integer(3), totalsBefore: totalsBefore, seenAt: try row.instant(4),
                endedAt: try row.optionalInstant(5), published: published)
        }
    }

    static func insert(
        _ run: UUID, by actor: Actor, lastBlock: Int64, holdsCounting: Bool, totals: UserTotals, at now: UTCInstant,
        in transaction: any SQLTransaction
    ) throws -> FigureRebuild {
        try transaction.execute(
            """
            INSERT INTO figure_rebuilds (id, run, actor_name, begun_at, through_block_id, seen_at, holds_counting,
                users_before, conversions_before, subscriptions_before)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .uuid(run), .text(actor.name), .instant(now), .integer(lastBlock), .instant(now),
                .integer(holdsCounting ? 1 : 0), .integer(totals.users), .integer(totals.conversions),
                .integer(totals.subscriptions),
            ])
        return FigureRebuild(
            run: run, actorName: actor.name, begunAt: now, lastBlock: lastBlock, totalsBefore: totals, seenAt: now,
            endedAt: nil, published: nil)
    }

    /// Gives a sign of life. Throws ``RebuildInterrupted`` when others have given the rebuild up.
    func touch(at now: UTCInstant, in transaction: any SQLTransaction) throws {
        let count = try transaction.execute(
            "UPDATE figure_rebuilds SET seen_at = ? WHERE run = ? AND ended_at IS NULL", [.instant(now), .uuid(run)])
        guard count > 0 else { throw RebuildInterrupted() }
    }

    func publish(_ published: Published, at now: UTCInstant, in transaction: any SQLTransaction) throws {
        let after = published.totalsAfter
        let count = try transaction.execute(
            """
            UPDATE figure_rebuilds SET seen_at = ?, ended_at = ?, event_count = ?, users_after = ?,
                conversions_after = ?, subscriptions_after = ?
            WHERE run = ? AND ended_at IS NULL
            """,
            [
                .instant(now), .instant(now), .integer(published.eventCount), .integer(after.users),
                .integer(after.conversions), .integer(after.subscriptions), .uuid(run),
            ])
        guard count > 0 else { throw RebuildInterrupted() }
    }

    /// Gives it up, if it has not published.
    func end(at now: UTCInstant, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            "UPDATE figure_rebuilds SET ended_at = ? WHERE run = ? AND ended_at IS NULL", [.instant(now), .uuid(run)])
    }

    /// Keeps servers from clearing up what its own process is clearing up.
    func touchClearing(at now: UTCInstant, in transaction: any SQLTransaction) throws {
        try transaction.execute("UPDATE figure_rebuilds SET seen_at = ? WHERE run = ?", [.instant(now), .uuid(run)])
    }

    func isSeenRecently(at now: UTCInstant) -> Bool { EventLog.isRecent(seenAt, at: now) }
}

/// The process gave no sign of life for so long that others went on to change the log. The figures are as they were.
package struct RebuildInterrupted: Error, CustomStringConvertible {
    package var description: String {
        "the rebuild was interrupted for so long that other work on the event log went on; the figures are unchanged"
    }
}

/// How much memory a rebuild takes, and how much one of its transactions does.
package struct RebuildTuning: Sendable {
    /// Users in memory at a time, of all workers. Each takes about 400 bytes while the arrays grow. Default 300,000.
    package var usersInMemory = 300_000
    /// Changes by the moment that a worker keeps before it packs them, up to 72 bytes each. Default 500,000.
    package var changesInMemory = 500_000
    /// Threads that count, each the users of a range of keys. Default: the number of processors, at most 4.
    package var workers = min(4, max(1, ProcessInfo.processInfo.activeProcessorCount))
    /// Events read from the log at a time. Default 100,000, about 5 MB.
    package var eventsInARead = 100_000
    /// Pages of users that one transaction writes or removes. Default 500, about 2 MB.
    package var pagesInAStep = 500
    /// The time between signs of life while the log is read. Default 5 s.
    package var secondsBetweenSigns: Int64 = 5

    package init() {}
}

/// The tables that a rebuild fills beside those of the figures, because they are large: pages of users, and changes by
/// the moment. They are empty otherwise.
enum RebuiltTables {
    static func insert(_ pages: ArraySlice<UserPage.Keyed>, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            pageInsertion, rows: pages.map { [.integer($0.firstKey), .blob($0.page.bytes)] })
    }

    /// Removes some rows. Returns whether there may be more.
    static func clearStep(rows: Int, in transaction: any SQLTransaction) throws -> Bool {
        let pages = try transaction.execute(
            """
            DELETE FROM rebuilt_user_pages WHERE first_key IN (
                SELECT first_key FROM rebuilt_user_pages ORDER BY first_key LIMIT ?)
            """, [.integer(Int64(rows))])
        let moments = try transaction.execute(
            """
            DELETE FROM rebuilt_figure_moments WHERE (hour_number, number) IN (
                SELECT hour_number, number FROM rebuilt_figure_moments ORDER BY hour_number, number LIMIT ?)
            """, [.integer(Int64(rows))])
        return pages >= rows || moments >= rows
    }

    /// Puts the content in place of that of the figures. Readers see the one or the other, whole.
    ///
    /// SQLite's snapshots contain the names of tables, so the tables change names there, which takes no time. What was
    /// replaced is then in the rebuilt tables, for ``clearStep(rows:in:)``. In PostgreSQL, a snapshot taken before
    /// would find a table renamed later, without its rows; so the rows are copied.
    ///
    /// - Parameter moments: whether changes by the moment were rebuilt too.
    static func swap(_ dialect: SQLDialect, moments: Bool, in transaction: any SQLTransaction) throws {
        switch dialect {
        case .sqlite:
            for table in moments ? ["user_pages", "figure_moments"] : ["user_pages"] {
                try transaction.execute("ALTER TABLE \(table) RENAME TO replaced_\(table)")
                try transaction.execute("ALTER TABLE rebuilt_\(table) RENAME TO \(table)")
                try transaction.execute("ALTER TABLE replaced_\(table) RENAME TO rebuilt_\(table)")
            }
        case .postgres:
            // In parts, because a statement has a timeout.
            for keys in KeyRanges.all(32) {
                let bounds: [SQLValue] = [.integer(keys.lowerBound), .integer(keys.upperBound)]
                try transaction.execute("DELETE FROM user_pages WHERE first_key BETWEEN ? AND ?", bounds)
                try transaction.execute(
                    """
                    INSERT INTO user_pages (first_key, users)
                    SELECT first_key, users FROM rebuilt_user_pages WHERE first_key BETWEEN ? AND ? ORDER BY first_key
                    """, bounds)
            }
            guard moments else { return }
            try transaction.execute("DELETE FROM figure_moments")
            try transaction.execute(
                """
                INSERT INTO figure_moments (hour_number, number, change_count, last_at, changes)
                SELECT hour_number, number, change_count, last_at, changes FROM rebuilt_figure_moments
                ORDER BY hour_number, number
                """)
        }
    }

    private static let pageInsertion = SQLBatchStatement.insertion(
        into: "rebuilt_user_pages", [.integer("first_key"), .blob("users")])
}

/// Ranges of the keys by which users are stored.
enum KeyRanges {
    /// All keys, in so many ranges of about the same width.
    static func all(_ count: Int) -> [ClosedRange<Int64>] {
        let count = max(1, count)
        let width = UInt64.max / UInt64(count)
        func key(_ offset: UInt64) -> Int64 { Int64(bitPattern: offset ^ 1 << 63) }
        return (0..<count).map { index in
            let first = UInt64(index) * width
            return key(first)...(index == count - 1 ? Int64.max : key(first + width - 1))
        }
    }

    /// Nil for a single key.
    static func halves(of keys: ClosedRange<Int64>) -> [ClosedRange<Int64>]? {
        guard keys.lowerBound < keys.upperBound else { return nil }
        let width = UInt64(bitPattern: keys.upperBound &- keys.lowerBound)
        let middle = keys.lowerBound &+ Int64(bitPattern: width / 2)
        return [keys.lowerBound...middle, (middle + 1)...keys.upperBound]
    }
}
