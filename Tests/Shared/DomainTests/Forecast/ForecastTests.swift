import SubGuardDomain
import TestKit
import Testing

@Suite struct ForecastTests {
    @Test func coversThisMonthFromTodayAndTheNextOnes() throws {
        var forecast = Forecast(today: try SubscriptionFixture.day("2026-11-20"), months: 3)
        var subscription = try SubscriptionFixture.make()
        subscription.setPrice(1599, from: try SubscriptionFixture.day("2027-01-01"))
        forecast.add(subscription)
        #expect(forecast.rows.map(\.month.iso) == ["2026-11-01", "2026-12-01", "2027-01-01"])
        #expect(forecast.rows.map(\.amount.decimal) == ["13.49", "13.49", "15.99"])
    }

    /// The fast method for steady subscriptions must give the same sums as the general one.
    @Test func theQuickWayAgreesWithTheWholeOne() throws {
        var random = SeededRandom(seed: 4)
        let cycles = [
            "daily", "weekly", "biweekly", "monthly", "quarterly", "semi_annual", "yearly", "lifetime", "every:10d",
            "every:7m",
        ]
        for _ in 0..<2000 {
            let today = try #require(CalendarDay(daysSinceEpoch: Int.random(in: 15_000...25_000, using: &random)))
            let next = today.adding(days: Int.random(in: -500...500, using: &random))
            let wire = cycles[Int.random(in: cycles.indices, using: &random)]
            let subscription = try SubscriptionFixture.make([.cycle: wire, .nextBillingOn: next.iso], today: today.iso)
            let months = Int.random(in: 1...24, using: &random)
            var whole = Forecast(today: today, months: months)
            whole.add(subscription)
            var quick = Forecast(today: today, months: months)
            if let due = subscription.nextCharge(onOrAfter: today) {
                quick.add(steady: subscription.price, subscription.cycle.step, next: due)
            }
            let wanted = whole.rows.filter { $0.count > 0 }
            #expect(quick.rows.filter { $0.count > 0 } == wanted, "\(today) \(next) \(wire)")
        }
    }
}
