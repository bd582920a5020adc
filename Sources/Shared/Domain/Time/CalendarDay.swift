/// A day of the proleptic Gregorian calendar from 0001-01-01 through 9999-12-31, without a time or a zone.
public struct CalendarDay: Sendable, Hashable {
    /// Whole days since 1970-01-01.
    public let daysSinceEpoch: Int

    /// 0001-01-01.
    public static let earliest = CalendarDay(uncheckedDaysSinceEpoch: -719_162)
    /// 9999-12-31.
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

    package init(uncheckedDaysSinceEpoch days: Int) {
        daysSinceEpoch = days
    }

    /// The nearest supported day.
    init(clampedDaysSinceEpoch days: Int) {
        daysSinceEpoch = min(max(days, Self.earliest.daysSinceEpoch), Self.latest.daysSinceEpoch)
    }

    /// 1…9999.
    public var year: Int { components.year }
    /// 1…12, January is 1.
    public var month: Int { components.month }
    /// The day of the month, 1…31.
    public var day: Int { components.day }

    /// Monday is 1, Sunday is 7, as in ISO 8601.
    public var weekday: Int {
        // 1970-01-01 was a Thursday.
        let remainder = (daysSinceEpoch + 3) % 7
        return (remainder < 0 ? remainder + 7 : remainder) + 1
    }

    /// Year, month and day of the month together; cheaper than reading each by itself.
    public var components: (year: Int, month: Int, day: Int) {
        // Eras of 400 years from 1 March 0000, so that the leap day is the last day of its year.
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

    /// Whether the year has a 29 February.
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

extension CalendarDay {
    /// The day `days` later, or earlier when negative; clamped to the supported years.
    public func adding(days: Int) -> CalendarDay {
        let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
        guard !overflow else { return days < 0 ? .earliest : .latest }
        return CalendarDay(clampedDaysSinceEpoch: sum)
    }

    /// The day `anchorDay` of the month `months` later, or the last day of that month if it is shorter.
    ///
    /// The anchor keeps 31 January, 28 February, 31 March from becoming the 28th.
    ///
    /// - Parameters:
    ///   - months: may be negative; the result is clamped to the supported years.
    ///   - anchorDay: clamped to 1…31.
    public func adding(months: Int, anchorDay: Int) -> CalendarDay {
        let (year, month, _) = components
        let (index, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflow, index >= 12 else { return months < 0 ? .earliest : .latest }
        let (targetYear, targetMonth) = (index / 12, index % 12 + 1)
        guard targetYear <= 9999 else { return .latest }
        let day = min(max(anchorDay, 1), Self.daysIn(month: targetMonth, year: targetYear))
        return CalendarDay(uncheckedDaysSinceEpoch: Self.days(year: targetYear, month: targetMonth, day: day))
    }

    /// The same day of the month `months` later, or the last day of that month.
    public func adding(months: Int) -> CalendarDay {
        adding(months: months, anchorDay: day)
    }

    /// Whole days until the other day; negative when it is earlier.
    public func days(until other: CalendarDay) -> Int {
        other.daysSinceEpoch - daysSinceEpoch
    }

    /// The ISO 8601 week of the day; its year may differ from the day's around New Year.
    public var isoWeek: ISOWeek { ISOWeek(containing: self) }

    /// The Monday on or before the day.
    public var startOfISOWeek: CalendarDay { adding(days: 1 - weekday) }

    /// Reads exactly `YYYY-MM-DD`; nil for any other form and for a day that does not exist.
    public init?(iso: String) {
        var iso = iso
        let parsed = iso.withUTF8 { Self.parse(UnsafeRawBufferPointer($0)) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Reads exactly `YYYY-MM-DD` from bytes.
    public init?(iso bytes: UnsafeRawBufferPointer) {
        guard let parsed = Self.parse(bytes) else { return nil }
        self = parsed
    }

    /// The day as `YYYY-MM-DD`.
    public var iso: String {
        String(unsafeUninitializedCapacity: 10) { buffer in
            var digits = DigitWriter(buffer)
            write(to: &digits)
            return digits.count
        }
    }

    func write(to digits: inout DigitWriter) {
        let (year, month, day) = components
        digits.append(year, width: 4)
        digits.append(UInt8(ascii: "-"))
        digits.append(month, width: 2)
        digits.append(UInt8(ascii: "-"))
        digits.append(day, width: 2)
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer) -> CalendarDay? {
        var digits = DigitReader(bytes)
        guard bytes.count == 10, let day = digits.readDay() else { return nil }
        return day
    }
}

extension CalendarDay: CustomStringConvertible {
    /// The day as `2027-01-15`.
    public var description: String { iso }
}
