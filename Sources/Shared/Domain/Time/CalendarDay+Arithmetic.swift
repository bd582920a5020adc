extension CalendarDay {
    /// The day so many days later, or earlier when negative, held within the supported years.
    public func adding(days: Int) -> CalendarDay {
        let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
        guard !overflow else { return days < 0 ? .earliest : .latest }
        return CalendarDay(clampedDaysSinceEpoch: sum)
    }

    /// The day of the month that lies so many months later whose number is `anchorDay`, or the month's last day where
    /// it has no such day.
    ///
    /// Counting from an anchor keeps 31 January, 28 February, 31 March from wearing down to the 28th.
    ///
    /// - Parameters:
    ///   - months: may be negative. What leads out of the supported years ends at their first or last day.
    ///   - anchorDay: held within 1…31.
    public func adding(months: Int, anchorDay: Int) -> CalendarDay {
        let (year, month, _) = components
        let (index, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflow, index >= 12 else { return months < 0 ? .earliest : .latest }
        let (targetYear, targetMonth) = (index / 12, index % 12 + 1)
        guard targetYear <= 9999 else { return .latest }
        let day = min(max(anchorDay, 1), Self.daysIn(month: targetMonth, year: targetYear))
        return CalendarDay(uncheckedDaysSinceEpoch: Self.days(year: targetYear, month: targetMonth, day: day))
    }

    /// The same day of the month so many months later, or that month's last day.
    public func adding(months: Int) -> CalendarDay {
        adding(months: months, anchorDay: day)
    }

    /// Whole days from this day to the other; negative when that one is earlier.
    public func days(until other: CalendarDay) -> Int {
        other.daysSinceEpoch - daysSinceEpoch
    }

    /// The ISO 8601 week in which the day lies; its year may differ from the day's around New Year.
    public var isoWeek: ISOWeek { ISOWeek(containing: self) }

    /// The Monday on or before the day.
    public var startOfISOWeek: CalendarDay { adding(days: 1 - weekday) }
}
