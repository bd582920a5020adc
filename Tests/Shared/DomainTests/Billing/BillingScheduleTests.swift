import SubGuardDomain
import TestKit
import Testing

@Suite struct BillingScheduleTests {
    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(iso: text)) }

    private func schedule(_ anchor: String, _ cycle: String) throws -> BillingSchedule {
        BillingSchedule(anchor: try day(anchor), cycle: try #require(BillingCycle(wire: cycle)))
    }

    private func days(_ schedule: BillingSchedule, _ count: Int) -> [String] {
        (0..<count).compactMap { schedule.day(at: $0)?.iso }
    }

    @Test func endOfMonthComesBackAfterShortMonths() throws {
        #expect(
            days(try schedule("2025-01-31", "monthly"), 4) == ["2025-01-31", "2025-02-28", "2025-03-31", "2025-04-30"])
    }

    @Test func leapDayComesBackInLeapYears() throws {
        #expect(
            days(try schedule("2024-02-29", "yearly"), 5)
                == ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"])
    }

    @Test func lifetimeIsChargedOnce() throws {
        let lifetime = try schedule("2026-03-01", "lifetime")
        #expect(lifetime.next(onOrAfter: try day("2020-01-01"))?.iso == "2026-03-01")
        #expect(lifetime.next(onOrAfter: try day("2026-03-02")) == nil)
        #expect(lifetime.last(before: try day("2030-01-01"))?.iso == "2026-03-01")
    }

    @Test func aPastDateKeepsItsDayOfTheMonth() throws {
        #expect(try schedule("2026-01-31", "monthly").next(onOrAfter: try day("2026-02-10"))?.iso == "2026-02-28")
        #expect(try schedule("2026-01-31", "monthly").next(onOrAfter: try day("2026-03-01"))?.iso == "2026-03-31")
    }

    @Test func endsWithTheLastSupportedYear() throws {
        let yearly = try schedule("9998-06-30", "yearly")
        #expect(days(yearly, 5) == ["9998-06-30", "9999-06-30"])
        #expect(yearly.next(onOrAfter: .latest) == nil)
        #expect(try schedule("9999-12-30", "every:999d").day(at: 1) == nil)
    }

    /// An independent formulation: add months to the anchor's month, then take the anchor's day or the last day of the
    /// month.
    private func naive(_ schedule: BillingSchedule, _ index: Int) -> CalendarDay? {
        switch schedule.cycle.step {
        case .once: return index == 0 ? schedule.anchor : nil
        case .days(let count):
            var day = schedule.anchor
            for _ in 0..<index { day = day.adding(days: count) }
            return day
        case .months(let count):
            var (year, month, number) = schedule.anchor.components
            for _ in 0..<index * count {
                month += 1
                if month == 13 { (year, month) = (year + 1, 1) }
            }
            return CalendarDay(year: year, month: month, day: min(number, CalendarDay.daysIn(month: month, year: year)))
        }
    }

    @Test func everyCycleAgreesWithCountingMonthByMonth() throws {
        var random = SeededRandom(seed: 1)
        let cycles =
            BillingCycle.named
            + ["every:10d", "every:3w", "every:18m", "every:2y", "every:7m"].compactMap { BillingCycle(wire: $0) }
        for _ in 0..<3000 {
            let anchor = try #require(CalendarDay(daysSinceEpoch: Int.random(in: 0...30_000, using: &random)))
            let cycle = cycles[Int.random(in: cycles.indices, using: &random)]
            let schedule = BillingSchedule(anchor: anchor, cycle: cycle)
            let index = Int.random(in: 0...40, using: &random)
            #expect(schedule.day(at: index) == naive(schedule, index), "\(anchor) \(cycle) \(index)")
            let probe = anchor.adding(days: Int.random(in: -400...4000, using: &random))
            if let next = schedule.next(onOrAfter: probe), let found = schedule.index(onOrAfter: probe) {
                #expect(next >= probe)
                if found > 0, let before = schedule.day(at: found - 1) { #expect(before < probe) }
            } else {
                #expect(cycle == .lifetime && probe > anchor)
            }
        }
    }
}
