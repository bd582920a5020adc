import SQLDatabase
package import SubGuardDomain

/// Retention: how many users of each signup week came back.
package struct Cohorts: Sendable, Hashable {
    package var standing: FigureStanding
    package let range: DayRange
    /// Oldest first; only weeks with signups.
    package let cohorts: [Cohort]

    package static let definition =
        "A row per ISO 8601 week (Monday 00:00 UTC) in which users signed up, whole weeks wherever from and to lie. "
        + "d1, d7, d30: eligible are the users of the week whose signup + N x 24 h has passed; count are those of them "
        + "who bear the mark retention_dN; percent is count of eligible with one decimal; rating is green for a percent "
        + "over 50, red for one under 20, else neutral; null where nobody of the week has reached the day."
}

/// The users of one week.
package struct Cohort: Sendable, Hashable {
    package let week: ISOWeek
    package let users: Int64
    /// Nil if no user of the week has reached the day.
    package let d1: Retention?
    package let d7: Retention?
    package let d30: Retention?
}

/// Users who came back, among those eligible.
package struct Retention: Sendable, Hashable {
    package let count: Int64
    /// Above zero.
    package let eligible: Int64
    package let percent: FigureNumber
    package let rating: RetentionRating

    /// Nil if no user is eligible.
    init?(count: Int64, eligible: Int64) {
        guard let percent = FigureNumber.percent(count, of: eligible) else { return nil }
        self.count = count
        self.eligible = eligible
        self.percent = percent
        rating = RetentionRating(percent)
    }
}

/// By the percentage as it is shown, so that 50.0 never looks green in one row and neutral in another.
package enum RetentionRating: String, Sendable, Hashable, CaseIterable {
    case green
    case neutral
    case red

    init(_ percent: FigureNumber) {
        let tenths = percent.inTenths
        self = tenths > 500 ? .green : tenths < 200 ? .red : .neutral
    }
}

extension InsightStore {
    /// Retention of whole weeks: those that the range touches.
    package func cohorts(_ range: DayRange = DayRange()) throws -> Cohorts {
        let (first, last) = range.wholeWeeks.numbers
        return try read { session, standing in
            let now = standing.computedAt
            let reader = FigureReader(session: session)
            var weeks = CohortWeeks(
                d1: try ReachedSignups(day: 1, at: now, reader), d7: try ReachedSignups(day: 7, at: now, reader),
                d30: try ReachedSignups(day: 30, at: now, reader))
            try session.forEach(Self.dailyFigures, [.integer(first), .integer(last)]) { row in
                weeks.add(try FigureCounts.read(row, from: 1), dayNumber: try row.integer(0))
            }
            return Cohorts(standing: standing, range: range, cohorts: weeks.cohorts)
        }
    }

    private static let dailyFigures =
        "SELECT day_number, \(Figure.allCases.map(\.column).joined(separator: ", ")) FROM figure_days "
        + "WHERE day_number BETWEEN ? AND ? ORDER BY day_number"
}

/// The signups of a day that are at least `day` × 24 h old.
private struct ReachedSignups {
    private let lastDay: Int64
    /// Those of the most recent day with any such signup.
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

/// Sums days into weeks.
private struct CohortWeeks {
    private struct Week {
        let week: ISOWeek
        var all = FigureCounts()
        /// Users who have reached day 1, 7 and 30.
        var reached = [FigureCounts](repeating: FigureCounts(), count: 3)
    }

    private let signups: [ReachedSignups]
    private var weeks: [Week] = []

    init(d1: ReachedSignups, d7: ReachedSignups, d30: ReachedSignups) { signups = [d1, d7, d30] }

    /// Call it with days in ascending order.
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
