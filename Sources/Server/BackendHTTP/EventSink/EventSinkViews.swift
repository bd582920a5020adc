import Foundation
import SubGuardDomain
import Telemetry

/// The views of the event sink: queries that run on ClickHouse 18.16 and on current versions.
///
/// Days and weeks are those of the figures, whatever the time zone of the ClickHouse server. Events dated ahead count
/// once their moment has come. An event that was sent twice counts once: distinct users and ids are counted, never
/// rows.
struct EventSinkViews: Sendable {
    let name: String
    /// The query, given the table of events, the database, and how days are cut.
    let query: @Sendable (_ events: String, _ database: String, _ calendar: ReportCalendar) -> String

    /// In an order in which each reads only earlier ones.
    static let all = [events, users, activeUsers, funnel, cohorts, ranking, additions]

    /// Whether the text of a view cuts days as the calendar does. ClickHouse may write it in another form.
    func isCurrent(_ statement: String, _ calendar: ReportCalendar) -> Bool {
        func zones(_ text: String) -> Set<String> {
            // Quotation marks of a statement are escaped in the answer.
            let plain = text.replacing("\\'", with: "'")
            return Set(plain.components(separatedBy: "'").filter { $0.contains("/") })
        }
        return zones(statement) == zones(query("", "", calendar))
    }

    /// Of events whose moment has come.
    private static let now = "(toInt64(toUnixTimestamp(now())) * 1000 + 999)"

    /// The day of a moment, in milliseconds.
    private static func day(_ moment: String, _ calendar: ReportCalendar) -> String {
        func date(_ number: Int64) -> String { "toDate(toUInt16(\(number)))" }
        let zones = calendar.zones
        var text = ""
        for (index, zone) in zones.enumerated() {
            var day =
                zone.name == "UTC"
                ? "toDate(toUInt16(intDiv(\(moment), 86400000)))"
                : "toDate(toDateTime(intDiv(\(moment), 1000)), '\(zone.name)')"
            if index > 0 { day = "greatest(\(day), \(date(zone.firstDay)))" }
            if index + 1 < zones.count { day = "least(\(day), \(date(zones[index + 1].firstDay - 1)))" }
            text = index == 0 ? day : "if(\(moment) < \(zone.startsAt.millisecondsSinceEpoch), \(text), \(day))"
        }
        return text
    }

    /// The day of an event: the column of the table where it is that of UTC.
    private static func dayOfEvent(_ calendar: ReportCalendar) -> String {
        calendar == .utc ? "day" : day("moment", calendar)
    }

    private static let events = EventSinkViews(name: "events") { events, _, calendar in
        """
        SELECT event, toDateTime(intDiv(moment, 1000)) AS time, \(dayOfEvent(calendar)) AS day, \
        moment, received, user, item, platform, app_version, id, block, place, properties FROM \(events) FINAL
        """
    }

    private static let users = EventSinkViews(name: "users") { events, _, _ in
        let marks = EventSinkViews.marks.map { "max(event = '\($0.event)') AS \($0.column)" }
        return """
            SELECT user, min(moment) AS first_at, max(moment) AS last_at, \
            minIf(moment, event = 'app_downloaded') AS downloaded_at, \
            if(max(event = 'app_downloaded') = 1, downloaded_at, first_at) AS signup_at, \
            \(marks.joined(separator: ", ")) FROM \(events) WHERE moment <= \(now) GROUP BY user
            """
    }

    /// Each day on which a user was seen is a step up. The step down follows as many days later as the window has, or
    /// when the user was seen next, if that is earlier. The sums of the steps are the figures: no list of users for
    /// each day.
    private static let activeUsers = EventSinkViews(name: "active_users") { events, _, calendar in
        let windows = [1, 7, 28, 30]
        func list(_ column: (Int) -> String) -> String { windows.map(column).joined(separator: ", ") }
        let columns = list { "active_\($0)d" }
        let sums = windows.enumerated().map { place, days in
            "arrayCumSum(arrayMap(step -> step.\(place + 2), steps)) AS sums_\(days)"
        }
        return """
            SELECT toDate(toUInt16(since + later)) AS day, \(columns) \
            FROM (SELECT since, until, \(columns) \
            FROM (SELECT arrayMap(step -> step.1, steps) AS days, \(sums.joined(separator: ", ")) \
            FROM (SELECT arraySort(groupArray((at, \(list { "step_\($0)" })))) AS steps \
            FROM (SELECT at, \(list { "sum(toInt64(length = 0) - (length = \($0))) AS step_\($0)" }) \
            FROM (SELECT length, if(length = 0, seen_on, least(seen_on + length, next_on)) AS at \
            FROM (SELECT seen_on, next_on \
            FROM (SELECT arraySort(groupUniqArray(toUInt32(\(dayOfEvent(calendar))))) AS seen FROM \(events) \
            WHERE moment <= \(now) GROUP BY user) \
            ARRAY JOIN seen AS seen_on, arrayPushBack(arrayPopFront(seen), 4000000) AS next_on) \
            ARRAY JOIN [0, \(list(String.init))] AS length) GROUP BY at))) \
            ARRAY JOIN days AS since, arrayPushBack(arrayPopFront(days), 0) AS until, \
            \(list { "sums_\($0) AS active_\($0)d" })) \
            ARRAY JOIN range(if(until > since, toUInt32(until - since), 0)) AS later \
            WHERE active_30d > 0 AND day <= \(day(now, calendar))
            """
    }

    private static let funnel = EventSinkViews(name: "funnel") { _, database, calendar in
        let sums = ["downloads", "first_subscription", "five_subscriptions", "retention_d7", "retention_d30"]
            .map { "sum(has_\($0)) AS \($0)" }.joined(separator: ", ")
        return """
            SELECT \(day("signup_at", calendar)) AS day, count() AS users, \(sums) FROM \(database).users GROUP BY day
            """
    }

    private static let cohorts = EventSinkViews(name: "cohorts") { _, database, calendar in
        let days = [1, 7, 30].map { days in
            let isEligible = "signup_at + \(days * 86_400_000) <= \(now)"
            return """
                sum(\(isEligible)) AS d\(days)_eligible, sum(\(isEligible) AND has_retention_d\(days)) AS d\(days)
                """
        }
        return """
            SELECT toMonday(\(day("signup_at", calendar))) AS week, count() AS users, \(days.joined(separator: ", ")) \
            FROM \(database).users GROUP BY week
            """
    }

    private static let ranking = EventSinkViews(name: "ranking") { events, _, _ in
        """
        SELECT item, uniqExact(id) AS added FROM \(events) WHERE event = 'subscription_added' \
        AND item != toUUID('00000000-0000-0000-0000-000000000000') AND moment <= \(now) GROUP BY item
        """
    }

    private static let additions = EventSinkViews(name: "additions") { events, _, calendar in
        """
        SELECT toMonday(\(dayOfEvent(calendar))) AS week, item, \
        uniqExactIf(id, event = 'subscription_added') AS added, \
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
