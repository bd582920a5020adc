import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

extension CrashStore {
    /// Rows that one transaction of a purge deletes, so that writers wait for a moment only.
    private static let portion: Int64 = 5000

    /// Forgets groups not seen and hours passed before `limit`, sessions that cannot change any more, and releases that
    /// nothing refers to. Returns how many rows went; what hangs on a group goes with it uncounted.
    @discardableResult
    package func purge(before limit: UTCInstant) throws -> Int {
        // A day more than updates are taken, so that no update finds its session gone.
        let sessions = context.now().adding(days: -CrashLimits.sessionUpdateDays - 1)
        var removed = try inPortions(
            "DELETE FROM crash_groups WHERE id IN (SELECT id FROM crash_groups WHERE last_seen_at < ? LIMIT ?)",
            .instant(limit))
        removed += try inPortions(
            """
            DELETE FROM session_hours WHERE (hour_number, release_id) IN
                (SELECT hour_number, release_id FROM session_hours WHERE hour_number < ? LIMIT ?)
            """, .integer(CrashFreeRate.hourNumber(of: limit)))
        // Rows come in the order of their receipt, so the oldest are found without an index.
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
