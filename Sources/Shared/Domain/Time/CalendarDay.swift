/// A day of the proleptic Gregorian calendar from 0001-01-01 through 9999-12-31, without a time or a zone.
public struct CalendarDay: Sendable, Hashable {
    /// Whole days since 1970-01-01.
    public let daysSinceEpoch: Int

    public static let earliest = CalendarDay(uncheckedDaysSinceEpoch: -719_162)
    public static let latest = CalendarDay(uncheckedDaysSinceEpoch: 2_932_896)

    /// Nil outside the supported years.
    public init?(daysSinceEpoch: Int) {
        guard (Self.earliest.daysSinceEpoch...Self.latest.daysSinceEpoch).contains(daysSinceEpoch) else { return nil }
        self.init(uncheckedDaysSinceEpoch: daysSinceEpoch)
    }

    /// Nil when there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysIn(month: month, year: year)
        else { return nil }
        self.init(uncheckedDaysSinceEpoch: Self.days(year: year, month: month, day: day))
    }

    init(uncheckedDaysSinceEpoch days: Int) {
        daysSinceEpoch = days
    }

    /// The nearest supported day.
    init(clampedDaysSinceEpoch days: Int) {
        daysSinceEpoch = min(max(days, Self.earliest.daysSinceEpoch), Self.latest.daysSinceEpoch)
    }

    public var year: Int { components.year }
    public var month: Int { components.month }
    public var day: Int { components.day }

    /// Monday is 1, Sunday is 7, as in ISO 8601.
    public var weekday: Int {
        // 1970-01-01 was a Thursday.
        let remainder = (daysSinceEpoch + 3) % 7
        return (remainder < 0 ? remainder + 7 : remainder) + 1
    }

    public var components: (year: Int, month: Int, day: Int) {
        // Counted in eras of 400 years that begin on 1 March 0000, so that a leap day is the last of its year.
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    public static func isLeap(year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// Days of a month from 1 through 12; zero for any other number.
    public static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year: year) ? 29 : 28
        case 4, 6, 9, 11: 30
        case 1, 3, 5, 7, 8, 10, 12: 31
        default: 0
        }
    }

    static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension CalendarDay: Comparable {
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
        left.daysSinceEpoch < right.daysSinceEpoch
    }
}
