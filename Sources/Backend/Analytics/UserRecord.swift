import SQLDatabase
import SubGuardDomain

/// What is kept of a user while a transaction folds events into it.
struct UserRecord {
    let id: Int64
    private(set) var firstSeenAt: UTCInstant
    private(set) var lastSeenAt: UTCInstant
    /// By ``Milestone``: the earliest moment of its event, or nil.
    private(set) var marks: [UTCInstant?]
    /// Whether the row in the store is behind.
    private(set) var isChanged = false

    /// Folds an event in. The order in which events come makes no difference.
    mutating func apply(_ event: AnalyticsEvent) {
        if event.timestamp < firstSeenAt {
            firstSeenAt = event.timestamp
            isChanged = true
        }
        if event.timestamp > lastSeenAt {
            lastSeenAt = event.timestamp
            isChanged = true
        }
        guard let milestone = Milestone(eventName: event.definition.name) else { return }
        let known = marks[milestone.rawValue]
        guard known.map({ event.timestamp < $0 }) ?? true else { return }
        marks[milestone.rawValue] = event.timestamp
        isChanged = true
    }

    static func find(hash: [UInt8], in transaction: any SQLTransaction) throws -> UserRecord? {
        try transaction.first(
            """
            SELECT id, first_seen_at, last_seen_at, app_downloaded_at, first_subscription_added_at,
                five_subscriptions_reached_at, retention_d1_at, retention_d7_at, retention_d30_at, premium_conversion_at
            FROM users WHERE user_hash = ?
            """, [.blob(hash)]
        ) { row in
            UserRecord(
                id: try row.integer(0), firstSeenAt: try row.instant(1), lastSeenAt: try row.instant(2),
                marks: try Milestone.allCases.map { try row.optionalInstant(3 + $0.rawValue) })
        }
    }

    /// Makes the row of a user whose first known event is at `instant`.
    static func insert(
        hash: [UInt8], seenAt instant: UTCInstant, in transaction: any SQLTransaction
    ) throws -> UserRecord {
        let id = try transaction.first(
            "INSERT INTO users (user_hash, first_seen_at, last_seen_at) VALUES (?, ?, ?) RETURNING id",
            [.blob(hash), .instant(instant), .instant(instant)]
        ) { try $0.integer(0) }
        guard let id else { throw SQLError(code: .other, number: 0, context: "insert user") }
        let marks = [UTCInstant?](repeating: nil, count: Milestone.allCases.count)
        return UserRecord(id: id, firstSeenAt: instant, lastSeenAt: instant, marks: marks)
    }

    func save(in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            UPDATE users SET first_seen_at = ?, last_seen_at = ?, app_downloaded_at = ?,
                first_subscription_added_at = ?, five_subscriptions_reached_at = ?, retention_d1_at = ?,
                retention_d7_at = ?, retention_d30_at = ?, premium_conversion_at = ?
            WHERE id = ?
            """,
            [.instant(firstSeenAt), .instant(lastSeenAt)] + marks.map { .instant(orNull: $0) } + [.integer(id)])
    }
}
