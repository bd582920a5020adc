import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct LedgerStoreTests {
    @Test func passedDaysAreMissedUntilConfirmedLate() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        #expect(try fixture.store.ledger.score(at: fixture.moment).percentText == nil)
        let first = try fixture.occurrence(id, "2026-11-25")
        #expect(try fixture.store.ledger.confirm(first, at: fixture.moment).status == .confirmed)
        #expect(try fixture.store.ledger.confirm(first, at: fixture.moment).status == .confirmed)
        try fixture.go(to: "2027-02-01")
        #expect(
            try fixture.store.ledger.missed(at: fixture.moment).map(\.billingOn.iso) == ["2027-01-25", "2026-12-25"])
        #expect(try fixture.store.ledger.score(at: fixture.moment).percentText == "33.3")
        let late = try fixture.store.ledger.confirm(fixture.occurrence(id, "2026-12-25"), at: fixture.moment)
        #expect(late.status == .late)
        #expect(try fixture.store.ledger.score(at: fixture.moment).percentText == "50.0")
        try fixture.store.ledger.skip(fixture.occurrence(id, "2027-01-25"), at: fixture.moment)
        let score = try fixture.store.ledger.score(at: fixture.moment)
        #expect(score == ControlScore(confirmed: 1, late: 1, missed: 0, skipped: 1))
        let months = try fixture.store.ledger.scoreByMonth(4, at: fixture.moment)
        #expect(months.count == 4 && months.map(\.month.day) == [1, 1, 1, 1])
        #expect(months.reduce(0) { $0 + $1.score.due } == 2 && months.reduce(0) { $0 + $1.score.skipped } == 1)
        #expect(months.last?.month.iso.prefix(7) == fixture.moment.today.iso.prefix(7))
        #expect(score.percentText == "75.0")
    }

    @Test func aPartIsTheBeginningOfTheWhole() throws {
        let fixture = try EngineFixture()
        let ids = try (1...3).map { try fixture.add("Été \($0)") }
        try fixture.go(to: "2027-03-01")
        let ledger = fixture.store.ledger
        let all = try ledger.missed(at: fixture.moment)
        #expect(try all.count == 12 && ledger.missedCount(at: fixture.moment) == 12)
        for limit in [0, 1, 4, 5, 12, 100] {
            #expect(try ledger.missed(limit: limit, at: fixture.moment) == Array(all.prefix(limit)), "\(limit)")
        }
        // Of one subscription: without what was skipped, with what was paid ahead.
        try ledger.skip(fixture.occurrence(ids[0], "2027-03-25"), at: fixture.moment)
        try ledger.recordPaid(fixture.occurrence(ids[0], "2027-04-25"), amount: "12.34", at: fixture.moment)
        let last = try fixture.day("2027-06-30")
        let coming = try ledger.coming(of: ids[0], through: last, at: fixture.moment)
        let range = try ledger.occurrences(from: fixture.moment.today, through: last, at: fixture.moment)
        #expect(coming == range.filter { $0.id.subscriptionID == ids[0] && $0.fate != .skipped })
        #expect(coming.map(\.amount.decimal) == ["12.34", "13.49", "13.49"])
        #expect(try ledger.coming(of: ids[0], through: last, limit: 2, at: fixture.moment) == Array(coming.prefix(2)))
        #expect(throws: DeviceStoreError.self) { try ledger.coming(of: UUID(), through: last, at: fixture.moment) }
    }

    @Test func todayCountsOnlyOnceConfirmed() throws {
        let fixture = try EngineFixture("2026-11-25T10:00:00Z")
        let id = try fixture.add()
        #expect(try fixture.store.ledger.score(at: fixture.moment).due == 0)
        try fixture.store.ledger.confirm(fixture.occurrence(id, "2026-11-25"), at: fixture.moment)
        #expect(try fixture.store.ledger.score(at: fixture.moment) == ControlScore(confirmed: 1, late: 0, missed: 0))
        // The window is today and the 89 days before.
        try fixture.go(to: "2027-02-22")
        #expect(try fixture.store.ledger.score(at: fixture.moment).confirmed == 1)
        try fixture.go(to: "2027-02-23")
        #expect(try fixture.store.ledger.score(at: fixture.moment).confirmed == 0)
    }

    @Test func confirmedAheadIsNotDueYet() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        try fixture.store.ledger.confirm(fixture.occurrence(id, "2027-05-25"), at: fixture.moment)
        #expect(try fixture.store.ledger.score(at: fixture.moment).due == 0)
        #expect(throws: DeviceStoreError.notFound(.occurrence, id: "\(id.lowercased):2026-11-26")) {
            try fixture.store.ledger.confirm(fixture.occurrence(id, "2026-11-26"), at: fixture.moment)
        }
        #expect(throws: DeviceStoreError.self) {
            try fixture.store.ledger.confirm(fixture.occurrence(id, "2026-10-25"), at: fixture.moment)
        }
    }

    @Test func midnightIsThatOfTheZone() throws {
        let fixture = try EngineFixture("2026-11-25T22:30:00Z")
        let id = try fixture.add()
        #expect(try fixture.store.ledger.pending(at: fixture.moment).count == 1)
        // Half past eleven in Paris is already the next day in Tokyo.
        let tokyo = try EngineFixture.moment("2026-11-25T22:30:00Z", zone: "Asia/Tokyo")
        #expect(try fixture.store.ledger.confirm(fixture.occurrence(id, "2026-11-25"), at: tokyo).status == .late)
    }

    @Test func whatWasPaidCountsInTheSpending() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        try fixture.store.ledger.recordPaid(fixture.occurrence(id, "2026-11-25"), amount: "12.34", at: fixture.moment)
        #expect(throws: DeviceStoreError.self) {
            try fixture.store.ledger.recordPaid(
                fixture.occurrence(id, "2026-11-25"), amount: "12.345", at: fixture.moment)
        }
        try fixture.store.subscriptions.setPrice(id, "20", from: fixture.day("2027-01-01"), at: fixture.moment)
        try fixture.go(to: "2027-01-26")
        #expect(try fixture.store.totals.spending(at: fixture.moment).map(\.decimal) == ["45.83"])
        #expect(
            try fixture.store.ledger.history(id, at: fixture.moment).map(\.amount.decimal) == [
                "20.00", "13.49", "12.34",
            ])
    }

    @Test func aCancellationInThePastTakesWhatWasNotCharged() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add("x", [.cycle: "weekly"])
        try fixture.store.ledger.confirm(fixture.occurrence(id, "2026-12-09"), at: fixture.moment)
        try fixture.go(to: "2027-01-10")
        #expect(try fixture.store.ledger.missed(at: fixture.moment).count == 6)
        try fixture.store.subscriptions.setState(id, .cancelled, from: fixture.day("2026-12-05"), at: fixture.moment)
        #expect(
            try fixture.store.ledger.missed(at: fixture.moment).map(\.billingOn.iso) == ["2026-12-02", "2026-11-25"])
        // Charges that the user acted on are kept.
        #expect(try fixture.store.ledger.score(at: fixture.moment).confirmed == 1)
    }

    @Test func anotherScheduleKeepsThePast() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        try fixture.go(to: "2027-01-10")
        try fixture.store.subscriptions.edit(id, [.nextBillingOn: "2027-01-20"], at: fixture.moment)
        try fixture.go(to: "2027-03-01")
        #expect(
            try fixture.store.ledger.missed(at: fixture.moment).map(\.billingOn.iso)
                == ["2027-02-20", "2027-01-20", "2026-12-25", "2026-11-25"])
    }

    @Test func goingBackInTimeShowsThatDay() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        try fixture.go(to: "2027-06-01")
        #expect(try fixture.store.ledger.missed(at: fixture.moment).count == 7)
        try fixture.go(to: "2026-11-24")
        #expect(try fixture.store.ledger.missed(at: fixture.moment).isEmpty)
        #expect(try fixture.store.ledger.pending(at: fixture.moment).map(\.billingOn.iso) == ["2026-11-25"])
        #expect(
            try fixture.store.ledger.confirm(fixture.occurrence(id, "2026-11-25"), at: fixture.moment).status
                == .confirmed)
        try fixture.go(to: "2027-06-01")
        #expect(try fixture.store.ledger.missed(at: fixture.moment).count == 6)
    }

    @Test func theWidgetShowsWhatComesNext() throws {
        let fixture = try EngineFixture("2026-11-20T10:00:00Z")
        let daily = try fixture.add("b", [.cycle: "daily", .nextBillingOn: "2026-11-20"])
        try fixture.add("a", [.nextBillingOn: "2026-11-21"])
        let large = try fixture.store.ledger.widget(.large, at: fixture.moment)
        #expect(large.entries.map(\.at.rfc3339) == ["2026-11-20T10:00:00Z", "2026-11-20T23:00:00Z"])
        #expect(large.entries[0].payments.map(\.billingOn.day) == [20, 21, 21, 22, 23])
        #expect(large.entries[1].payments.map(\.name) == ["a", "b", "b", "b", "b"])
        try fixture.store.ledger.confirm(fixture.occurrence(daily, "2026-11-20"), at: fixture.moment)
        #expect(try fixture.store.ledger.widget(.small, at: fixture.moment).entries[0].payments.map(\.name) == ["a"])
        #expect(try fixture.store.ledger.widget(.medium, at: fixture.moment).entries[0].payments.count == 3)
    }

    @Test func budgetsCountWhatWasChargedAndWhatComes() throws {
        let fixture = try EngineFixture("2026-11-10T10:00:00Z")
        try fixture.add("x", [.cycle: "weekly", .amount: "10", .nextBillingOn: "2026-11-10", .category: "pro"])
        try fixture.add("y", [.nextBillingOn: "2026-11-12"])
        try fixture.go(to: "2026-11-20")
        let set = { (category: String?, amount: String) in
            try fixture.store.budgets.set(
                category: category, amount: amount, currency: "EUR", period: .month, at: fixture.moment)
        }
        let first = try set("pro", "25")
        #expect(try set("pro", "30").id == first.id)
        _ = try set(nil, "30")
        let standings = try fixture.store.budgets.list(at: fixture.moment).sorted {
            $0.spent.minorUnits < $1.spent.minorUnits
        }
        #expect(standings.map(\.spent.decimal) == ["20.00", "33.49"])
        #expect(standings.map(\.expected.decimal) == ["10.00", "10.00"])
        #expect(standings.map(\.state) == [.within, .exceeded])
    }

    @Test func whatWasNotedOfAComingDayOutlivesAPause() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        let day = try fixture.occurrence(id, "2026-11-25")
        try fixture.store.ledger.recordPaid(day, amount: "12.34", at: fixture.moment)
        try fixture.store.subscriptions.setState(id, .paused, from: fixture.day("2026-11-22"), at: fixture.moment)
        try fixture.store.subscriptions.setState(id, .active, from: fixture.day("2026-11-22"), at: fixture.moment)
        let entry = try #require(try fixture.store.ledger.history(id, at: fixture.moment).first)
        #expect(entry.status == .confirmed && entry.paid?.decimal == "12.34")
        #expect(try fixture.store.ledger.pending(at: fixture.moment).isEmpty)
    }

    @Test func aClockThatRanAheadLeavesNothing() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        try fixture.go(to: "2030-01-01")
        #expect(try fixture.store.ledger.missed(at: fixture.moment).count == 38)
        try fixture.go(to: "2026-11-24")
        #expect(try fixture.store.ledger.history(id, at: fixture.moment).isEmpty)
    }

    @Test func anotherCurrencyKeepsNotedAmounts() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add("x", [.amount: "1200"])
        try fixture.store.ledger.recordPaid(fixture.occurrence(id, "2026-11-25"), amount: "12.34", at: fixture.moment)
        for currency in ["JPY", "USD"] {
            try fixture.store.subscriptions.edit(id, [.currency: currency], at: fixture.moment)
            #expect(try fixture.store.subscriptions.load(id).currency.code == currency)
            #expect(try fixture.store.ledger.history(id, at: fixture.moment).map(\.amount.description) == ["12.34 EUR"])
        }
        let shared = try fixture.add("y", [.amount: "1200"])
        let person = Person(id: fixture.store.makeID(fixture.moment), name: "Zoé", createdAt: fixture.moment.now)
        try fixture.store.sharing.save(person, at: fixture.moment)
        let split = Split(kind: .exact, people: [person.id], weights: [500])
        try fixture.store.sharing.setSplit(split, of: shared, at: fixture.moment)
        #expect(throws: DeviceStoreError.self) {
            try fixture.store.subscriptions.edit(shared, [.currency: "JPY"], at: fixture.moment)
        }
    }

    @Test func aClockFarAheadPostsTenYearsAtMost() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add("x", [.cycle: "daily", .nextBillingOn: "2026-11-20"])
        try fixture.go(to: "2999-01-01")
        let missed = try fixture.store.ledger.missed(at: fixture.moment)
        #expect(missed.count == 3652 && missed.last?.billingOn.iso == "2989-01-01")
        // With a correct clock, a month later: the skipped days are entered, future days are not.
        try fixture.go(to: "2026-12-20")
        #expect(try fixture.store.ledger.missed(at: fixture.moment).count == 30)
        #expect(
            try fixture.store.ledger.history(id, at: fixture.moment).map(\.occurrence.billingOn.iso).first
                == "2026-12-19")
    }

    @Test func aDayOfLongAgoPostsTenYearsAtMost() throws {
        let fixture = try EngineFixture("0001-01-01")
        let id = try fixture.add("x", [.cycle: "daily", .nextBillingOn: "0001-01-01"])
        try fixture.store.ledger.confirm(fixture.occurrence(id, "0001-01-01"), at: fixture.moment)
        try fixture.go(to: "2026-02-28")
        let missed = try fixture.store.ledger.missed(at: fixture.moment)
        #expect(missed.count == 3653 && missed.last?.billingOn.iso == "2016-02-28")
        #expect(try fixture.store.ledger.history(id, at: fixture.moment).last?.status == .confirmed)
        // Neither a change nor a restore brings back older charges.
        try fixture.store.subscriptions.edit(id, [.notes: "x"], at: fixture.moment)
        #expect(try fixture.store.ledger.missed(at: fixture.moment) == missed)
        let other = try EngineFixture("2026-02-28", seed: 3)
        try other.store.backups.restore(try fixture.backup(), at: other.moment)
        #expect(try other.store.ledger.missed(at: other.moment) == missed)
    }
}
