import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

extension CrashStore {
    /// Rows deleted in one transaction of a purge; limits how long writers wait.
    private static let portion: Int64 = 5000

    /// Deletes groups last seen and hours ended before `limit`, sessions that can no longer change, and unreferenced
    /// releases. Returns the number of deleted rows, not counting those deleted by cascade.
    @discardableResult
    package func purge(before limit: UTCInstant) throws -> Int {
        // One day more than updates are accepted for, so that each update finds its session.
        let sessions = context.now().adding(days: -CrashLimits.sessionUpdateDays - 1)
        var removed = try inPortions(
            "DELETE FROM crash_groups WHERE id IN (SELECT id FROM crash_groups WHERE last_seen_at < ? LIMIT ?)",
            .instant(limit))
        removed += try inPortions(
            """
            DELETE FROM session_hours WHERE (hour_number, release_id) IN
                (SELECT hour_number, release_id FROM session_hours WHERE hour_number < ? LIMIT ?)
            """, .integer(CrashFreeRate.hourNumber(of: limit)))
        // Rows are inserted in the order of receipt, so the oldest are found without an index.
        removed += try inPortions(
            """
            DELETE FROM crash_sessions WHERE received_at < ? AND id IN
                (SELECT id FROM crash_sessions ORDER BY id LIMIT ?)
            """, .instant(sessions))
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

    private func inPortions(_ sql: String, _ limit: SQLValue) throws -> Int {
        var removed = 0
        while true {
            let count = try context.store.write { try $0.execute(sql, [limit, .integer(Self.portion)]) }
            guard count > 0 else { return removed }
            removed += count
        }
    }
}
