package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// The events of a range of blocks that one shard gets and that occurred in one week: a row of `event_sink_parts`,
/// written before they are sent.
package struct EventSinkPart: Sendable, Hashable {
    /// The number of the table in ClickHouse.
    package let table: Int64
    package let range: Int64
    /// From 0.
    package let shard: Int
    /// Its Monday, in days since 1970-01-01.
    package let week: Int64
    /// The shards among which the range is divided: a user's number modulo this is the shard.
    package let shardCount: Int
    package let firstBlock: Int64
    package let lastBlock: Int64
    package let sums: EventSinkSums
    /// Nil until the shard has them.
    package let sentAt: UTCInstant?

    package init(
        table: Int64, range: Int64, shard: Int, week: Int64, shardCount: Int, blocks: ClosedRange<Int64>,
        sums: EventSinkSums, sentAt: UTCInstant?
    ) {
        self.table = table
        self.range = range
        self.shard = shard
        self.week = week
        self.shardCount = shardCount
        firstBlock = blocks.lowerBound
        lastBlock = blocks.upperBound
        self.sums = sums
        self.sentAt = sentAt
    }
}

/// Reads and writes the ledger.
package enum EventSinkLedger {
    /// The parts of the first range of a table behind another one that is not sent completely, sent ones included;
    /// empty if there is none.
    package static func unsent(
        table: Int64, after range: Int64 = -1, in session: any SQLSession
    ) throws -> [EventSinkPart] {
        let range = try session.integer(
            """
            SELECT range_number FROM event_sink_parts
            WHERE sent_at IS NULL AND table_number = ? AND range_number > ? ORDER BY range_number LIMIT 1
            """, [.integer(table), .integer(range)])
        return try range.map { try parts(table: table, range: $0, in: session) } ?? []
    }

    package static func parts(table: Int64, range: Int64, in session: any SQLSession) throws -> [EventSinkPart] {
        try session.query(
            """
            SELECT \(columns) FROM event_sink_parts WHERE table_number = ? AND range_number = ? ORDER BY shard, week
            """, [.integer(table), .integer(range)], part)
    }

    /// The parts of a table in a week, by range and shard.
    package static func parts(table: Int64, week: Int64, in session: any SQLSession) throws -> [EventSinkPart] {
        try session.query(
            """
            SELECT \(columns) FROM event_sink_parts WHERE table_number = ? AND week = ? ORDER BY range_number, shard
            """, [.integer(table), .integer(week)], part)
    }

    package struct Range: Sendable {
        package let number: Int64
        package let blocks: ClosedRange<Int64>
    }

    /// The ranges of a table, in the order of their numbers and blocks.
    package static func ranges(table: Int64, in session: any SQLSession) throws -> [Range] {
        try session.query(
            """
            SELECT range_number, min(first_block_id), max(last_block_id) FROM event_sink_parts WHERE table_number = ?
            GROUP BY range_number ORDER BY range_number
            """, [.integer(table)]
        ) { row in
            let (first, last) = (try row.integer(1), try row.integer(2))
            guard first <= last else { throw SQLError.malformed("event_sink_parts") }
            return Range(number: try row.integer(0), blocks: first...last)
        }
    }

    /// The weeks of which a table has parts.
    package static func weeks(table: Int64, in session: any SQLSession) throws -> [Int64] {
        try session.query(
            "SELECT DISTINCT week FROM event_sink_parts WHERE table_number = ?", [.integer(table)]
        ) { try $0.integer(0) }
    }

    /// The parts of the first range of a table that ends with a block or a later one, and begins before another block.
    package static func nextRange(
        table: Int64, endingFrom block: Int64, before limit: Int64, in session: any SQLSession
    ) throws -> [EventSinkPart] {
        let range = try session.integer(
            """
            SELECT range_number FROM event_sink_parts
            WHERE table_number = ? AND last_block_id >= ? AND first_block_id < ? ORDER BY range_number LIMIT 1
            """, [.integer(table), .integer(block), .integer(limit)])
        return try range.map { try parts(table: table, range: $0, in: session) } ?? []
    }

    /// The number of the last range of a table; 0 if there is none.
    package static func lastRange(table: Int64, in session: any SQLSession) throws -> Int64 {
        try session.integer(
            "SELECT max(range_number) FROM event_sink_parts WHERE table_number = ?", [.integer(table)]) ?? 0
    }

    /// The last block that a table's ranges cover; 0 for none.
    package static func lastBlock(table: Int64, in session: any SQLSession) throws -> Int64 {
        try session.integer(
            "SELECT max(last_block_id) FROM event_sink_parts WHERE table_number = ?", [.integer(table)]) ?? 0
    }

    /// Adds parts that the shards already have.
    package static func insertSent(
        _ parts: [EventSinkPart], at now: UTCInstant, in transaction: any SQLTransaction
    ) throws {
        try insert(parts, in: transaction)
        for part in parts {
            _ = try markSent(
                table: part.table, range: part.range, shard: part.shard, at: now, in: transaction)
        }
    }

    static func insert(_ parts: [EventSinkPart], in transaction: any SQLTransaction) throws {
        try transaction.execute(
            insertion,
            rows: parts.map { part in
                [
                    .integer(part.table), .integer(part.range), .count(part.shard), .integer(part.week),
                    .count(part.shardCount), .integer(part.firstBlock), .integer(part.lastBlock),
                    .integer(part.sums.eventCount), .bits(part.sums.moments), .bits(part.sums.received),
                    .bits(part.sums.users), .bits(part.sums.ids), .bits(part.sums.texts),
                ]
            })
    }

    /// Marks the parts of a range for a shard as sent. Returns the number of marked ones.
    static func markSent(
        table: Int64, range: Int64, shard: Int, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws -> Int {
        try transaction.execute(
            """
            UPDATE event_sink_parts SET sent_at = ?
            WHERE table_number = ? AND range_number = ? AND shard = ? AND sent_at IS NULL
            """, [.instant(now), .integer(table), .integer(range), .count(shard)])
    }

    static func hasUnsent(table: Int64, range: Int64, in session: any SQLSession) throws -> Bool {
        try session.exists(
            "SELECT 1 FROM event_sink_parts WHERE table_number = ? AND range_number = ? AND sent_at IS NULL LIMIT 1",
            [.integer(table), .integer(range)])
    }

    /// Removes a range and those behind it.
    static func remove(table: Int64, from range: Int64, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            "DELETE FROM event_sink_parts WHERE table_number = ? AND range_number >= ?",
            [.integer(table), .integer(range)])
    }

    /// Removes all parts of a table.
    package static func remove(table: Int64, in transaction: any SQLTransaction) throws {
        try transaction.execute("DELETE FROM event_sink_parts WHERE table_number = ?", [.integer(table)])
    }

    /// Removes the sent parts of weeks before one, whose events ClickHouse has dropped; those of the last range stay,
    /// because the next one is numbered after it. Returns the number of removed ones.
    package static func remove(weeksBefore week: Int64, in transaction: any SQLTransaction) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM event_sink_parts WHERE week < ? AND sent_at IS NOT NULL AND range_number < (
                SELECT max(others.range_number) FROM event_sink_parts AS others
                WHERE others.table_number = event_sink_parts.table_number)
            """, [.integer(week)])
    }

    private static let columns = """
        table_number, range_number, shard, week, shard_count, first_block_id, last_block_id, event_count, moment_sum, \
        received_sum, user_sum, id_sum, text_sum, sent_at
        """

    private static func part(_ row: any SQLRow) throws -> EventSinkPart {
        var sums = EventSinkSums()
        sums.eventCount = try row.integer(7)
        sums.moments = UInt64(bitPattern: try row.integer(8))
        sums.received = UInt64(bitPattern: try row.integer(9))
        sums.users = UInt64(bitPattern: try row.integer(10))
        sums.ids = UInt64(bitPattern: try row.integer(11))
        sums.texts = UInt64(bitPattern: try row.integer(12))
        let (first, last) = (try row.integer(5), try row.integer(6))
        guard first <= last else { throw SQLError.malformed("event_sink_parts") }
        return EventSinkPart(
            table: try row.integer(0), range: try row.integer(1), shard: Int(clamping: try row.integer(2)),
            week: try row.integer(3), shardCount: Int(clamping: try row.integer(4)), blocks: first...last, sums: sums,
            sentAt: try row.optionalInstant(13))
    }

    private static let insertion = SQLBatchStatement.insertion(
        into: "event_sink_parts",
        [
            .integer("table_number"), .integer("range_number"), .integer("shard"), .integer("week"),
            .integer("shard_count"), .integer("first_block_id"), .integer("last_block_id"), .integer("event_count"),
            .integer("moment_sum"), .integer("received_sum"), .integer("user_sum"), .integer("id_sum"),
            .integer("text_sum"),
        ])
}

extension SQLValue {
    fileprivate static func bits(_ value: UInt64) -> SQLValue { .integer(Int64(bitPattern: value)) }
}
