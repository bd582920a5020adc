import Foundation
import SubGuardDomain
import SubGuardStatements
import Testing

/// Charges that hide a subscription: doubled, extra and refunded ones, and other contracts of the payee.
@Suite struct SetAsideTests {
    private func day(_ iso: String) -> CalendarDay { CalendarDay(iso: iso) ?? .earliest }

    private func bookings(
        _ charges: [(String, Int64)], _ payee: String = "VIDEO CLUB", note: String = ""
    ) -> [StatementBooking] {
        charges.enumerated().map { place, charge in
            StatementBooking(
                on: day(charge.0), amount: Money(minorUnits: -charge.1, currency: .eur), payee: payee, note: note,
                row: place + 1)
        }
    }

    private func months(_ count: Int, day: Int = 5, _ units: Int64 = 999) -> [(String, Int64)] {
        let first = self.day("2026-01-01").adding(days: day - 1)
        return (0..<count).map { (first.adding(months: $0, anchorDay: day).iso, units) }
    }

    private func propose(_ bookings: [StatementBooking]) -> [StatementProposal] {
        RecurringCharges(bookings, catalogue: PayeeCatalogue([])).proposals()
    }

    @Test("A charge doubled on the same day, the next one or three days later is set aside", arguments: [0, 1, 3])
    func doubled(later: Int) throws {
        for count in 3...8 {
            let on = day("2026-02-05").adding(days: later)
            let found = propose(bookings(months(count) + [(on.iso, 999)]))
            let proposal = try #require(found.first)
            #expect(found.count == 1)
            #expect(proposal.cycle == .monthly && proposal.charges.count == count, "\(count)")
            #expect(
                proposal.setAside == [StatementSetAside(StatementCharge(on: on, amount: proposal.amount), .doubled)])
            #expect(proposal.why.contains { $0.text == "It was charged twice: 9.99 EUR again on \(on.iso)." })
        }
    }

    @Test("Of a doubled charge that came back, the other one stays")
    func doubledAndRefunded() throws {
        let back = StatementBooking(
            on: day("2026-03-09"), amount: Money(minorUnits: 999, currency: .eur), payee: "VIDEO CLUB", row: 90)
        let proposal = try #require(propose(bookings(months(5) + [("2026-03-06", 999)]) + [back]).first)
        #expect(proposal.charges.count == 5)
        #expect(!proposal.charges.contains { $0.isRefunded })
        #expect(proposal.setAside.map(\.reason) == [.doubled])
        #expect(proposal.setAside.first?.charge.isRefunded == true)
    }

    @Test("A refunded charge stays where it was and is named")
    func refunded() throws {
        let back = StatementBooking(
            on: day("2026-03-09"), amount: Money(minorUnits: 999, currency: .eur), payee: "VIDEO CLUB", row: 90)
        let proposal = try #require(propose(bookings(months(5)) + [back]).first)
        #expect(proposal.charges.count == 5)
        #expect(proposal.setAside.map(\.reason) == [.refunded])
    }

    @Test("One extra charge of another amount, on a day between or on the very day")
    func extra() throws {
        for other in ["2026-03-18", "2026-03-05"] {
            let found = propose(bookings(months(6) + [(other, 4990)]))
            let proposal = try #require(found.first)
            #expect(found.count == 1)
            #expect(proposal.charges.count == 6)
            #expect(proposal.charges.allSatisfy { $0.amount.decimal == "9.99" })
            #expect(proposal.confidence == .sure)
            #expect(proposal.setAside.map(\.reason) == [.extra])
        }
    }

    @Test("Two contracts at one price, 0, 1, 3 and 12 days apart", arguments: [0, 1, 3, 12])
    func contractsAtOnePrice(apart: Int) {
        let found = propose(bookings(months(8) + months(8, day: 5 + apart)))
        #expect(found.map(\.charges.count) == [8, 8])
        #expect(found.allSatisfy { $0.cycle == .monthly && $0.setAside.isEmpty })
        #expect(Set(found.map(\.id)).count == 2)
        #expect(Set(found.map(\.origin)).count == (apart == 0 ? 1 : 2))
    }

    @Test("Two contracts whose bills vary, on the same day and days apart", arguments: [0, 1, 3, 12])
    func contractsThatVary(apart: Int) {
        let power = months(8).enumerated().map { ($1.0, 8_000 + Int64($0 * 131 % 900)) }
        let gas = months(8, day: 5 + apart).enumerated().map { ($1.0, 3_100 + Int64($0 * 77 % 300)) }
        let found = propose(bookings(power + gas, "STADTWERKE", note: "LASTSCHRIFT"))
        #expect(found.map(\.charges.count) == [8, 8])
        #expect(found.allSatisfy { $0.cycle == .monthly && $0.isVariable })
    }

    @Test("A price that rises in two contracts of the same day")
    func contractsThatRise() {
        let first = months(4) + months(9, 1099).suffix(5)
        let second = months(5, 1599) + months(9, 1699).suffix(4)
        let found = propose(bookings(first + second))
        #expect(found.map(\.charges.count) == [9, 9])
        #expect(Set(found.map(\.amount.decimal)) == ["10.99", "16.99"])
    }

    @Test("A weekly payment that holidays delay")
    func lateWeekly() throws {
        let delays = [0, 0, 2, 0, 3, 0, 0, 2, 0, 0, 3, 0]
        let charges = delays.enumerated().map { (day("2026-01-05").adding(days: $0 * 7 + $1).iso, Int64(2490)) }
        let proposal = try #require(propose(bookings(charges)).first)
        #expect(proposal.cycle == .weekly)
        #expect(proposal.charges.count == delays.count)
    }

    @Test("Three services by PayPal are three, and without names two that amounts tell apart, never sure")
    func payPal() {
        let names = ["SPOTIFY", "NETFLIX", "DEEZER"]
        let named = names.enumerated().flatMap { place, name in
            bookings(
                months(6, day: 4 + place, 999), "PayPal Europe S.a.r.l. et Cie S.C.A",
                note: "FOLGELASTSCHRIFT 10407/PP.12.PP/. \(name), Ihr Einkauf bei \(name)")
        }
        #expect(Set(propose(named).map(\.name)) == ["Spotify", "Netflix", "Deezer"])
        let silent = bookings(
            months(6) + months(6, day: 20, 1299), "PayPal Europe S.a.r.l. et Cie S.C.A", note: "FOLGELASTSCHRIFT")
        let found = propose(silent)
        #expect(Set(found.map(\.name)) == ["PayPal 9.99", "PayPal 12.99"])
        #expect(found.allSatisfy { $0.confidence == .likely })
    }

    @Test("An exchange that pays for a charge is no charge, whatever language it is in")
    func exchange() {
        for said in ["General Currency Conversion", "Conversion de devise standard", "Ceníky"] {
            var rows: [StatementBooking] = []
            for (place, charge) in months(6).enumerated() {
                let entries: [(String, Int64, Currency)] = [
                    ("Figma", -1500, .usd), (said, -1388 - Int64(place), .eur), (said, 1500, .usd),
                ]
                for (name, units, currency) in entries {
                    rows.append(
                        StatementBooking(
                            on: day(charge.0), amount: Money(minorUnits: units, currency: currency), payee: name,
                            row: rows.count + 2))
                }
            }
            let found = propose(rows)
            #expect(found.map(\.name) == ["Figma"])
            #expect(found.first?.charges.count == 6)
            #expect(found.first?.charges.contains { $0.isRefunded } == false)
            #expect(propose(rows.reversed()) == found)
        }
    }
}
