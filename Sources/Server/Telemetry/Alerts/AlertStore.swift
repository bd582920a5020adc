package import Foundation
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

/// The response of `GET /api/v1/admin/alerts`, from one snapshot.
package struct AlertOverview: Sendable {
    package let list: AlertThresholdList
    package let channels: [AlertChannelStatus]
    /// Newest first.
    package let deliveries: [AlertDelivery]
    /// The last id of this page, after which the next page begins; nil on the last page.
    package let next: UUID?
}

extension AlertStore {
    static let columns = """
        id, user_threshold, user_count, channel, target, state, attempts, created_at, last_attempt_at, next_attempt_at,
        delivered_at, last_error, kind, storage_level, storage_reason, storage_bytes, storage_limit_bytes,
        notice
        """

    /// Thresholds, channels and a page of deliveries. Ids are UUIDv7, so their order is that of creation.
    package func overview(after id: UUID?, limit: Int) throws -> AlertOverview {
        try context.store.readOnStandby { session in
            let rows = try session.query(
                """
                SELECT \(Self.columns) FROM alert_deliveries WHERE id < ? ORDER BY id DESC LIMIT ?
                """,
                [.blob(id?.rawBytes ?? [UInt8](repeating: 0xFF, count: 17)), .integer(Int64(limit) + 1)],
                Self.delivery)
            let page = Array(rows.prefix(limit))
            return AlertOverview(
                list: try thresholds(session), channels: try channels(session), deliveries: page,
                next: rows.count > limit ? page.last?.id : nil)
        }
    }

    package func find(_ id: UUID) throws -> AlertDelivery? {
        try context.store.read { try Self.find(id, in: $0) }
    }

    /// The number of deliveries of all channels by state.
    package func depths() throws -> [AlertDelivery.State: Int64] {
        var depths = Dictionary(uniqueKeysWithValues: AlertDelivery.State.allCases.map { ($0, Int64(0)) })
        try context.store.read { session in
            try session.forEach("SELECT state, count(*) FROM alert_deliveries GROUP BY state", []) { row in
                guard let state = AlertDelivery.State(rawValue: try row.text(0)) else { return }
                depths[state] = try row.integer(1)
            }
        }
        return depths
    }

    static func find(_ id: UUID, in session: any SQLSession) throws -> AlertDelivery? {
        try session.first("SELECT \(columns) FROM alert_deliveries WHERE id = ?", [.uuid(id)], delivery)
    }

    static func delivery(_ row: any SQLRow) throws -> AlertDelivery {
        guard let channel = AlertChannel(rawValue: try row.text(3)),
            let state = AlertDelivery.State(rawValue: try row.text(5))
        else { throw SQLError.malformed("alert delivery") }
        let subject: AlertDelivery.Subject =
            if let users = try row.optionalInteger(1) {
                .threshold(users: users, userCount: try row.optionalInteger(2) ?? users)
            } else if let level = try row.optionalText(13).flatMap(StorageLevel.init(rawValue:)) {
                .storage(
                    StorageNotice(
                        level: level, isDisk: try row.optionalText(14) == "disk",
                        bytes: try row.optionalInteger(15) ?? 0, limitBytes: try row.optionalInteger(16) ?? 0))
            } else if let text = try row.optionalText(17) {
                try row.text(12) == AlertDelivery.Kind.digest.rawValue
                    ? .digest(try digest(text)) : .rule(try notice(text))
            } else {
                .test
            }
        return AlertDelivery(
            id: try row.uuid(0), subject: subject, channel: channel, target: try row.text(4), state: state,
            attempts: Int(try row.integer(6)), createdAt: try row.instant(7),
            lastAttemptAt: try row.optionalInstant(8), nextAttemptAt: try row.optionalInstant(9),
            deliveredAt: try row.optionalInstant(10), lastError: try row.optionalText(11))
    }

    private static func digest(_ text: String) throws -> AlertDigest {
        guard let digest = AlertDigest(json: text) else { throw SQLError.malformed("digest") }
        return digest
    }

    private static func notice(_ text: String) throws -> AlertRuleNotice {
        guard let notice = AlertRuleNotice(json: text) else { throw SQLError.malformed("notice of an alert") }
        return notice
    }
}
