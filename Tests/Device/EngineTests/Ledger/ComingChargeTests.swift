import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Lists, totals, forecasts, budgets and last days to cancel agree about what is charged when.
@Suite struct ComingChargeTests {
    private func summary(_ id: UUID, _ fixture: EngineFixture) throws -> SubscriptionSummary {
        let listed = try #require(try fixture.store.subscriptions.list(at: fixture.moment).first { $0.id == id })
        #expect(try fixture.store.subscriptions.summary(id, at: fixture.moment) == listed)
        return listed
    }

    private func forecast(_ fixture: EngineFixture) throws -> [String] {
        try fixture.store.totals.forecast(months: 3, at: fixture.moment).filter { $0.count > 0 }.map(\.amount.decimal)
    }

    @Test func deletingABundleChargesItsPartsAgain() throws {
        let fixture = try EngineFixture()
        let bundle = try fixture.add("Bundle")
        let part = try fixture.add("Part", [.bundledIn: bundle.lowercased, .nextBillingOn: "2026-11-22"])
        #expect(try fixture.store.ledger.pending(at: fixture.moment).map(\.name) == ["Bundle"])
        try fixture.store.subscriptions.delete(bundle, at: fixture.moment)
        #expect(try fixture.store.ledger.pending(at: fixture.moment).map(\.name) == ["Part"])
        #expect(try fixture.store.totals.costs(at: fixture.moment).map(\.count) == [1])
        #expect(try forecast(fixture) == ["13.49", "13.49", "13.49"])
        #expect(try fixture.store.ledger.widget(.small, at: fixture.moment).entries[0].payments.map(\.name) == ["Part"])
        #expect(try summary(part, fixture).nextBillingOn?.iso == "2026-11-22")
    }

    @Test func aBundleChangesNothingOfThePast() throws {
        let fixture = try EngineFixture()
        let (bundle, part) = (try fixture.add("Bundle"), try fixture.add("Part", [.amount: "5"]))
        let spent = { try fixture.store.totals.spending(of: part, at: fixture.moment).map(\.decimal) }
        try fixture.go(to: "2027-01-01")
        try fixture.store.subscriptions.edit(part, [.bundledIn: bundle.lowercased], at: fixture.moment)
        #expect(try spent() == ["10.00"])
        try fixture.go(to: "2027-06-01")
        #expect(try spent() == ["10.00"])
        try fixture.store.subscriptions.delete(bundle, at: fixture.moment)
        #expect(try spent() == ["10.00"])
        try fixture.go(to: "2027-07-01")
        #expect(try spent() == ["15.00"])
    }

    @Test func aMistypedCancellationCanBeCorrected() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        try fixture.go(to: "2027-11-20")
        let spending = { try fixture.store.totals.spending(at: fixture.moment).map(\.decimal) }
        #expect(try spending() == ["161.88"])
        let cancel = { (day: String) in
            _ = try fixture.store.subscriptions.setState(id, .cancelled, from: fixture.day(day), at: fixture.moment)
        }
        try cancel("2027-02-20")
        #expect(try spending() == ["40.47"])
        try cancel("2027-11-20")
        #expect(try spending() == ["161.88"])
        try cancel("2027-02-20")
        try fixture.store.subscriptions.setState(id, .active, from: fixture.day("2027-02-20"), at: fixture.moment)
        #expect(try spending() == ["161.88"])
    }

    @Test func anEditedAmountKeepsChargesOfAnEarlierSchedule() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add("x", [.amount: "10"])
        try fixture.go(to: "2027-02-01")
        try fixture.store.subscriptions.edit(id, [.nextBillingOn: "2027-02-10"], at: fixture.moment)
        try fixture.store.subscriptions.edit(id, [.amount: "12"], at: fixture.moment)
        #expect(try fixture.store.totals.spending(at: fixture.moment).map(\.decimal) == ["30.00"])
        #expect(try summary(id, fixture).amount.decimal == "12.00")
    }

    @Test func anotherCurrencyKeepsChargesOfThePast() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add("x", [.amount: "10"])
        try fixture.go(to: "2026-12-01")
        try fixture.store.subscriptions.setPrice(id, "11", from: fixture.day("2027-02-01"), at: fixture.moment)
        try fixture.store.subscriptions.edit(id, [.currency: "USD"], at: fixture.moment)
        try fixture.go(to: "2027-03-01")
        let spent = try fixture.store.totals.spending(at: fixture.moment).map(\.description)
        #expect(spent == ["10.00 EUR", "31.00 USD"])
        let history = try fixture.store.ledger.history(id, at: fixture.moment).map(\.amount.description)
        #expect(history == ["11.00 USD", "10.00 USD", "10.00 USD", "10.00 EUR"])
        #expect(
            try fixture.store.ledger.missed(at: fixture.moment).map(\.amount.description) == history)
        // An export brings the currencies along.
        let copy = try EngineFixture("2027-03-01", seed: 2)
        let text = try fixture.store.portability.export(.json, at: fixture.moment)
        _ = try copy.store.portability.importFile(Array(text.utf8), ImportOptions(format: .json), at: copy.moment)
        #expect(try copy.store.ledger.history(id, at: copy.moment).map(\.amount.description) == history)
    }

    @Test func aTrialShowsItsFirstCharge() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add("x", [.cycle: "weekly", .nextBillingOn: "2026-11-25", .trialEndsOn: "2026-12-12"])
        #expect(try summary(id, fixture).nextBillingOn?.iso == "2026-12-16")
        #expect(try fixture.store.totals.cancelBy(at: fixture.moment).map(\.cancelBy.avoids.iso) == ["2026-12-16"])
        #expect(
            try fixture.store.ledger.occurrences(
                from: fixture.moment.today, through: fixture.day("2026-12-20"), at: fixture.moment
            ).map(\.billingOn.iso) == ["2026-12-16"])
    }

    @Test func aPlannedCancellationIsShownAndCostsNothingAfterTheLastCharge() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        try fixture.store.subscriptions.setState(
            id, .cancelled, from: fixture.day("2026-12-15"), at: fixture.moment)
        let planned = try summary(id, fixture)
        #expect(planned.status == .active && planned.cancelsOn?.iso == "2026-12-15")
        #expect(planned.nextBillingOn?.iso == "2026-11-25" && planned.annualAmount.decimal == "161.88")
        #expect(try fixture.store.totals.costs(at: fixture.moment).map(\.count) == [1])
        try fixture.go(to: "2026-11-26")
        let last = try summary(id, fixture)
        #expect(last.status == .active && last.nextBillingOn == nil && last.annualAmount.minorUnits == 0)
        #expect(try fixture.store.totals.costs(at: fixture.moment).isEmpty)
        try fixture.go(to: "2026-12-15")
        #expect(try summary(id, fixture).status == .cancelled && summary(id, fixture).cancelsOn == nil)
        // Paused before: it is not charged again either.
        let paused = try fixture.add("y", [.nextBillingOn: "2026-12-25"])
        try fixture.store.subscriptions.setState(
            paused, .cancelled, from: fixture.day("2026-12-20"), at: fixture.moment)
        try fixture.store.subscriptions.setState(paused, .paused, from: fixture.moment.today, at: fixture.moment)
        #expect(try summary(paused, fixture).nextBillingOn == nil)
    }

    @Test func skippedAndPaidChargesCountEverywhere() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        let (ledger, moment) = (fixture.store.ledger, fixture.moment)
        try fixture.store.budgets.set(category: nil, amount: "50", currency: "EUR", period: .month, at: moment)
        let expected = { try fixture.store.budgets.list(at: moment)[0].expected.decimal }
        let cancelBy = { try fixture.store.totals.cancelBy(at: moment).map(\.cancelBy.avoids.iso) }
        try ledger.recordPaid(fixture.occurrence(id, "2026-11-25"), amount: "12", at: moment)
        #expect(try forecast(fixture) == ["12.00", "13.49", "13.49"])
        #expect(try expected() == "12.00")
        #expect(try cancelBy() == ["2026-12-25"])
        #expect(try summary(id, fixture).nextBillingOn?.iso == "2026-11-25")
        try ledger.skip(fixture.occurrence(id, "2026-11-25"), at: moment)
        #expect(try forecast(fixture) == ["13.49", "13.49"])
        #expect(try expected() == "0.00")
        #expect(try cancelBy() == ["2026-12-25"])
        #expect(try summary(id, fixture).nextBillingOn?.iso == "2026-12-25")
        #expect(try fixture.store.reminders.list(at: moment).map(\.occurrence.billingOn.iso) == ["2026-12-25"])
        let shown = try ledger.occurrences(from: moment.today, through: fixture.day("2026-12-31"), at: moment)
        #expect(shown.map(\.status) == [.skipped, .expected])
        try ledger.confirm(fixture.occurrence(id, "2026-11-25"), at: moment)
        #expect(try summary(id, fixture).nextBillingOn?.iso == "2026-11-25")
    }

    @Test func skippingWhatWasPaidKeepsTheAmount() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        let charge = try fixture.occurrence(id, "2026-11-25")
        try fixture.go(to: "2026-11-26")
        try fixture.store.ledger.recordPaid(charge, amount: "12.34", at: fixture.moment)
        try fixture.store.ledger.skip(charge, at: fixture.moment)
        #expect(try fixture.store.totals.spending(at: fixture.moment).isEmpty)
        #expect(try fixture.store.ledger.confirm(charge, at: fixture.moment).amount.decimal == "12.34")
        #expect(try fixture.store.totals.spending(at: fixture.moment).map(\.decimal) == ["12.34"])
    }

    @Test func whatIsIncludedOverlapsWithNothing() throws {
        let fixture = try EngineFixture()
        let bundle = try fixture.add("Bundle")
        try fixture.add("Disney")
        try fixture.add("Disney", [.bundledIn: bundle.lowercased])
        #expect(try fixture.store.totals.overlaps(at: fixture.moment).isEmpty)
    }

    @Test func aDeletedPersonLeavesTheOthersTheirParts() throws {
        let fixture = try EngineFixture()
        let people = ["Ana", "Ben"].map {
            Person(id: fixture.store.makeID(fixture.moment), name: $0, createdAt: fixture.moment.now)
        }
        for person in people { try fixture.store.sharing.save(person, at: fixture.moment) }
        let id = try fixture.add("x", [.amount: "12"])
        let split = Split(kind: .even, people: people.map(\.id))
        try fixture.store.sharing.setSplit(split, of: id, at: fixture.moment)
        let departed = try fixture.store.sharing.deletePerson(people[0].id, isForced: true, at: fixture.moment)
        #expect(departed.parts.map(\.amount.decimal) == ["4.00"] && departed.parts.map(\.name) == ["x"])
        let share = try #require(try fixture.store.sharing.share(of: id))
        let parts = try share.parts(of: Money(minorUnits: 1200, currency: .eur)).others
        #expect(parts.last == PersonAmount(personID: people[1].id, minorUnits: 400))
    }
}
