import SQLDatabase
import SubGuardDomain

extension InsightStore {
    /// The weeks that the range touches, each whole.
    package func cohorts(_ range: DayRange = DayRange()) throws -> Cohorts {
        let now = context.now()
        let (first, last) = range.wholeWeeks.numbers
        return try read { session in
            let reader = FigureReader(session: session)
            var weeks = CohortWeeks(
                d1: try ReachedSignups(day: 1, at: now, reader), d7: try ReachedSignups(day: 7, at: now, reader),
                d30: try ReachedSignups(day: 30, at: now, reader))
            try session.forEach(Self.dailyFigures, [.integer(first), .integer(last)]) { row in
                weeks.add(try FigureCounts.read(row, from: 1), dayNumber: try row.integer(0))
            }
            return Cohorts(computedAt: now, range: range, cohorts: weeks.cohorts)
        }
    }

    private static let dailyFigures =
        "SELECT day_number, \(Figure.allCases.map(\.column).joined(separator: ", ")) FROM figure_days "
        + "WHERE day_number BETWEEN ? AND ? ORDER BY day_number"
}

/// Of a day's signups, those who have lived so many times 24 h since.
private struct ReachedSignups {
    private let lastDay: Int64
    /// Those of the last day on which anybody has.
    private let countsOfLastDay: FigureCounts

    init(day: Int, at now: UTCInstant, _ reader: FigureReader) throws {
        let latestSignup = now.adding(days: -day)
        lastDay = FigureTable.days.row(of: latestSignup)
        countsOfLastDay =
            try reader.sums(.days, from: lastDay, through: lastDay) - reader.restOfDay(after: latestSignup)
    }

    func counts(of counts: FigureCounts, dayNumber: Int64) -> FigureCounts {
        if dayNumber < lastDay { counts } else if dayNumber == lastDay { countsOfLastDay } else { FigureCounts() }
    }
}

/// Adds days up to weeks.
private struct CohortWeeks {
    private struct Week {
        let week: ISOWeek
        var all = FigureCounts()
        /// Those who have reached day 1, 7, 30.
        var reached = [FigureCounts](repeating: FigureCounts(), count: 3)
    }

    private let signups: [ReachedSignups]
    private var weeks: [Week] = []

    init(d1: ReachedSignups, d7: ReachedSignups, d30: ReachedSignups) { signups = [d1, d7, d30] }

    /// Call it day by day, oldest first.
    mutating func add(_ counts: FigureCounts, dayNumber: Int64) {
        guard let day = CalendarDay(daysSinceEpoch: Int(dayNumber)) else { return }
        if weeks.last?.week != day.isoWeek { weeks.append(Week(week: day.isoWeek)) }
        weeks[weeks.count - 1].all += counts
        for index in signups.indices {
            weeks[weeks.count - 1].reached[index] += signups[index].counts(of: counts, dayNumber: dayNumber)
        }
    }

    var cohorts: [Cohort] {
        weeks.filter { $0.all[.users] > 0 }.map { week in
            func retention(_ index: Int, _ figure: Figure) -> Retention? {
                Retention(count: week.reached[index][figure], eligible: week.reached[index][.users])
            }
            return Cohort(
                week: week.week, users: week.all[.users], d1: retention(0, .retentionD1),
                d7: retention(1, .retentionD7), d30: retention(2, .retentionD30))
        }
    }
}
