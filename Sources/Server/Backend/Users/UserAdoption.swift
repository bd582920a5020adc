import EventLog
package import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Stores of before the pages kept a row for each user, absence and moment at which subscriptions changed. Those of
/// before the activity by day knew no days of users, and those of before the funnel by segment had no such counts.
package struct UserAdoption {
    private let context: BackendContext

    package init(context: BackendContext) { self.context = context }

    /// Moves the rows of such a store into the pages and the changes by the moment, some in each transaction, so that an
    /// interruption costs nothing. What they count is in the figures already. Call it before anything is counted.
    package func run() throws {
        while try FunnelChanges.firstUncountedKey(in: context.store) != nil {
            try context.store.write(in: .figures) { try countFunnels(in: $0) }
        }
        while try Self.hasRows(context.store) {
            try context.store.write(in: .figures) { transaction in
                try countDays(in: transaction)
                try adoptUsers(in: transaction)
                try adoptSubscriptions(in: transaction)
            }
        }
    }

    package static func hasRows(_ store: any SQLStore) throws -> Bool {
        try store.read { session in
            try session.first("SELECT 1 FROM users LIMIT 1") { try $0.integer(0) } != nil
                || session.first("SELECT 1 FROM subscription_moments LIMIT 1") { try $0.integer(0) } != nil
                || !ActivityChanges.isCounted(in: session) || FunnelChanges.firstUncountedKey(in: session) != nil
        }
    }

    private static let rowsPerStep: Int64 = 5000
    /// Of about 75 users each.
    private static let pagesPerStep: Int64 = 200

    /// Counts the users of the next pages, whom an earlier version stored, in the funnel by segment.
    private func countFunnels(in transaction: any SQLTransaction) throws {
        guard let first = try FunnelChanges.firstUncountedKey(in: transaction) else { return }
        var funnels = FunnelChanges()
        var (last, pages): (Int64, Int64) = (first, 0)
        try transaction.forEach(
            "SELECT first_key, users FROM user_pages WHERE first_key >= ? ORDER BY first_key LIMIT ?",
            [.integer(first), .integer(Self.pagesPerStep)]
        ) { row in
            last = try row.integer(0)
            pages += 1
            try UserPage(try row.blob(1)).forEach { funnels.move(from: nil, to: $1.moments) }
        }
        try funnels.save(in: transaction)
        try FunnelChanges.setFirstUncountedKey(pages < Self.pagesPerStep ? nil : last &+ 1, in: transaction)
    }

    /// Counts the days of the users in the pages, whom an earlier version stored without.
    private func countDays(in transaction: any SQLTransaction) throws {
        guard try !ActivityChanges.isCounted(in: transaction) else { return }
        var activity = ActivityChanges()
        try UserPages.forEach(in: transaction) { _, state in activity.add(state.days.numbers, 1) }
        try activity.save(in: transaction)
        try ActivityChanges.markCounted(in: transaction)
    }

    private func adoptUsers(in transaction: any SQLTransaction) throws {
        var absences: [Int64: [Absence]] = [:]
        try transaction.forEach(
            """
            SELECT user_id, left_at, returned_at FROM user_absences
            WHERE user_id IN (SELECT id FROM users ORDER BY id LIMIT ?)
            """, [.integer(Self.rowsPerStep)]
        ) { row in
            guard let absence = Absence(from: try row.instant(1), until: try row.instant(2)) else { return }
            absences[try row.integer(0), default: []].append(absence)
        }
        let pages = try UserPages(in: transaction)
        var figures = FigureFold(now: context.now())
        var users: [(key: Int64, hash: UserHash, state: UserState)] = []
        var last: Int64?
        try transaction.forEach(
            """
            SELECT id, user_hash, first_seen_at, last_seen_at, returned_at, app_downloaded_at,
                first_subscription_added_at, five_subscriptions_reached_at, retention_d1_at, retention_d7_at,
                retention_d30_at, premium_conversion_at
            FROM users ORDER BY id LIMIT ?
            """, [.integer(Self.rowsPerStep)]
        ) { row in
            let id = try row.integer(0)
            guard let hash = UserHash(bytes: try row.blob(1)) else { throw SQLError.malformed("user_hash") }
            var moments = UserMoments(
                firstSeenAt: try row.instant(2), lastSeenAt: try row.instant(3), returnedAt: try row.optionalInstant(4))
            for milestone in Milestone.allCases {
                moments[milestone] = try row.optionalInstant(5 + milestone.rawValue)
            }
            let state = UserState(moments: moments, absences: absences[id] ?? [])
            moments.fold(from: nil, into: &figures)
            for absence in state.absences { absence.fold(1, into: &figures) }
            figures.activity.add(state.days.numbers, 1)
            users.append((pages.key(of: hash), hash, state))
            last = id
        }
        guard let last else { return }
        users.sort { $0.key < $1.key }
        var batch = try UserPageBatch(users.map { ($0.key, $0.hash) }, in: transaction)
        for (index, user) in users.enumerated() { batch.set(index, user.state) }
        try batch.save(in: transaction, with: pages)
        try MomentTable.add(figures.changes, in: transaction)
        try figures.activity.save(in: transaction)
        try figures.funnels.save(in: transaction)
        try transaction.execute("DELETE FROM user_absences WHERE user_id <= ?", [.integer(last)])
        try transaction.execute("DELETE FROM users WHERE id <= ?", [.integer(last)])
    }

    private func adoptSubscriptions(in transaction: any SQLTransaction) throws {
        let horizon = FigureRetention.horizon(at: context.now())
        var changes: [MomentChange] = []
        var last: UTCInstant?
        try transaction.forEach(
            "SELECT occurred_at, change FROM subscription_moments ORDER BY occurred_at LIMIT ?",
            [.integer(Self.rowsPerStep)]
        ) { row in
            let moment = try row.instant(0)
            if moment >= horizon {
                changes.append(
                    MomentChange(at: moment, figures: FigureSet(.subscriptions), count: try row.integer(1)))
            }
            last = moment
        }
        guard let last else { return }
        try MomentTable.add(changes, in: transaction)
        try transaction.execute("DELETE FROM subscription_moments WHERE occurred_at <= ?", [.instant(last)])
    }
}
