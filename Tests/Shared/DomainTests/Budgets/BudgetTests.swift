import Foundation
import SubGuardDomain
import Testing

@Suite struct BudgetTests {
    private func range(_ begins: String, _ period: Budget.Period, _ day: String) throws -> String {
        let budget = Budget(
            id: UUID(), target: .all, limit: Money(minorUnits: 1, currency: .eur), period: period,
            begins: try Budget.Start(begins, period))
        let range = budget.range(around: try #require(CalendarDay(iso: day)))
        #expect(range.contains(try #require(CalendarDay(iso: day))))
        return "\(range.lowerBound)/\(range.upperBound)"
    }

    @Test(arguments: [
        ("", "2026-02-10", "2026-02-01/2026-02-28"), ("1", "2026-12-31", "2026-12-01/2026-12-31"),
        ("25", "2026-11-24", "2026-10-25/2026-11-24"), ("25", "2026-11-25", "2026-11-25/2026-12-24"),
        ("25", "2027-01-03", "2026-12-25/2027-01-24"),
        // Short months.
        ("31", "2027-02-28", "2027-02-28/2027-03-30"), ("31", "2027-02-27", "2027-01-31/2027-02-27"),
        ("31", "2027-04-30", "2027-04-30/2027-05-30"), ("30", "2028-02-29", "2028-02-29/2028-03-29"),
        ("29", "2027-03-01", "2027-02-28/2027-03-28"), ("29", "2028-03-01", "2028-02-29/2028-03-28"),
    ])
    func aMonthBeginsOnItsDay(_ begins: String, _ day: String, _ wanted: String) throws {
        #expect(try range(begins, .month, day) == wanted)
    }

    @Test(arguments: [
        ("", "2026-11-20", "2026-01-01/2026-12-31"), ("04-06", "2026-04-05", "2025-04-06/2026-04-05"),
        ("06/04", "2026-04-06", "2026-04-06/2027-04-05"), ("12-31", "2026-12-30", "2025-12-31/2026-12-30"),
        ("02-29", "2027-02-28", "2027-02-28/2028-02-28"), ("02-29", "2027-02-27", "2026-02-28/2027-02-27"),
        ("02-29", "2028-02-28", "2027-02-28/2028-02-28"), ("02-29", "2028-02-29", "2028-02-29/2029-02-27"),
    ])
    func aYearBeginsOnItsDay(_ begins: String, _ day: String, _ wanted: String) throws {
        #expect(try range(begins, .year, day) == wanted)
    }

    /// Every day is in one period, and each follows the one before.
    @Test(arguments: [("29", Budget.Period.month), ("31", .month), ("02-29", .year), ("12-31", .year)])
    func periodsHaveNoGaps(_ begins: String, _ period: Budget.Period) throws {
        let budget = Budget(
            id: UUID(), target: .all, limit: Money(minorUnits: 1, currency: .eur), period: period,
            begins: try Budget.Start(begins, period))
        var day = try #require(CalendarDay(iso: "2023-06-15"))
        var last = budget.range(around: day)
        for _ in 0..<2200 {
            day = day.adding(days: 1)
            let range = budget.range(around: day)
            #expect(
                range == last && range.contains(day)
                    || range.lowerBound == day && last.upperBound.adding(days: 1) == day)
            last = range
        }
    }

    @Test(arguments: [
        ("0", Budget.Period.month), ("32", .month), ("-1", .month), ("+5", .month), ("٢٥", .month), ("04-06", .month),
        (" 5", .month), ("25", .year), ("02-30", .year), ("13-01", .year), ("04-06-01", .year), ("30/02", .year),
        ("-", .year),
    ])
    func otherFirstDaysAreRefused(_ begins: String, _ period: Budget.Period) {
        let fault = #expect(throws: Fault.self) { try Budget.Start(begins, period) }
        #expect(fault?.pointer == "begins")
    }

    @Test func aFirstDayIsWrittenInOneForm() throws {
        #expect(try Budget.Start("01", .month).wire(.month).isEmpty && Budget.Start("01-01", .year).wire(.year).isEmpty)
        #expect(
            try Budget.Start("05", .month).wire(.month) == "5" && Budget.Start("29/02", .year).wire(.year) == "02-29")
    }
}
