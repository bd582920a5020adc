/// The views of the event sink: queries that run on ClickHouse 18.16 and on current versions.
///
/// Days and weeks are in UTC, whatever the time zone of the server. Events dated ahead count once their moment has come.
/// An event that was sent twice counts once: distinct users and ids are counted, never rows.
struct EventSinkViews: Sendable {
    let name: String
    /// The query, given the table of events and the database.
    let query: @Sendable (_ events: String, _ database: String) -> String

    /// In an order in which each reads only earlier ones.
    static let all = [events, users, activeUsers, funnel, cohorts, ranking, additions]

    /// Of events whose moment has come.
    private static let now = "(toInt64(toUnixTimestamp(now())) * 1000 + 999)"

    private static func day(_ moment: String) -> String { "toDate(toUInt16(intDiv(\(moment), 86400000)))" }

    private static let events = EventSinkViews(name: "events") { events, _ in
        """
        SELECT event, toDateTime(intDiv(moment, 1000)) AS time, day, moment, received, user, item, platform, \
        app_version, id, block, place, properties FROM \(events) FINAL
        """
    }

    private static let users = EventSinkViews(name: "users") { events, _ in
        let marks = EventSinkViews.marks.map { "max(event = '\($0.event)') AS \($0.column)" }
        return """
            SELECT user, min(moment) AS first_at, max(moment) AS last_at, \
            minIf(moment, event = 'app_downloaded') AS downloaded_at, \
            if(max(event = 'app_downloaded') = 1, downloaded_at, first_at) AS signup_at, \
            \(marks.joined(separator: ", ")) FROM \(events) WHERE moment <= \(now) GROUP BY user
            """
    }

    private static let activeUsers = EventSinkViews(name: "active_users") { events, _ in
        """
        SELECT active_on AS day, uniqExactIf(user, back < 1) AS active_1d, uniqExactIf(user, back < 7) AS active_7d, \
        uniqExactIf(user, back < 28) AS active_28d, uniqExact(user) AS active_30d \
        FROM (SELECT user, back, seen_on + back AS active_on \
        FROM (SELECT user, day AS seen_on FROM \(events) WHERE moment <= \(now) GROUP BY user, day) \
        ARRAY JOIN range(30) AS back) \
        WHERE active_on <= toDate(toUInt16(intDiv(toUnixTimestamp(now()), 86400))) GROUP BY active_on
        """
    }

    private static let funnel = EventSinkViews(name: "funnel") { _, database in
        let sums = ["downloads", "first_subscription", "five_subscriptions", "retention_d7", "retention_d30"]
            .map { "sum(has_\($0)) AS \($0)" }.joined(separator: ", ")
        return """
            SELECT \(day("signup_at")) AS day, count() AS users, \(sums) FROM \(database).users GROUP BY day
            """
    }

    private static let cohorts = EventSinkViews(name: "cohorts") { _, database in
        let days = [1, 7, 30].map { days in
            let isEligible = "signup_at + \(days * 86_400_000) <= \(now)"
            return """
                sum(\(isEligible)) AS d\(days)_eligible, sum(\(isEligible) AND has_retention_d\(days)) AS d\(days)
                """
        }
        return """
            SELECT toMonday(\(day("signup_at"))) AS week, count() AS users, \(days.joined(separator: ", ")) \
            FROM \(database).users GROUP BY week
            """
    }

    private static let ranking = EventSinkViews(name: "ranking") { events, _ in
        """
        SELECT item, uniqExact(id) AS added FROM \(events) WHERE event = 'subscription_added' \
        AND item != toUUID('00000000-0000-0000-0000-000000000000') AND moment <= \(now) GROUP BY item
        """
    }

    private static let additions = EventSinkViews(name: "additions") { events, _ in
        """
        SELECT toMonday(day) AS week, item, uniqExactIf(id, event = 'subscription_added') AS added, \
        uniqExactIf(id, event = 'subscription_removed') AS removed FROM \(events) \
        WHERE event IN ('subscription_added', 'subscription_removed') AND moment <= \(now) GROUP BY week, item
        """
    }

    private static let marks = [
        (event: "app_downloaded", column: "has_downloads"),
        (event: "first_subscription_added", column: "has_first_subscription"),
        (event: "five_subscriptions_reached", column: "has_five_subscriptions"),
        (event: "retention_d1", column: "has_retention_d1"), (event: "retention_d7", column: "has_retention_d7"),
        (event: "retention_d30", column: "has_retention_d30"),
        (event: "premium_conversion", column: "has_premium_conversion"),
    ]
}
