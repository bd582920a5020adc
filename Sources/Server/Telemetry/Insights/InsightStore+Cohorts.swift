import SQLDatabase
package import ServerAccess
package import SubGuardDomain

/// Retention: how many users of each signup week or month came back.
package struct Cohorts: Sendable, Hashable {
    package var standing: FigureStanding
    package let range: DayRange
    package let step: CohortStep
    /// Oldest first; only weeks or months with signups.
    package let cohorts: [Cohort]

    package var definition: String { Self.definition(by: step) }

    /// Of all users of the rows: the average, weighted by how many have reached the day. Nil without rows.
    package var average: Cohort? {
        guard let first = cohorts.first else { return nil }
        func all(_ retention: (Cohort) -> Retention?) -> Retention? {
            let all = cohorts.compactMap(retention)
            return Retention(
                count: all.reduce(0) { $0 + $1.count }, eligible: all.reduce(0) { $0 + $1.eligible })
        }
        return Cohort(
            step: step, startsOn: first.startsOn, users: cohorts.reduce(0) { $0 + $1.users }, d1: all(\.d1),
            d7: all(\.d7), d30: all(\.d30))
    }

    package static func definition(by step: CohortStep) -> String {
        let period = step == .week ? "ISO 8601 week (from Monday 00:00)" : "calendar month"
        return "A row per \(period) in which users signed up, whole \(step.rawValue)s wherever from and to lie. "
            + "d1, d7, d30: eligible are the users of the \(step.rawValue) whose signup + N x 24 h has passed; count "
            + "are those of them who bear the mark retention_dN; percent is count of eligible with one decimal; rating "
            + "is green for a percent over 50, red for one under 20, else neutral; null where no user of the "
            + "\(step.rawValue) has reached the day."
    }
}

/// The length of the periods that cohorts sign up in. The raw value is its name on the wire.
package enum CohortStep: String, CaseIterable, Sendable {
    /// From Monday, as in ISO 8601.
    case week
    case month

    /// The first day of the period of a day.
    func start(of day: CalendarDay) -> CalendarDay {
        switch self {
        case .week: day.startOfISOWeek
        case .month: day.adding(months: 0, anchorDay: 1)
        }
    }

    /// Extends a range to whole periods.
    func whole(_ range: DayRange) -> DayRange {
        switch self {
        case .week: DayRange(from: range.from.map(start), to: range.to.map { start(of: $0).adding(days: 6) })
        case .month: DayRange(from: range.from.map(start), to: range.to?.adding(months: 0, anchorDay: 31))
        }
    }
}

/// The users of one week or month.
package struct Cohort: Sendable, Hashable {
    package let step: CohortStep
    package let startsOn: CalendarDay
    package let users: Int64
    /// Nil if no user has reached the day.
    package let d1: Retention?
    package let d7: Retention?
    package let d30: Retention?

    /// Such as `2026-W47`; nil for a month.
    package var week: String? { step == .week ? startsOn.isoWeek.text : nil }

    /// Such as `2026-11`; nil for a week.
    package var month: String? { step == .month ? String(startsOn.iso.prefix(7)) : nil }
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
    /// Retention of whole weeks or months: those that the range touches.
    package func cohorts(_ range: DayRange = DayRange(), by step: CohortStep = .week) throws -> Cohorts {
        let (first, last) = step.whole(range).numbers
        return try read { session, standing in
            let now = standing.computedAt
            let reader = FigureReader(session: session, calendar: standing.calendar)
            var periods = CohortPeriods(
                step, d1: try ReachedSignups(day: 1, at: now, reader), d7: try ReachedSignups(day: 7, at: now, reader),
                d30: try ReachedSignups(day: 30, at: now, reader))
            try session.forEach(Self.dailyFigures, [.integer(first), .integer(last)]) { row in
                periods.add(try FigureCounts.read(row, from: 1), dayNumber: try row.integer(0))
            }
            return Cohorts(standing: standing, range: range, step: step, cohorts: periods.cohorts)
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
        lastDay = reader.calendar.number(of: latestSignup)
        countsOfLastDay =
            try reader.sums(.days, from: lastDay, through: lastDay) - reader.restOfDay(after: latestSignup)
    }

    func counts(of counts: FigureCounts, dayNumber: Int64) -> FigureCounts {
        if dayNumber < lastDay { counts } else if dayNumber == lastDay { countsOfLastDay } else { FigureCounts() }
    }
}

/// Sums days into weeks or months.
private struct CohortPeriods {
    private struct Period {
        let startsOn: CalendarDay
        var all = FigureCounts()
        /// Users who have reached day 1, 7 and 30.
        var reached = [FigureCounts](repeating: FigureCounts(), count: 3)
    }

    private let step: CohortStep
    private let signups: [ReachedSignups]
    private var periods: [Period] = []

    init(_ step: CohortStep, d1: ReachedSignups, d7: ReachedSignups, d30: ReachedSignups) {
        self.step = step
        signups = [d1, d7, d30]
    }

    /// Call it with days in ascending order.
    mutating func add(_ counts: FigureCounts, dayNumber: Int64) {
        guard let day = CalendarDay(daysSinceEpoch: Int(dayNumber)) else { return }
        let startsOn = step.start(of: day)
        if periods.last?.startsOn != startsOn { periods.append(Period(startsOn: startsOn)) }
        periods[periods.count - 1].all += counts
        for index in signups.indices {
            periods[periods.count - 1].reached[index] += signups[index].counts(of: counts, dayNumber: dayNumber)
        }
    }

    var cohorts: [Cohort] {
        periods.filter { $0.all[.users] > 0 }.map { period in
            func retention(_ index: Int, _ figure: Figure) -> Retention? {
                Retention(count: period.reached[index][figure], eligible: period.reached[index][.users])
            }
            return Cohort(
                step: step, startsOn: period.startsOn, users: period.all[.users], d1: retention(0, .retentionD1),
                d7: retention(1, .retentionD7), d30: retention(2, .retentionD30))
        }
    }
}
