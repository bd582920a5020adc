import SQLDatabase
import ServerAccess
package import SubGuardDomain
import SubGuardSQL

extension CrashStore {
    /// Rows deleted in one transaction of a purge; limits how long writers wait.
    private static let portion: Int64 = 5000

    /// Deletes groups last seen, days that ended and hours begun before `limit`, sessions that can no longer change,
    /// and unreferenced releases. Returns the number of deleted rows, not counting those deleted by cascade.
    @discardableResult
    package func purge(before limit: UTCInstant) throws -> Int {
        // One day more than updates are accepted for, so that each update finds its session.
        let sessions = context.now().adding(days: -CrashLimits.sessionUpdateDays - 1)
        var removed = try inPortions(
            """
            DELETE FROM crash_groups WHERE id IN
                (SELECT id FROM crash_groups WHERE last_seen_at < ? AND merged_into IS NULL LIMIT ?)
            """, .instant(limit))
        // A part goes with the group that shows it.
        removed += try context.store.write { transaction in
            try transaction.execute(
                """
                DELETE FROM crash_groups WHERE merged_into IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM crash_groups g WHERE g.id = crash_groups.merged_into)
                """)
        }
        removed += try foldHours(before: CrashFreeRate.hourNumber(of: limit))
        // Rows are inserted in the order of receipt, so the oldest are found without an index.
        removed += try inPortions(
            """
            DELETE FROM crash_sessions WHERE received_at < ? AND id IN
                (SELECT id FROM crash_sessions ORDER BY id LIMIT ?)
            """, .instant(sessions))
        removed += try context.store.write { transaction in
            // At most one row of each group in a day, so one portion is enough.
            try transaction.execute(
                "DELETE FROM crash_group_days WHERE day_number < ?", [.integer(Int64(limit.day.daysSinceEpoch))])
        }
        removed += try context.store.write { transaction in
            try transaction.execute(
                """
                DELETE FROM crash_releases WHERE id NOT IN (SELECT release_id FROM crash_group_releases)
                    AND id NOT IN (SELECT release_id FROM session_hours)
                    AND id NOT IN (SELECT release_id FROM crash_sessions)
                """)
        }
        return removed
    }

    /// Adds sessions of purged hours to their days, which are kept: an hour is in one or the other at any time.
    private func foldHours(before limit: Int64) throws -> Int {
        var removed = 0
        while true {
            let count = try context.store.write { transaction in
                let calendar = try ReportCalendar.load(in: transaction)
                var days: [Int64: SessionTally] = [:]
                var last: [SQLValue]?
                try transaction.forEach(
                    """
                    SELECT hour_number, release_id, session_count, crashed_count FROM session_hours
                    WHERE hour_number < ? ORDER BY hour_number, release_id LIMIT ?
                    """, [.integer(limit), .integer(Self.portion)]
                ) { row in
                    let hour = try row.integer(0)
                    last = [.integer(hour), .integer(try row.integer(1))]
                    let number = CrashFreeRate.day(ofHour: hour, calendar)
                    var day = days[number] ?? SessionTally(sessions: 0, crashed: 0)
                    day.sessions += try row.integer(2)
                    day.crashed += try row.integer(3)
                    days[number] = day
                }
                guard let last else { return 0 }
                try transaction.execute(
                    Self.dayAddition,
                    rows: days.sorted { $0.key < $1.key }
                        .map { [.integer($0.key), .integer($0.value.sessions), .integer($0.value.crashed)] })
                return try transaction.execute(
                    "DELETE FROM session_hours WHERE (hour_number, release_id) <= (?, ?)", last)
            }
            guard count > 0 else { return removed }
            removed += count
        }
    }

    private static let dayAddition = SQLBatchStatement.insertion(
        into: "session_days", [.integer("day_number"), .integer("session_count"), .integer("crashed_count")],
        conflict: """
            ON CONFLICT (day_number) DO UPDATE SET
                session_count = session_days.session_count + excluded.session_count,
                crashed_count = session_days.crashed_count + excluded.crashed_count
            """)

    private func inPortions(_ sql: String, _ limit: SQLValue) throws -> Int {
        var removed = 0
        while true {
            let count = try context.store.write { try $0.execute(sql, [limit, .integer(Self.portion)]) }
            guard count > 0 else { return removed }
            removed += count
        }
    }
}
