import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct TotalsTests {
    @Test func sumsByCurrencyScopeAndCategory() throws {
        var totals = CostTotals()
        totals.add(Money(minorUnits: 1349, currency: .eur), .monthly, .personal, try SubscriptionCategory("Streaming"))
        totals.add(Money(minorUnits: 1000, currency: .eur), .weekly, .pro, .other)
        totals.add(Money(minorUnits: 500, currency: .jpy), .lifetime, .personal, try SubscriptionCategory("Jeux"))
        let rows = totals.rows
        #expect(rows.map(\.currency.code) == ["EUR", "JPY"])
        #expect(rows[0].annual.decimal == "681.88" && rows[0].monthly.decimal == "56.82")
        #expect(rows[0].scopes.map(\.scope) == [.pro, .personal])
        #expect(rows[0].scopes.map(\.annual.decimal) == ["520.00", "161.88"])
        #expect(rows[1].scopes.map(\.count) == [0, 1])
        #expect(rows[0].categories.map(\.category.wire) == ["streaming", "other"])
        #expect(rows[0].categories.map(\.annual.decimal) == ["161.88", "520.00"])
        #expect(rows[1].categories.map(\.category.wire) == ["Jeux"])
        #expect(rows[1].annual.decimal == "0")
    }

    @Test func cancellingSavesWhatWouldHaveBeenCharged() throws {
        var subscription = try SubscriptionFixture.make()
        #expect(subscription.saving(today: try SubscriptionFixture.day("2027-03-01")) == nil)
        subscription.setPrice(2000, from: try SubscriptionFixture.day("2027-01-01"))
        subscription.setState(.cancelled, from: try SubscriptionFixture.day("2026-12-01"))
        let saving = try #require(subscription.saving(today: try SubscriptionFixture.day("2027-02-25")))
        #expect(saving.amount.decimal == "53.49")
        var cheaper = try SubscriptionFixture.make([.amount: "5"])
        cheaper.id = UUID(uuid: (9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9))
        let (first, last) = (saving.cancelledOn, try SubscriptionFixture.day("2027-02-25"))
        let net = subscription.saving(today: last, costs: cheaper.charged(from: first, through: last))
        #expect(net?.amount.decimal == "38.49")
        // What was charged all the same was not saved.
        let settled: Set = [try SubscriptionFixture.day("2027-01-25")]
        #expect(subscription.saving(today: last, settled: settled)?.amount.decimal == "33.49")
        #expect(subscription.saving(today: last, settled: settled)?.avoided.map(\.iso) == ["2026-12-25", "2027-02-25"])
    }

    @Test func findsDuplicatesAndLookAlikes() {
        let id = { (number: UInt8) in UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)) }
        let names = [
            "Spotify", "Spotify Family", "Nétflix", "netflix", "Canal+", "Assurance auto", "Assurance habitation",
        ]
        let overlaps = Overlap.find(
            among: names.enumerated().map {
                Overlap.Candidate(id: id(UInt8($0)), name: $1, catalogueItemID: nil)
            })
        #expect(overlaps.map(\.kind) == [.duplicate, .similar])
        #expect(Set(overlaps[0].subscriptionIDs) == [id(2), id(3)])
        #expect(Set(overlaps[1].subscriptionIDs) == [id(0), id(1)])
    }

    @Test func noSubscriptionOverlapsTwice() {
        let id = { (number: UInt8) in UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)) }
        let item = id(99)
        // Two with the same item of the catalogue, a third with the same name only, a fourth that looks alike.
        let some = [("Spotify", item), ("Spotify", item), ("Spotify", nil), ("Spotify Family", nil)]
        let candidates = some.enumerated().map {
            Overlap.Candidate(id: id(UInt8($0)), name: $1.0, catalogueItemID: $1.1)
        }
        let three = Overlap.find(among: Array(candidates.prefix(3)))
        #expect(three.map(\.kind) == [.duplicate] && three.map(\.subscriptionIDs.count) == [3])
        let four = Overlap.find(among: candidates)
        #expect(four.map(\.kind) == [.similar] && Set(four.flatMap(\.subscriptionIDs)).count == 4)
    }

    @Test func budgetsKnowTheirPeriod() throws {
        let budget = Budget(
            id: SubscriptionFixture.id, target: .all, limit: Money(minorUnits: 5000, currency: .eur), period: .month)
        let february = budget.range(around: try SubscriptionFixture.day("2024-02-29"))
        #expect(february.lowerBound.iso == "2024-02-01" && february.upperBound.iso == "2024-02-29")
        var yearly = budget
        yearly.period = .year
        #expect(yearly.range(around: try SubscriptionFixture.day("2026-12-31")).upperBound.iso == "2026-12-31")
        let standing = { (spent: Int64, expected: Int64) in
            BudgetStatus(
                budget: budget, spent: Money(minorUnits: spent, currency: .eur),
                expected: Money(minorUnits: expected, currency: .eur)
            ).state
        }
        #expect(standing(5000, 0) == .within && standing(3000, 2001) == .atRisk && standing(5001, 0) == .exceeded)
    }
}
