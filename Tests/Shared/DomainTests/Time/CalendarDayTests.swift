import SubGuardDomain
import Testing

@Suite struct CalendarDayTests {
    /// The first and the last 400 years and those around today; each starts with a Monday, as 2001 did.
    @Test(arguments: [(1, -719_162), (1601, -134_774), (2001, 11_323), (9601, 2_787_166)])
    func agreesWithCountingDayByDay(_ firstYear: Int, _ firstDay: Int) {
        var naive = NaiveCalendar(mondayYear: firstYear)
        var failures = 0
        var days = firstDay
        while naive.year < firstYear + 400, naive.year <= 9999 {
            let day = CalendarDay(daysSinceEpoch: days)
            let isRight =
                day?.year == naive.year && day?.month == naive.month && day?.day == naive.day
                && day?.weekday == naive.weekday && day?.isoWeek.year == naive.isoYear
                && day?.isoWeek.week == naive.isoWeek
                && day == CalendarDay(year: naive.year, month: naive.month, day: naive.day)
            if !isRight {
                failures += 1
                if failures < 5 { Issue.record("\(naive.text) is not day \(days)") }
            }
            if naive.day % 10 == 9, day?.iso != naive.text || CalendarDay(iso: naive.text) != day { failures += 1 }
            naive.advance()
            days += 1
        }
        #expect(failures == 0)
    }

    @Test func knowsTheEpochAndTheBounds() throws {
        #expect(CalendarDay(daysSinceEpoch: 0)?.iso == "1970-01-01")
        #expect(CalendarDay(daysSinceEpoch: -1)?.iso == "1969-12-31")
        #expect(CalendarDay.earliest.iso == "0001-01-01")
        #expect(CalendarDay.latest.iso == "9999-12-31")
        #expect(CalendarDay(daysSinceEpoch: CalendarDay.earliest.daysSinceEpoch - 1) == nil)
        #expect(CalendarDay(daysSinceEpoch: CalendarDay.latest.daysSinceEpoch + 1) == nil)
        #expect(CalendarDay(daysSinceEpoch: .max) == nil)
        #expect(CalendarDay(daysSinceEpoch: .min) == nil)
    }

    @Test(arguments: [
        (2023, 2, 29), (2100, 2, 29), (1900, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1),
        (2024, 1, 0), (2024, 1, 32),
        (2024, -1, 1), (0, 1, 1), (10000, 1, 1), (.max, .max, .max), (.min, .min, .min),
    ])
    func refusesDaysThatDoNotExist(_ year: Int, _ month: Int, _ day: Int) {
        #expect(CalendarDay(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "1970-01-01", "2026-11-20"])
    func readsAndWritesISO(_ text: String) throws {
        let day = try #require(CalendarDay(iso: text))
        #expect(day.iso == text)
        #expect(day.description == text)
    }

    @Test(arguments: [
        "", "2024-2-29", "2024-02-9", "24-02-29", "20240229", "2024/02/29", "2024-02-29 ", " 2024-02-29", "2024-02-29T",
        "2024-02-30", "+2024-02-2",
        "-024-02-29", "2024-02-2９", "２０２４-02-29", "2024‐02‐29", "0000-01-01", "2024-W09-4", "2024-060", "12024-02-29",
        "2024-02-29\u{0}",
    ])
    func refusesOtherForms(_ text: String) {
        #expect(CalendarDay(iso: text) == nil)
    }

    @Test func addsDays() throws {
        let day = try #require(CalendarDay(iso: "2024-02-28"))
        #expect(day.adding(days: 1).iso == "2024-02-29")
        #expect(day.adding(days: 2).iso == "2024-03-01")
        #expect(day.adding(days: -59).iso == "2023-12-31")
        #expect(day.days(until: day.adding(days: 1000)) == 1000)
        #expect(day.adding(days: .max) == .latest)
        #expect(day.adding(days: .min) == .earliest)
        #expect(CalendarDay.earliest.adding(days: -1) == .earliest)
    }

    @Test(arguments: [
        ("2024-01-31", 1, 31, "2024-02-29"), ("2023-01-31", 1, 31, "2023-02-28"), ("2023-02-28", 1, 31, "2023-03-31"),
        ("2024-02-29", 12, 29, "2025-02-28"),
        ("2025-02-28", 36, 29, "2028-02-29"), ("2024-12-15", 1, 15, "2025-01-15"), ("2024-01-15", -1, 15, "2023-12-15"),
        ("2024-03-31", -1, 31, "2024-02-29"),
        ("2024-01-30", 13, 30, "2025-02-28"), ("2024-05-10", 0, 31, "2024-05-31"), ("2024-05-10", 1, 99, "2024-06-30"),
        ("2024-05-10", 1, -4, "2024-06-01"),
        ("9999-12-31", 1, 31, "9999-12-31"), ("0001-01-01", -1, 1, "0001-01-01"), ("2024-05-10", .max, 1, "9999-12-31"),
        ("2024-05-10", .min, 1, "0001-01-01"),
    ])
    func addsMonthsFromTheAnchor(_ from: String, _ months: Int, _ anchorDay: Int, _ expected: String) throws {
        let day = try #require(CalendarDay(iso: from))
        #expect(day.adding(months: months, anchorDay: anchorDay).iso == expected)
    }

    @Test func neverWearsDownTheAnchor() throws {
        let anchor = try #require(CalendarDay(iso: "2023-10-31"))
        let days = (1...5).map { anchor.adding(months: $0).iso }
        #expect(days == ["2023-11-30", "2023-12-31", "2024-01-31", "2024-02-29", "2024-03-31"])
    }

    @Test func findsTheMondayOfAnyDay() throws {
        for offset in 0..<7 {
            let day = try #require(CalendarDay(iso: "2024-12-30")).adding(days: offset)
            #expect(day.startOfISOWeek.iso == "2024-12-30")
        }
        #expect(CalendarDay.earliest.startOfISOWeek == .earliest)
        #expect(CalendarDay.latest.startOfISOWeek.iso == "9999-12-27")
    }

    @Test func sortsByTime() throws {
        let days = ["2024-02-29", "0001-01-01", "1969-12-31", "9999-12-31", "1970-01-01"].compactMap {
            CalendarDay(iso: $0)
        }
        #expect(days.sorted().map(\.iso) == ["0001-01-01", "1969-12-31", "1970-01-01", "2024-02-29", "9999-12-31"])
    }
}
