import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

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
        try session.first(
            "SELECT 1 FROM alert_deliveries WHERE id = ? AND withdrawn_at IS NOT NULL", [.uuid(id)]
        ) { try $0.integer(0) } != nil
    }
}
