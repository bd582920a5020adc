import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Sums the stored figures after an instant, to the millisecond.
///
/// Whole days come from one table, whole minutes of the instant's day from another, and the instant's own minute from
/// the users, absences and subscriptions themselves. The cost thus depends on the number of days since the instant and
/// on the rows of one minute, not on the size of the database.
struct FigureReader {
    let session: any SQLSession

    /// Everything counted after the instant, including future dates.
    func tail(after instant: UTCInstant) throws -> FigureCounts {
        let day = FigureTable.days.row(of: instant)
        return try sums(.days, from: day + 1, through: .max) + restOfDay(after: instant)
    }

    /// Everything counted after the instant on its own day (UTC).
    func restOfDay(after instant: UTCInstant) throws -> FigureCounts {
        let minute = FigureTable.minutes.row(of: instant)
        let lastMinute = (FigureTable.days.row(of: instant) + 1) * 1440 - 1
        return try sums(.minutes, from: minute + 1, through: lastMinute) + restOfMinute(after: instant)
    }

    /// Everything counted on these days, both included.
    func sums(_ table: FigureTable, from first: Int64, through last: Int64) throws -> FigureCounts {
        try session.first(table.sums, [.integer(first), .integer(last)]) { try FigureCounts.read($0, from: 0) }
            ?? FigureCounts()
    }

    /// Everything counted after the instant in its own minute, from the underlying rows.
    private func restOfMinute(after instant: UTCInstant) throws -> FigureCounts {
        let end = UTCInstant(millisecondsSinceEpoch: (instant.minuteNumber + 1) * 60_000)
        var counts =
            try session.first(
                """
                SELECT count(*), count(app_downloaded_at), count(first_subscription_added_at),
                    count(five_subscriptions_reached_at), count(retention_d1_at), count(retention_d7_at),
                    count(retention_d30_at), 0, 0, 0, 0, 0, 0
                FROM users WHERE signup_at > ? AND signup_at < ?
                """, [.instant(instant), .instant(end)], { try FigureCounts.read($0, from: 0) })
            ?? FigureCounts()
        counts[.conversions] = try count(
            "SELECT count(*) FROM users WHERE premium_conversion_at > ? AND premium_conversion_at < ?", instant, end)
        counts[.subscriptions] = try count(
            "SELECT sum(change) FROM subscription_moments WHERE occurred_at > ? AND occurred_at < ?", instant, end)
        counts[.firstSeen] = try count(
            "SELECT count(*) FROM users WHERE first_seen_at > ? AND first_seen_at < ?", instant, end)
        counts[.lastSeen] =
            try session.first(
                "SELECT count(*) FROM users WHERE seen_minute = ? AND last_seen_at > ?",
                [.integer(instant.minuteNumber), .instant(instant)]
            ) { try $0.integer(0) } ?? 0
        counts[.returns7d] = try returns(days: 7, instant, end)
        counts[.returns30d] = try returns(days: 30, instant, end)
        return counts
    }

    /// Ends minus beginnings of the absences of more than `days` days.
    private func returns(days: Int, _ instant: UTCInstant, _ end: UTCInstant) throws -> Int64 {
        let length = SQLValue.integer(UTCInstant(millisecondsSinceEpoch: 0).adding(days: days).millisecondsSinceEpoch)
        let ends = try session.first(
            """
            SELECT count(*) FROM user_absences
            WHERE returned_at > ? AND returned_at < ? AND returned_at - left_at > ?
            """, [.instant(instant), .instant(end), length]
        ) { try $0.integer(0) }
        let beginnings = try session.first(
            "SELECT count(*) FROM user_absences WHERE left_at > ? AND left_at < ? AND returned_at - left_at > ?",
            [.instant(instant.adding(days: -days)), .instant(end.adding(days: -days)), length]
        ) { try $0.integer(0) }
        return (ends ?? 0) - (beginnings ?? 0)
    }

    private func count(_ sql: String, _ instant: UTCInstant, _ end: UTCInstant) throws -> Int64 {
        try session.first(sql, [.instant(instant), .instant(end)]) { try $0.optionalInteger(0) }.flatMap { $0 } ?? 0
    }
}
