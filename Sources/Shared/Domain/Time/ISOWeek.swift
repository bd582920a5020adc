/// An ISO 8601 week: starts on Monday and belongs to the year of its Thursday.
public struct ISOWeek: Sendable, Hashable {
    /// The year of the week's Thursday, 1…9999.
    public let year: Int
    /// 1…52, or 53 in some years.
    public let week: Int

    /// The week of a day; the same as ``CalendarDay/isoWeek``.
    init(containing day: CalendarDay) {
        // The first supported day is a Monday and the last a Friday, so the Thursday is always supported.
        let thursday = day.adding(days: 4 - day.weekday)
        year = thursday.year
        week = (thursday.daysSinceEpoch - CalendarDay.days(year: year, month: 1, day: 1)) / 7 + 1
    }

    /// Nil when the year, 1…9999, has no such week.
    public init?(year: Int, week: Int) {
        guard (1...9999).contains(year), (1...53).contains(week) else { return nil }
        let candidate = Self.monday(year: year, week: week).isoWeek
        guard candidate.year == year, candidate.week == week else { return nil }
        self = candidate
    }

    /// Reads exactly the form `2026-W47`.
    public init?(text: String) {
        var text = text
        let parts: (Int, Int)? = text.withUTF8 { buffer in
            var digits = DigitReader(UnsafeRawBufferPointer(buffer))
            guard buffer.count == 8, let year = digits.read(width: 4), digits.skip(UInt8(ascii: "-")),
                digits.skip(UInt8(ascii: "W")), let week = digits.read(width: 2)
            else { return nil }
            return (year, week)
        }
        guard let parts else { return nil }
        self.init(year: parts.0, week: parts.1)
    }

    /// The week as `2026-W47`.
    public var text: String {
        String(unsafeUninitializedCapacity: 8) { buffer in
            var digits = DigitWriter(buffer)
            digits.append(year, width: 4)
            digits.append(UInt8(ascii: "-"))
            digits.append(UInt8(ascii: "W"))
            digits.append(week, width: 2)
            return digits.count
        }
    }

    /// The Monday of the week.
    public var startsOn: CalendarDay { Self.monday(year: year, week: week) }

    /// The week that many weeks later, or earlier for a negative number; within the supported years.
    public func adding(weeks: Int) -> ISOWeek {
        let (days, overflow) = weeks.multipliedReportingOverflow(by: 7)
        return startsOn.adding(days: overflow ? (weeks < 0 ? .min : .max) : days).isoWeek
    }

    private static func monday(year: Int, week: Int) -> CalendarDay {
        // 4 January always lies in the first week.
        let fourth = CalendarDay(uncheckedDaysSinceEpoch: CalendarDay.days(year: year, month: 1, day: 4))
        return fourth.startOfISOWeek.adding(days: 7 * (week - 1))
    }
}

extension ISOWeek: Comparable {
    public static func < (left: ISOWeek, right: ISOWeek) -> Bool {
        (left.year, left.week) < (right.year, right.week)
    }
}

extension ISOWeek: CustomStringConvertible {
    /// The week as `2026-W47`.
    public var description: String { text }
}
