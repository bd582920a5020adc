import Foundation
import SubGuardDomain
import SubGuardStatements
import Testing

@Suite struct RecurringChargesTests {
    private func day(_ iso: String) -> CalendarDay { CalendarDay(iso: iso) ?? .earliest }

    private func bookings(_ payee: String, _ charges: [(String, Int64)]) -> [StatementBooking] {
        charges.enumerated().map { place, charge in
            StatementBooking(
                on: day(charge.0), amount: Money(minorUnits: -charge.1, currency: .eur), payee: payee, row: place + 1)
        }
    }

    private func propose(_ bookings: [StatementBooking]) -> [StatementProposal] {
        RecurringCharges(bookings, catalogue: PayeeCatalogue([])).proposals()
    }

    @Test("The end of the month is the 31st, in short months too")
    func endOfMonth() throws {
        let found = propose(
            bookings(
                "VIDEO", [("2024-01-31", 999), ("2024-02-29", 999), ("2024-03-31", 999), ("2024-04-30", 999)]))
        let proposal = try #require(found.first)
        #expect(proposal.cycle == .monthly)
        #expect(proposal.confidence == .sure)
        #expect(proposal.schedule.next(onOrAfter: day("2024-05-01")) == day("2024-05-31"))
        #expect(proposal.charges.map { proposal.due($0) } == proposal.charges.map(\.on))
    }

    @Test("The 30th stays the 30th when a weekend moves it to the 31st")
    func thirtieth() throws {
        let days = ["2026-06-30", "2026-07-30", "2026-08-31", "2026-09-30", "2026-10-30"]
        let proposal = try #require(propose(bookings("VIDEO", days.map { ($0, 1234) })).first)
        #expect(proposal.schedule.next(onOrAfter: day("2026-11-01")) == day("2026-11-30"))
        #expect(proposal.schedule.next(onOrAfter: day("2026-12-01")) == day("2026-12-30"))
    }

    @Test("A rise is a dated price, one payment that differs is none, and weekends delay")
    func prices() throws {
        let found = propose(
            bookings(
                "VIDEO",
                [
                    ("2026-01-05", 999), ("2026-02-05", 999), ("2026-03-05", 1500), ("2026-04-06", 999),
                    ("2026-05-05", 999), ("2026-06-05", 1199), ("2026-07-06", 1199),
                ]))
        let proposal = try #require(found.first)
        #expect(found.count == 1)
        #expect(proposal.prices.map { "\($0.from) \($0.amount)" } == ["2026-01-05 9.99 EUR", "2026-06-05 11.99 EUR"])
        #expect(proposal.amount.decimal == "11.99")
        let subscription = try proposal.subscription(
            id: UUID(), today: day("2026-07-10"), now: UTCInstant(secondsSinceEpoch: 0))
        #expect(subscription.price(on: day("2026-06-04")).decimal == "9.99")
        #expect(subscription.price(on: day("2026-06-05")).decimal == "11.99")
        #expect(subscription.nextCharge(onOrAfter: day("2026-07-10")) == day("2026-08-05"))
    }

    @Test("Two subscriptions and purchases at one payee")
    func crowdedPayee() {
        let months = (1...9).map { "2026-0\($0)" }
        let cloud = bookings("APPLE.COM/BILL", months.map { ("\($0)-03", 299) })
        let music = bookings("APPLE.COM/BILL", months.map { ("\($0)-19", 1099) })
        let apps = bookings("APPLE.COM/BILL", [("2026-02-11", 499), ("2026-05-23", 199), ("2026-06-02", 899)])
        let found = propose(cloud + music + apps)
        #expect(Set(found.map(\.amount.decimal)) == ["2.99", "10.99"])
        #expect(Set(found.map(\.id)).count == 2)
    }

    @Test("Ended, yearly, four-weekly, refunded")
    func others() throws {
        let ended = bookings("OLD", (1...6).map { ("2025-0\($0)-10", 500) })
        let yearly = bookings("VPN", [("2024-08-01", 5988), ("2025-08-01", 5988)])
        let weeks = bookings("GYM", (0..<10).map { (day("2025-10-01").adding(days: 28 * $0).iso, 2299) })
        let back = [
            StatementBooking(
                on: day("2025-12-01"), amount: Money(minorUnits: 2299, currency: .eur), payee: "GYM", row: 99)
        ]
        let found = propose(ended + yearly + weeks + back)
        let byName = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0) })
        #expect(byName["Old"]?.endedOn == day("2025-07-10"))
        #expect(byName["Old"]?.confidence == .likely)
        #expect(byName["Vpn"]?.cycle == .yearly)
        #expect(byName["Vpn"]?.confidence == .unsure)
        #expect(byName["Gym"]?.cycle.wire == "every:4w")
        #expect(byName["Gym"]?.charges.count { $0.isRefunded } == 1)
    }

    @Test("Shopping is no subscription")
    func shopping() {
        let days = (0..<40).map { day("2026-01-02").adding(days: $0 * 5 + $0 % 3).iso }
        let shop = bookings("SUPERMARKET", days.enumerated().map { ($1, Int64(1500 + ($0 * 777) % 4000)) })
        #expect(propose(shop).isEmpty)
    }
}
