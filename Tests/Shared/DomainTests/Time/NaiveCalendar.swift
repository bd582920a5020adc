/// A calendar that counts day by day from a known Monday, using only the common rules.
///
/// It shares no formula with `CalendarDay`, for which it is the reference.
struct NaiveCalendar {
    private(set) var year: Int
    private(set) var month = 1
    private(set) var day = 1
    private(set) var weekday: Int
    private(set) var isoYear: Int
    private(set) var isoWeek: Int

    /// 1 January of a year in which that day is a Monday and therefore begins the first week.
    init(mondayYear year: Int) {
        self.year = year
        weekday = 1
        isoYear = year
        isoWeek = 1
    }

    static func monthLengths(_ year: Int) -> [Int] {
        let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    }

    mutating func advance() {
        day += 1
        if day > Self.monthLengths(year)[month - 1] {
            day = 1
            month += 1
        }
        if month > 12 {
            month = 1
            year += 1
        }
        weekday = weekday % 7 + 1
        guard weekday == 1 else { return }
        // A week belongs to the new year when four of its days do: when this Monday is 29 December or later.
        if month == 12 && day >= 29 {
            isoYear = year + 1
            isoWeek = 1
        } else if month == 1 && day <= 4 {
            isoYear = year
            isoWeek = 1
        } else {
            isoWeek += 1
        }
    }

    var text: String {
        func padded(_ value: Int, _ width: Int) -> String {
            String(repeating: "0", count: width - String(value).count) + String(value)
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
