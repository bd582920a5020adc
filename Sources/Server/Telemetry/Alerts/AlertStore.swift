import Foundation
package import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// Thresholds and the outbox of their alerts.
package struct AlertStore: Sendable {
    let context: BackendContext
    /// The receivers configured in this process, those of a channel in the order of the setting.
    package let targets: [AlertTarget]
    /// Maximum attempts of a delivery since its creation or last resend. Ten take about three days.
    let maximumAttempts: Int

    package init(context: BackendContext, targets: [AlertTarget] = [], maximumAttempts: Int = 10) {
        self.context = context
        self.targets = targets
        self.maximumAttempts = maximumAttempts
    }

    /// Fires the thresholds already reached, for a start on a database that was filled by other means.
    @discardableResult
    package func fireReached() throws -> [Int64] {
        // A read first avoids the write in nearly all cases.
        let reached = try context.store.read { session in
            guard let next = try Self.lowestUnfired(session) else { return false }
            return try UserTotals.load(in: session).users >= next
        }
        guard reached else { return [] }
        return try context.store.write(in: .figures) { try fireReached(in: $0) }
    }

    /// Adds the messages of thresholds that fired while no channel was configured, for a start with channels. Each of
    /// them waits for ``AlertThreshold/waitingDays``. Returns the thresholds, smallest first.
    @discardableResult
    package func announceWaiting() throws -> [Int64] {
        guard !targets.isEmpty, try thresholds().thresholds.contains(where: { $0.waitsUntil != nil }) else { return [] }
        return try context.store.write { transaction in
            try transaction.enter(.figures)
            let waiting = try thresholds(transaction).thresholds.filter { $0.waitsUntil != nil }
            for threshold in waiting {
                // The message says when it was reached, not when a channel came.
                try enqueue(
                    .threshold(users: threshold.users, userCount: threshold.userCount ?? threshold.users),
                    at: threshold.firedAt ?? context.now(), in: transaction)
            }
            return waiting.map(\.users)
        }
    }

    /// Marks every active, unfired threshold that the number of users has reached, and adds a message for each
    /// configured channel to the outbox, all in the transaction that counted the users. Returns the fired thresholds,
    /// smallest first.
    ///
    /// The transaction must have entered ``SQLWriteLane/figures``. Only unmarked rows are marked: a second writer waits
    /// for the row lock and then finds the mark, so a threshold fires once, however many servers count.
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

    /// The smallest unfired threshold; nil if there is none.
    private static func lowestUnfired(_ session: any SQLSession) throws -> Int64? {
        try session.integer("SELECT min(user_threshold) FROM alert_thresholds WHERE is_active = 1 AND fired_at IS NULL")
    }
}

extension AlertStore {
    /// Re-arms thresholds above the current number of users, after a discard of the users who reached them. Their
    /// unsent deliveries are withdrawn; sent ones stay in the list. Returns the thresholds, smallest first.
    ///
    /// The transaction must have entered ``SQLWriteLane/figures``, and the discard must still be running: the database
    /// rejects re-arming at any other time.
    static func rearm(above users: Int64, at now: UTCInstant, in transaction: any SQLTransaction) throws -> [Int64] {
        let thresholds = try transaction.query(
            """
            SELECT user_threshold FROM alert_thresholds
            WHERE fired_at IS NOT NULL AND user_threshold > ? ORDER BY user_threshold
            """, [.integer(users)]
        ) { try $0.integer(0) }
        for threshold in thresholds {
            try transaction.execute(
                """
                UPDATE alert_deliveries SET withdrawn_at = ?, last_error = ?, state = 'dead', next_attempt_at = NULL,
                    lease_id = NULL, lease_until = NULL
                WHERE user_threshold = ? AND withdrawn_at IS NULL AND state <> 'delivered'
                """,
                [.instant(now), .text("withdrawn: the users who reached it were discarded"), .integer(threshold)])
            try transaction.execute(
                "UPDATE alert_deliveries SET withdrawn_at = ? WHERE user_threshold = ? AND withdrawn_at IS NULL",
                [.instant(now), .integer(threshold)])
            try transaction.execute(
                "UPDATE alert_thresholds SET fired_at = NULL, user_count = NULL WHERE user_threshold = ?",
                [.integer(threshold)])
        }
        return thresholds
    }

    /// Whether the threshold of a delivery was re-armed since it fired.
    static func isWithdrawn(_ id: UUID, in session: any SQLSession) throws -> Bool {
        try session.exists("SELECT 1 FROM alert_deliveries WHERE id = ? AND withdrawn_at IS NOT NULL", [.uuid(id)])
    }
}
