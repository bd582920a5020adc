import SubGuardDomain
import Testing

@Suite struct ISOWeekTests {
    @Test(arguments: [
        ("2026-11-20", "2026-W47", "2026-11-16"), ("2024-12-30", "2025-W01", "2024-12-30"),
        ("2021-01-03", "2020-W53", "2020-12-28"),
        ("2020-12-31", "2020-W53", "2020-12-28"), ("2023-01-01", "2022-W52", "2022-12-26"),
        ("2024-02-29", "2024-W09", "2024-02-26"),
        ("0001-01-01", "0001-W01", "0001-01-01"), ("9999-12-31", "9999-W52", "9999-12-27"),
        ("1969-12-28", "1969-W52", "1969-12-22"),
    ])
    func namesTheWeekOfADay(_ day: String, _ text: String, _ startsOn: String) throws {
        let week = try #require(CalendarDay(iso: day)).isoWeek
        #expect(week.text == text)
        #expect(week.startsOn.iso == startsOn)
        #expect(ISOWeek(text: text) == week)
    }

    @Test(arguments: [
        "", "2026-47", "2026W47", "2026-w47", "2026-W4", "2026-W047", "2026-W00", "2026-W54", "2025-W53", "0000-W01",
        "2026-W47 ", "-026-W47",
    ])
    func refusesOtherTexts(_ text: String) {
        #expect(ISOWeek(text: text) == nil)
    }

    @Test func refusesWeeksThatAYearHasNot() {
        #expect(ISOWeek(year: 2020, week: 53) != nil)
        #expect(ISOWeek(year: 2021, week: 53) == nil)
        #expect(ISOWeek(year: 9999, week: 53) == nil)
        #expect(ISOWeek(year: 10_000, week: 1) == nil)
        #expect(ISOWeek(year: 2024, week: .max) == nil)
    }

    @Test func stepsOverNewYear() throws {
        let week = try #require(ISOWeek(text: "2020-W52"))
        #expect((0...3).map { week.adding(weeks: $0).text } == ["2020-W52", "2020-W53", "2021-W01", "2021-W02"])
        #expect(week.adding(weeks: -52).text == "2019-W52")
        #expect(week.adding(weeks: .max).text == "9999-W52")
        #expect(week < week.adding(weeks: 1))
        #expect(try #require(ISOWeek(text: "2021-W01")) > week)
    }
}
