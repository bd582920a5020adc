import SQLDatabase
package import ServerAccess
import SubGuardDomain

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
        let hour = MomentRun.hour(of: horizon)
        removed += try purge(
            """
            DELETE FROM figure_hours WHERE hour_number IN (
                SELECT hour_number FROM figure_hours WHERE hour_number < ? ORDER BY hour_number LIMIT ?)
            """, before: .integer(hour))
        removed += try purge(
            """
            DELETE FROM figure_moments WHERE (hour_number, number) IN (
                SELECT hour_number, number FROM figure_moments WHERE hour_number < ? ORDER BY hour_number LIMIT ?)
            """, before: .integer(hour))
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
