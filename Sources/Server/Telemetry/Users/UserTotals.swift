package import SQLDatabase

/// The all-time totals, in one row.
package struct UserTotals: Sendable, Hashable {
    /// Distinct users with at least one accepted event.
    package let users: Int64
    /// Users who ever converted.
    package let conversions: Int64
    /// Subscriptions added minus removed.
    package let subscriptions: Int64

    package init(users: Int64, conversions: Int64, subscriptions: Int64) {
        self.users = users
        self.conversions = conversions
        self.subscriptions = subscriptions
    }

    /// In an ingest, call it after the transaction has written its events, so that the writer that crosses a threshold
    /// sees it.
    package static func load(in session: any SQLSession) throws -> UserTotals {
        let totals = try session.first("SELECT users, conversions, subscriptions FROM figure_totals WHERE id = 1") {
            UserTotals(users: try $0.integer(0), conversions: try $0.integer(1), subscriptions: try $0.integer(2))
        }
        guard let totals else { throw SQLError(code: .corrupt, number: 0, context: "figure_totals row missing") }
        return totals
    }

    static func add(_ counts: FigureCounts, in transaction: any SQLTransaction) throws {
        let changes = [counts[.users], counts[.conversions], counts[.subscriptions]]
        guard changes.contains(where: { $0 != 0 }) else { return }
        try transaction.execute(
            """
            UPDATE figure_totals SET users = users + ?, conversions = conversions + ?,
                subscriptions = subscriptions + ?
            WHERE id = 1
            """, changes.map { .integer($0) })
    }
}
