package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// How far the log has been sent to the event sink: the row of `event_sinks`. docs/events.md explains the sink.
package struct EventSinkState: Sendable, Equatable {
    /// Blocks up to this one were sent.
    package var cursor: Int64
    /// The number of the next user that has none.
    package var nextUser: Int64
    /// Grows when a user gets another hash.
    package var revision: Int64
    /// The number of the table in the sink.
    package var table: Int64
    /// When a server with a sink last looked.
    package var seenAt: UTCInstant

    package init(cursor: Int64, nextUser: Int64, revision: Int64, table: Int64, seenAt: UTCInstant) {
        self.cursor = cursor
        self.nextUser = nextUser
        self.revision = revision
        self.table = table
        self.seenAt = seenAt
    }

    /// How long after a server with a sink last looked the log still keeps what was not sent.
    package static let secondsOfHold: Int64 = 7 * 86_400

    /// Nil if no server of this database ever had a sink.
    package static func load(in session: any SQLSession) throws -> EventSinkState? {
        try session.first(
            "SELECT cursor_block_id, next_user_number, revision, table_number, seen_at FROM event_sinks WHERE id = 1"
        ) { row in
            EventSinkState(
                cursor: try row.integer(0), nextUser: try row.integer(1), revision: try row.integer(2),
                table: try row.integer(3), seenAt: try row.instant(4))
        }
    }

    /// Creates the row, or replaces it.
    package func save(in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO event_sinks (id, cursor_block_id, next_user_number, revision, table_number, seen_at)
            VALUES (1, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET cursor_block_id = excluded.cursor_block_id,
                next_user_number = excluded.next_user_number, revision = excluded.revision,
                table_number = excluded.table_number, seen_at = excluded.seen_at
            """,
            [.integer(cursor), .integer(nextUser), .integer(revision), .integer(table), .instant(seenAt)])
    }

    /// The job under which a process fills a new table, see `job_leases`.
    package static let rebuildJob = "event sink rebuild"

    /// Whether a process fills a new table from the log, and takes what the log had lost when it began from the old
    /// one.
    package static func isRebuilt(at now: UTCInstant, in session: any SQLSession) throws -> Bool {
        // Not a lease of a clock that was ahead.
        try session.exists(
            "SELECT 1 FROM job_leases WHERE job = ? AND lease_until > ? AND lease_until <= ?",
            [.text(rebuildJob), .instant(now), .instant(now.adding(days: 1))])
    }

    /// The last block that may be removed or joined with others: all of them without a sink, or when its servers have
    /// been gone for a week; none during a rebuild.
    static func lastReleasedBlock(at now: UTCInstant, in session: any SQLSession) throws -> Int64 {
        guard try !isRebuilt(at: now, in: session) else { return 0 }
        guard let state = try load(in: session), state.seenAt.adding(seconds: secondsOfHold) >= now else {
            return EventLogState.highestBlock
        }
        return state.cursor
    }
}
