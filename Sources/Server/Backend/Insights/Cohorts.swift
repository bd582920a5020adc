package import SubGuardDomain

/// How many of the users who signed up in each week came back.
package struct Cohorts: Sendable, Hashable {
    package let computedAt: UTCInstant
    package let range: DayRange
    /// Oldest first; only weeks in which somebody signed up.
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
    /// Nil where nobody of the week has reached the day.
    package let d1: Retention?
    package let d7: Retention?
    package let d30: Retention?
}

/// Who came back, of those of whom it can be known.
package struct Retention: Sendable, Hashable {
    package let count: Int64
    /// Above zero.
    package let eligible: Int64
    package let percent: FigureNumber
    package let rating: RetentionRating

    /// Nil when nobody is eligible.
    init?(count: Int64, eligible: Int64) {
        guard let percent = FigureNumber.percent(count, of: eligible) else { return nil }
        self.count = count
        self.eligible = eligible
        self.percent = percent
        rating = RetentionRating(percent)
    }
}

/// By the percentage as it is shown, so that 50.0 never looks green in one row and neutral in another.
package enum RetentionRating: String, Sendable, Hashable {
    case green
    case neutral
    case red

    init(_ percent: FigureNumber) {
        let tenths = percent.inTenths
        self = tenths > 500 ? .green : tenths < 200 ? .red : .neutral
    }
}
