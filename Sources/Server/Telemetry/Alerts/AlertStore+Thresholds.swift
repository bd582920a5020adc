import JSONWire
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

/// A number of users that triggers an alert once.
package struct AlertThreshold: Sendable, Hashable {
    package let users: Int64
    /// Whether it is in the current list. A fired threshold is kept after its removal from the list.
    package let isActive: Bool
    /// Nil if it has not fired.
    package let firedAt: UTCInstant?
    /// The number of users when it fired.
    package let userCount: Int64?
    /// Until when its message waits for a first channel; nil if it does not wait.
    package let waitsUntil: UTCInstant?

    /// How long a message waits, in days of 24 hours: one that is older surprises more than it tells.
    static let waitingDays = 30
}

/// The list of thresholds at one revision.
package struct AlertThresholdList: Sendable, Hashable {
    /// Incremented by every change of the list, not when a threshold fires.
    package let revision: Int64
    /// Sorted by number of users; the active ones and those that have fired.
    package let thresholds: [AlertThreshold]

    package static let maximumCount = 100
    /// The upper bound exceeds the world population.
    package static let range: ClosedRange<Int64> = 1...100_000_000_000
}

extension AlertStore {
    /// The current thresholds, and all that ever fired.
    package func thresholds() throws -> AlertThresholdList { try context.store.read(thresholds) }

    func thresholds(_ session: any SQLSession) throws -> AlertThresholdList {
        let revision = try session.integer("SELECT revision FROM alert_threshold_lists WHERE id = 1")
        guard let revision else {
            throw SQLError(code: .corrupt, number: 0, context: "alert_threshold_lists row missing")
        }
        let now = context.now()
        let thresholds = try session.query(
            """
            SELECT user_threshold, is_active, fired_at, user_count, CASE WHEN EXISTS (
                SELECT 1 FROM alert_deliveries d
                WHERE d.user_threshold = t.user_threshold AND d.withdrawn_at IS NULL) THEN 1 ELSE 0 END
            FROM alert_thresholds t WHERE is_active = 1 OR fired_at IS NOT NULL ORDER BY user_threshold
            """
        ) { row in
            let firedAt = try row.optionalInstant(2)
            let waitsUntil = try row.integer(4) == 1 ? nil : firedAt?.adding(days: AlertThreshold.waitingDays)
            return AlertThreshold(
                users: try row.integer(0), isActive: try row.integer(1) == 1, firedAt: firedAt,
                userCount: try row.optionalInteger(3), waitsUntil: waitsUntil.flatMap { $0 > now ? $0 : nil })
        }
        return AlertThresholdList(revision: revision, thresholds: thresholds)
    }

    /// Replaces the list. A threshold that never fired and is not above the current number of users fires at once; one
    /// that has fired stays fired, even if it was removed meanwhile. An unchanged list writes no revision and no audit
    /// row.
    ///
    /// Throws ``BackendError/preconditionFailed(currentRevision:)`` if the revision of the list is not `ifRevision`.
    ///
    /// - Parameter users: different numbers within ``AlertThresholdList/range``, at most
    ///   ``AlertThresholdList/maximumCount``; the contract checks them.
    @discardableResult
    package func replaceThresholds(
        with users: [Int64], ifRevision: Int64?, by actor: Actor
    ) throws -> AlertThresholdList {
        try context.write(by: actor) { transaction in
            // Counting users also marks thresholds, so both take the same lane; neither then waits for row locks.
            try transaction.enter(.figures)
            let before = try thresholds(transaction)
            try BackendError.requireRevision(ifRevision, is: before.revision)
            let wanted = Set(users)
            guard wanted != Set(before.active) else { return before }
            try transaction.execute("UPDATE alert_threshold_lists SET revision = revision + 1 WHERE id = 1")
            try transaction.execute("UPDATE alert_thresholds SET is_active = 0 WHERE is_active = 1")
            for threshold in wanted.sorted() {
                try transaction.execute(
                    """
                    INSERT INTO alert_thresholds (user_threshold, is_active) VALUES (?, 1)
                    ON CONFLICT (user_threshold) DO UPDATE SET is_active = 1
                    """, [.integer(threshold)])
            }
            // A re-armed threshold keeps its row, because its withdrawn deliveries refer to it.
            try transaction.execute(
                """
                DELETE FROM alert_thresholds WHERE is_active = 0 AND fired_at IS NULL AND NOT EXISTS (
                    SELECT 1 FROM alert_deliveries d WHERE d.user_threshold = alert_thresholds.user_threshold)
                """)
            try transaction.audit(
                .alertsThresholds, before: Self.json(before.active), after: Self.json(wanted.sorted()))
            try fireReached(in: transaction)
            return try thresholds(transaction)
        }
    }

    private static func json(_ users: [Int64]) -> String {
        let list = JSONValue.array(users.map { .number("\($0)") })
        return String(decoding: JSONValue.object(JSONObject([("thresholds", list)])).serialized(), as: UTF8.self)
    }
}

extension AlertThresholdList {
    /// The current thresholds, smallest first.
    package var active: [Int64] { thresholds.filter(\.isActive).map(\.users) }
}
