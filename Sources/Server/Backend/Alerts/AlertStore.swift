import Foundation
package import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Thresholds and the outbox of their alerts.
package struct AlertStore: Sendable {
    let context: BackendContext
    /// The channels that this process is configured for, at most one of a kind.
    package let targets: [AlertTarget]
    /// Attempts before a delivery is given up, counted from its making or its last resend.
    let maximumAttempts: Int

    package static let defaultMaximumAttempts = 10

    package init(
        context: BackendContext, targets: [AlertTarget] = [], maximumAttempts: Int = AlertStore.defaultMaximumAttempts
    ) {
        self.context = context
        self.targets = targets
        self.maximumAttempts = maximumAttempts
    }

    /// Fires what the present number of users has reached: for a start on a store that was filled by other means.
    @discardableResult
    package func fireReached() throws -> [Int64] {
        // Reading first spares the write in nearly every case.
        let reached = try context.store.read { session in
            guard let next = try Self.lowestUnfired(session) else { return false }
            return try UserTotals.load(in: session).users >= next
        }
        guard reached else { return [] }
        return try context.store.write(in: .figures) { try fireReached(in: $0) }
    }

    /// Marks every active threshold that the number of users has reached and that never fired, and puts a message for
    /// each of this process's channels in the outbox, all in the transaction that counted the users. Returns what
    /// fired, smallest first.
    ///
    /// The transaction has entered ``SQLWriteLane/figures``. The mark is set on rows that lack it only. A second writer
    /// waits for the first one's row and then finds it marked, so a threshold fires once however many servers count.
    @discardableResult
    package func fireReached(in transaction: any SQLTransaction) throws -> [Int64] {
        guard let next = try Self.lowestUnfired(transaction) else { return [] }
        let count = try UserTotals.load(in: transaction).users
        guard count >= next else { return [] }
        let now = context.now()
        let fired = try transaction.query(
            """
            UPDATE alert_thresholds SET fired_at = ?, user_count = ?
            WHERE is_active = 1 AND fired_at IS NULL AND user_threshold <= ? RETURNING user_threshold
            """, [.instant(now), .integer(count), .integer(count)]
        ) { try $0.integer(0) }.sorted()
        for users in fired {
            for target in targets {
                try enqueue(
                    .threshold(users: users, userCount: count), to: target, isForced: false, at: now, in: transaction)
            }
        }
        return fired
    }

    /// The smallest threshold that has yet to fire; nil when none has.
    private static func lowestUnfired(_ session: any SQLSession) throws -> Int64? {
        let lowest = try session.first(
            "SELECT min(user_threshold) FROM alert_thresholds WHERE is_active = 1 AND fired_at IS NULL"
        ) { try $0.optionalInteger(0) }
        return lowest ?? nil
    }
}
