import SQLDatabase
package import SubGuardDomain

/// A figure by day, week or month.
package struct Series: Sendable, Hashable {
    package var standing: FigureStanding
    package let figure: SeriesFigure
    package let range: SeriesRange
    /// One for each period, in order.
    package let points: [Point]

    package struct Point: Sendable, Hashable {
        /// The first day of the period.
        package let on: CalendarDay
        /// Nil if undefined: a rate over no sessions, and any figure of a period that has not begun.
        package let value: FigureNumber?
        /// Whether the period had not ended.
        package let isUnfinished: Bool
    }
}

extension InsightStore {
    /// Throws ``BackendError/invalid(_:)`` for a range that is empty or too long.
    package func series(
        of figure: SeriesFigure, from: CalendarDay? = nil, to: CalendarDay? = nil, step: SeriesStep = .day
    ) throws -> Series {
        // Refused before anything is counted; the day of the answer may be the next one already.
        let range = try SeriesRange(from: from, to: to, step: step, today: try today())
        return try read { session, standing in
            let periods = SeriesPeriods(range, now: standing.computedAt, standing.calendar)
            let values = try periods.values(of: figure.source, in: session)
            return Series(
                standing: standing, figure: figure, range: range,
                points: (0..<range.count).map { index in
                    let days = range.days(at: index)
                    return Series.Point(
                        on: days.lowerBound, value: days.lowerBound <= periods.today ? values[index] : nil,
                        isUnfinished: days.upperBound >= periods.today)
                })
        }
    }
}

/// Reads the values of the periods of a range.
private struct SeriesPeriods {
    let today: CalendarDay
    private let range: SeriesRange
    private let now: UTCInstant
    private let calendar: ReportCalendar
    /// Days from the beginning of the first period through the end of the last one, but not after today.
    private let days: (first: Int64, last: Int64)

    init(_ range: SeriesRange, now: UTCInstant, _ calendar: ReportCalendar) {
        self.range = range
        self.now = now
        self.calendar = calendar
        today = calendar.day(of: now)
        days = (
            Int64(range.days(at: 0).lowerBound.daysSinceEpoch),
            Int64(min(range.days(at: range.count - 1).upperBound, today).daysSinceEpoch)
        )
    }

    /// A value for each period.
    func values(of source: SeriesFigure.Source, in session: any SQLSession) throws -> [FigureNumber?] {
        switch source {
        case .days(let figure):
            try sums(
                "SELECT day_number, \(figure.column) FROM figure_days WHERE day_number BETWEEN ? AND ?",
                [.integer(days.first), .integer(days.last)], in: session
            ).map { .count($0[0]) }
        case .total(let figure): try totals(of: figure, in: session)
        case .events(let name):
            try sums(
                """
                SELECT d.day_number, d.event_count FROM event_days d JOIN event_names n ON n.id = d.event_name_id
                WHERE d.day_number BETWEEN ? AND ? AND n.name = ?
                """, [.integer(days.first), .integer(days.last), .text(name)], in: session
            ).map { .count($0[0]) }
        case .sessions: try rates(in: session)
        case .activity(let length): try activity(length, in: session)
        }
    }

    /// The sums of all days up to the end of each period.
    private func totals(of figure: Figure, in session: any SQLSession) throws -> [FigureNumber?] {
        var total =
            try session.integer(
                "SELECT coalesce(sum(\(figure.column)), 0) FROM figure_days WHERE day_number < ?",
                [.integer(days.first)]) ?? 0
        return try values(of: .days(figure), in: session).map { value in
            if case .count(let count)? = value { total += count }
            return .count(total)
        }
    }

    /// Sums one or two columns of rows that begin with the number of their day, or with one of which `day` makes it.
    private func sums(
        _ sql: String, _ arguments: [SQLValue], columns: Int = 1, in session: any SQLSession,
        day: (Int64) -> Int64 = { $0 }
    ) throws -> [SIMD2<Int64>] {
        var sums = [SIMD2<Int64>](repeating: SIMD2(), count: range.count)
        try session.forEach(sql, arguments) { row in
            guard let day = CalendarDay(daysSinceEpoch: Int(clamping: day(try row.integer(0)))) else { return }
            let index = range.index(of: day)
            guard sums.indices.contains(index) else { return }
            for column in 0..<columns { sums[index][column] += try row.integer(1 + column) }
        }
        return sums
    }

    /// Sessions of hours that are stored, and of days to which purged ones were added. Grouped by hour, because the
    /// index has that order: nothing is sorted.
    private func rates(in session: any SQLSession) throws -> [FigureNumber?] {
        let firstHour = CrashFreeRate.firstHour(of: days.first, calendar)
        let lastHour = CrashFreeRate.firstHour(of: days.last + 1, calendar) - 1
        let hours = try sums(
            """
            SELECT hour_number, sum(session_count), sum(crashed_count) FROM session_hours
            WHERE hour_number BETWEEN ? AND ? GROUP BY hour_number
            """, [.integer(firstHour), .integer(min(lastHour, CrashFreeRate.hourNumber(of: now)))],
            columns: 2, in: session, day: { CrashFreeRate.day(ofHour: $0, calendar) })
        let purged = try sums(
            "SELECT day_number, session_count, crashed_count FROM session_days WHERE day_number BETWEEN ? AND ?",
            [.integer(days.first), .integer(days.last)], columns: 2, in: session)
        return zip(hours, purged).map { hours, purged in
            let (sessions, crashed) = (hours[0] + purged[0], hours[1] + purged[1])
            return FigureNumber.percent(sessions - crashed, of: sessions)
        }
    }

    /// Users active in the windows of a length that end on the last day of each period, or today.
    private func activity(_ length: Int, in session: any SQLSession) throws -> [FigureNumber?] {
        var values: [FigureNumber?] = []
        var users: Int64 = 0
        /// Values of the periods that end before a day.
        func finish(before day: Int64) {
            while values.count < range.count {
                let end = min(range.days(at: values.count).upperBound, today)
                guard Int64(end.daysSinceEpoch) < day else { return }
                values.append(.count(users))
            }
        }
        try ActivityChanges.forEach(through: days.last, in: session) { day, changes in
            finish(before: day)
            users &+= changes[length]
        }
        finish(before: .max)
        return values
    }
}
