import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Removes rows older than any window.
package struct FigurePurge: Sendable {
    private let context: BackendContext
    private let rowsPerStep: Int

    /// - Parameter rowsPerStep: maximum rows that one transaction deletes, so that writers never wait long.
    package init(context: BackendContext, rowsPerStep: Int = 2000) {
        self.context = context
        self.rowsPerStep = rowsPerStep
    }

    /// Returns the number of deleted rows.
    @discardableResult
    package func run() throws -> Int {
        let horizon = FigureRetention.horizon(at: context.now())
        var removed = 0
        removed += try purge(
            """
            DELETE FROM figure_minutes WHERE minute_number IN (
                SELECT minute_number FROM figure_minutes WHERE minute_number < ? ORDER BY minute_number LIMIT ?)
            """, before: .integer(horizon.minuteNumber))
        removed += try purge(
            """
            DELETE FROM subscription_moments WHERE occurred_at IN (
                SELECT occurred_at FROM subscription_moments WHERE occurred_at < ? ORDER BY occurred_at LIMIT ?)
            """, before: .instant(horizon))
        removed += try purge(
            """
            DELETE FROM user_absences WHERE (user_id, left_at) IN (
                SELECT user_id, left_at FROM user_absences WHERE returned_at < ? ORDER BY returned_at LIMIT ?)
            """, before: .instant(horizon))
        return removed
    }

    private func purge(_ sql: String, before bound: SQLValue) throws -> Int {
        var removed = 0
        while true {
            let count = try context.store.write(in: .figures) {
                try $0.execute(sql, [bound, .integer(Int64(rowsPerStep))])
            }
            removed += count
            if count < rowsPerStep { return removed }
        }
    }
}
