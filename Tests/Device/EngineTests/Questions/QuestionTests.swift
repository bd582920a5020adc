import Foundation
import SubGuardDomain
import SubGuardEngine
import Testing

/// Entered on 2026-08-01 in Paris; asked on 2026-11-20.
@Suite struct QuestionTests {
    private let fixture: EngineFixture

    init() throws { fixture = try EngineFixture("2026-08-01") }

    private var totals: DeviceStore.Totals { fixture.store.totals }

    private func text(_ amounts: [Money]) -> [String] { amounts.map { "\($0)" } }

    @Test func aMonthTellsWhatWasChargedFromWhatIsToCome() throws {
        let netflix = try fixture.add("Netflix", [.nextBillingOn: "2026-08-18"])
        let rent = try fixture.add("Büro “Süd” 🎉", [.amount: "40", .nextBillingOn: "2026-08-31", .category: "pro"])
        try fixture.add("USA", [.currency: "USD", .amount: "12.34", .nextBillingOn: "2026-08-20"])
        let skipped = try fixture.add("Skipped", [.amount: "5", .nextBillingOn: "2026-08-05"])
        try fixture.go(to: "2026-11-20")
        _ = try fixture.store.ledger.recordPaid(
            try fixture.occurrence(netflix, "2026-11-18"), amount: "11.11", at: fixture.moment)
        _ = try fixture.store.ledger.skip(try fixture.occurrence(skipped, "2026-11-05"), at: fixture.moment)
        let month = try totals.statement(
            from: try fixture.day("2026-11-01"), through: try fixture.day("2026-11-30"), at: fixture.moment)
        #expect(month.map(\.currency.code) == ["EUR", "USD"])
        #expect(month[0].scopes.map(\.scope) == [.pro, .personal])
        #expect(text(month[0].scopes.map(\.sum.charged)) == ["0.00 EUR", "11.11 EUR"])
        #expect(text(month[0].scopes.map(\.sum.toCome)) == ["40.00 EUR", "0.00 EUR"])
        #expect(month[0].categories.map(\.category) == [.other])
        #expect(text(month[0].categories.map(\.sum.total)) == ["51.11 EUR"])
        #expect(text([month[0].charged, month[0].toCome, month[0].total]) == ["11.11 EUR", "40.00 EUR", "51.11 EUR"])
        // Today's is to come until it is confirmed.
        #expect(text([month[1].charged, month[1].toCome]) == ["0.00 USD", "12.34 USD"])
        _ = try fixture.store.ledger.confirm(
            try fixture.occurrence(
                try #require(try fixture.store.subscriptions.all().first { $0.name == "USA" }).id, "2026-11-20"),
            at: fixture.moment)
        let later = try totals.statement(
            from: try fixture.day("2026-11-01"), through: try fixture.day("2026-11-30"), at: fixture.moment)
        #expect(text([later[1].charged, later[1].toCome]) == ["12.34 USD", "0.00 USD"])
        // A year is the sum of its months.
        let year = try totals.statement(
            from: try fixture.day("2026-01-01"), through: try fixture.day("2026-12-31"), at: fixture.moment)
        var sum: Int64 = 0
        for month in 1...12 {
            let first = try #require(CalendarDay(year: 2026, month: month, day: 1))
            let last = first.adding(months: 1).adding(days: -1)
            sum +=
                try totals.statement(from: first, through: last, at: fixture.moment)
                .first { $0.currency.code == "EUR" }?.total.minorUnits ?? 0
        }
        #expect(year[0].total.minorUnits == sum && sum > 0)
        _ = rent
    }

    @Test func spendingTellsConfirmedFromAssumed() throws {
        let netflix = try fixture.add("Netflix", [.nextBillingOn: "2026-09-18"])
        try fixture.add("Gym", [.amount: "10", .nextBillingOn: "2026-10-31", .category: "pro"])
        try fixture.go(to: "2026-11-20")
        _ = try fixture.store.ledger.confirm(try fixture.occurrence(netflix, "2026-10-18"), at: fixture.moment)
        let months = try totals.spending(by: .month, at: fixture.moment)
        #expect(months.map(\.key) == ["2026-09", "2026-10", "2026-11"])
        #expect(text(months.map(\.confirmed)) == ["0.00 EUR", "13.49 EUR", "0.00 EUR"])
        #expect(text(months.map(\.assumed)) == ["13.49 EUR", "10.00 EUR", "13.49 EUR"])
        let names = try totals.spending(by: .subscription, at: fixture.moment)
        #expect(names.map(\.key) == ["Netflix", "Gym"] && names[0].subscriptionID == netflix && names[0].count == 3)
        #expect(try totals.spending(by: .scope, at: fixture.moment).map(\.key) == ["personal", "pro"])
        #expect(try totals.spending(by: .category, at: fixture.moment).map(\.key) == ["other"])
        for key in SpendingKey.allCases {
            let sum = try totals.spending(by: key, at: fixture.moment).reduce(0) { $0 + $1.total.minorUnits }
            #expect(sum == (try totals.spending(at: fixture.moment).first?.minorUnits))
        }
    }

    @Test func changesNameWhatBecameDearer() throws {
        let netflix = try fixture.add("Netflix", [.nextBillingOn: "2026-08-18"])
        try fixture.store.subscriptions.setPrice(
            netflix, "15.99", from: try fixture.day("2026-10-01"), at: fixture.moment)
        try fixture.store.subscriptions.setPrice(
            netflix, "99", from: try fixture.day("2027-01-01"), at: fixture.moment)
        try fixture.add("Trial", [.amount: "5", .nextBillingOn: "2026-09-01", .trialEndsOn: "2026-09-01"])
        let gone = try fixture.add("Gone", [.amount: "10", .cycle: "yearly", .nextBillingOn: "2026-12-01"])
        try fixture.store.subscriptions.setState(
            gone, .cancelled, from: try fixture.day("2026-11-01"), at: fixture.moment)
        try fixture.go(to: "2026-11-20")
        let changes = try totals.changes(since: try fixture.day("2026-08-02"), at: fixture.moment)
        #expect(changes.map(\.kind) == [.trialConverted, .priceRise, .ended])
        #expect(changes.map(\.on.iso) == ["2026-09-01", "2026-10-01", "2026-11-01"])
        #expect(changes[1].percent == Decimal(string: "18.5"))
        #expect(text(changes.compactMap(\.annualEffect)) == ["60.00 EUR", "30.00 EUR", "-10.00 EUR"])
        #expect(
            try totals.priceRises(since: try fixture.day("2026-08-02"), limit: 5, at: fixture.moment)
                == changes.filter { $0.kind == .priceRise })
        #expect(try totals.priceRises(since: try fixture.day("2026-08-02"), limit: 0, at: fixture.moment).isEmpty)
        let all = try totals.changes(since: try fixture.day("2026-08-01"), at: fixture.moment)
        // A trial costs nothing before it ends.
        let started = all.filter { $0.kind == .started }.sorted { $0.name < $1.name }
        #expect(text(started.compactMap(\.annualEffect)) == ["10.00 EUR", "161.88 EUR", "0.00 EUR"])
        #expect(try totals.changes(since: try fixture.day("2026-11-02"), at: fixture.moment).isEmpty)
        // One whose end is paused over has no conversion, and its cost must not go unsaid.
        let paused = try fixture.add(
            "Paused", [.amount: "5", .nextBillingOn: "2026-12-05", .trialEndsOn: "2026-12-04"])
        try fixture.store.subscriptions.pause(
            paused, from: try fixture.day("2026-12-01"), through: try fixture.day("2026-12-20"), at: fixture.moment)
        let later = try totals.changes(since: try fixture.day("2026-11-20"), at: fixture.moment)
        #expect(text(later.compactMap(\.annualEffect)) == ["60.00 EUR"])
    }

    @Test func cancellingSavesWhatNoContractStillCosts() throws {
        let free = try fixture.add("Free to go", [.nextBillingOn: "2026-12-18"])
        let bound = try fixture.add(
            "Bound", [.amount: "10", .nextBillingOn: "2026-12-01", .contractEndsOn: "2027-03-31"])
        try fixture.go(to: "2026-11-20")
        let effect = try totals.effect(ofCancelling: [free, bound, free], at: fixture.moment)
        #expect(effect.until.iso == "2027-11-19")
        // Twelve months of one, and of the other April to November: 161.88 + 80.
        #expect(text(effect.saves) == ["241.88 EUR"])
        #expect(effect.commitments.map(\.name) == ["Bound"])
        #expect(effect.commitments[0].commitment.through.iso == "2027-03-31")
        #expect(text(effect.commitments[0].commitment.amounts) == ["40.00 EUR"])
        // What is paid already cannot be saved, nor what will not be charged anyway.
        try fixture.store.ledger.recordPaid(fixture.occurrence(free, "2026-12-18"), amount: "7", at: fixture.moment)
        try fixture.store.ledger.skip(fixture.occurrence(free, "2027-01-18"), at: fixture.moment)
        let rest = try totals.effect(ofCancelling: [free], at: fixture.moment)
        #expect(text(rest.saves) == ["134.90 EUR"])
        // Nothing was changed.
        #expect(try fixture.store.subscriptions.all().allSatisfy { $0.status(on: fixture.moment.today) == .active })
        #expect(throws: DeviceStoreError.self) { try totals.effect(ofCancelling: [UUID()], at: fixture.moment) }
    }
}
