import SQLDatabase
import SubGuardDomain

/// The percentage of sessions without a crash.
///
/// Sessions are counted by the hour in which they started, so a window covers whole hours: the current hour and the
/// preceding ones. Adjacent windows share no session.
package enum CrashFreeRate {
    private static let hoursPerWeek: Int64 = 168

    /// Hours since the epoch, rounded down.
    static func hourNumber(of instant: UTCInstant) -> Int64 {
        let hours = instant.secondsSinceEpoch / 3600
        return instant.secondsSinceEpoch % 3600 < 0 ? hours - 1 : hours
    }

    /// The first hour that belongs to a day.
    static func firstHour(of day: Int64, _ calendar: ReportCalendar) -> Int64 {
        let start = calendar.start(of: day)
        let hour = hourNumber(of: start)
        return self.day(ofHour: hour, calendar) < day ? hour + 1 : hour
    }

    /// An hour belongs to the day in which it begins, also where that ends within the hour.
    static func day(ofHour hour: Int64, _ calendar: ReportCalendar) -> Int64 {
        calendar.number(of: UTCInstant(secondsSinceEpoch: hour * 3600))
    }

    /// The dashboard's figure: the last 720 hours, and two weeks of 168 hours.
    static func figure(endingAt now: UTCInstant, in session: any SQLSession) throws -> DashboardFigure {
        let end = hourNumber(of: now)
        let thisWeek = try tenths(from: end - hoursPerWeek + 1, through: end, session)
        let lastWeek = try tenths(from: end - 2 * hoursPerWeek + 1, through: end - hoursPerWeek, session)
        let value = try tenths(from: end - 30 * 24 + 1, through: end, session)
        let trend = zip(thisWeek, lastWeek).flatMap { FigureNumber.percent($0 - $1, of: $1) }
        return DashboardFigure(
            value: value.map { .tenths($0) }, thisWeek: thisWeek.map { .tenths($0) },
            lastWeek: lastWeek.map { .tenths($0) }, trendPercent: trend)
    }

    private static func tenths(from first: Int64, through last: Int64, _ session: any SQLSession) throws -> Int64? {
        let sums = try Self.sums(from: first, through: last, session)
        guard case .tenths(let tenths) = FigureNumber.percent(sums.sessions - sums.crashed, of: sums.sessions) else {
            return nil
        }
        return tenths
    }

    /// The sessions of the hours, both included, and those of them with a crash.
    static func sums(
        from first: Int64, through last: Int64, _ session: any SQLSession
    ) throws -> (sessions: Int64, crashed: Int64) {
        try session.first(
            """
            SELECT coalesce(sum(session_count), 0), coalesce(sum(crashed_count), 0) FROM session_hours
            WHERE hour_number BETWEEN ? AND ?
            """, [.integer(first), .integer(last)]
        ) { (sessions: try $0.integer(0), crashed: try $0.integer(1)) } ?? (0, 0)
    }

    /// The same of the days, both included, for hours that were purged.
    static func purgedSums(
        fromDay first: Int64, throughDay last: Int64, _ session: any SQLSession
    ) throws -> (sessions: Int64, crashed: Int64) {
        try session.first(
            """
            SELECT coalesce(sum(session_count), 0), coalesce(sum(crashed_count), 0) FROM session_days
            WHERE day_number BETWEEN ? AND ?
            """, [.integer(first), .integer(last)]
        ) { (sessions: try $0.integer(0), crashed: try $0.integer(1)) } ?? (0, 0)
    }

    private static func zip(_ left: Int64?, _ right: Int64?) -> (Int64, Int64)? {
        guard let left, let right else { return nil }
        return (left, right)
    }
}
