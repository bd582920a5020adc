import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct CancellationTests {
    @Test func whatIsOwedStaysInTheForecastUnlessAnEarlierDayIsAskedFor() throws {
        let engine = try EngineFixture()
        let id = try engine.add("Gym", [.contractEndsOn: "2027-02-28", .noticeDays: "30", .paymentMethod: "App Store"])
        let cancellation = try engine.store.subscriptions.cancel(id, at: engine.moment)
        #expect(cancellation.on.iso == "2027-03-01" && cancellation.commitment?.through.iso == "2027-02-28")
        #expect(cancellation.commitment?.amounts.map(\.decimal) == ["53.96"])
        #expect(cancellation.inForecast == cancellation.commitment?.amounts)
        #expect(cancellation.route?.channel == .appStore && cancellation.noticeDays == 30)
        let months = try engine.store.totals.forecast(months: 12, at: engine.moment)
        #expect(months.map(\.amount.minorUnits).reduce(0, +) == 5396)
        // Again, the answer is the same: what is owed does not depend on the former cancellation.
        #expect(try engine.store.subscriptions.cancel(id, at: engine.moment) == cancellation)
        let early = try engine.store.subscriptions.cancel(id, on: try engine.day("2026-12-01"), at: engine.moment)
        #expect(early.commitment == cancellation.commitment && early.inForecast.map(\.decimal) == ["13.49"])
    }

    @Test func allFaultsOfAFormComeTogetherAndNothingChanges() throws {
        let engine = try EngineFixture()
        let id = try engine.add()
        let before = try engine.backup()
        do {
            try engine.store.subscriptions.edit(id, [.name: "", .color: "red", .notes: "new"], at: engine.moment)
            Issue.record("accepted")
        } catch DeviceStoreError.invalidFields(let faults) {
            #expect(Set(faults.map(\.pointer)) == ["name", "color"])
        }
        #expect(throws: DeviceStoreError.self) { try engine.add("X", [.amount: "0", .cycle: "never"]) }
        // One fault is as before.
        #expect(throws: DeviceStoreError.invalid(Fault("name", .required, "Must not be empty."))) {
            try engine.store.subscriptions.edit(id, [.name: ""], at: engine.moment)
        }
        #expect(try engine.backup() == before)
    }

    @Test func pausesAndPricesAreTakenBackAndUndone() throws {
        let engine = try EngineFixture()
        let id = try engine.add()
        let subscriptions = engine.store.subscriptions
        try subscriptions.pause(
            id, from: try engine.day("2026-12-01"), through: try engine.day("2026-12-31"), at: engine.moment)
        try subscriptions.setPrice(id, "15.99", from: try engine.day("2027-01-01"), at: engine.moment)
        let upcoming = {
            try engine.store.ledger.occurrences(
                from: try engine.day("2026-11-20"), through: try engine.day("2027-01-29"), at: engine.moment
            ).map(\.amount.decimal)
        }
        #expect(try upcoming() == ["13.49", "15.99"])
        try subscriptions.removePause(id, from: try engine.day("2026-12-01"), at: engine.moment)
        try subscriptions.removePrice(id, from: try engine.day("2027-01-01"), at: engine.moment)
        #expect(try upcoming() == ["13.49", "13.49", "13.49"])
        try engine.store.journal.undo(2, at: engine.moment)
        #expect(try upcoming() == ["13.49", "15.99"])
    }

    @Test func listsAreSortedAndFiltered() throws {
        let engine = try EngineFixture()
        try engine.add("b", [.amount: "5", .nextBillingOn: "2026-12-01"])
        try engine.add("a", [.amount: "9", .cycle: "yearly", .nextBillingOn: "2027-05-01"])
        try engine.add("c", [.amount: "7", .currency: "USD", .nextBillingOn: "2026-11-20"])
        try engine.add("d", [.nextBillingOn: "2026-11-21", .status: "cancelled"])
        let names = { (order: SubscriptionOrder, through: String?) in
            try engine.store.subscriptions.list(
                SubscriptionFilter(renewsThrough: try through.map { try engine.day($0) }), by: order, at: engine.moment
            ).map(\.name).joined()
        }
        #expect(try names(.name, nil) == "abcd" && names(.next, nil) == "cbad")
        #expect(try names(.amount, nil) == "dabc" && names(.yearly, nil) == "badc")
        #expect(try names(.next, "2026-12-01") == "cb" && names(.next, "2026-11-20") == "c")
    }

    @Test func withAHomeCurrencyTheDearestComesFirst() throws {
        let engine = try EngineFixture()
        for (name, amount, currency) in [
            ("a", "40000", "JPY"), ("b", "300", "EUR"), ("c", "420", "GBP"), ("d", "9", "CHF"),
        ] {
            try engine.add(
                name, [.amount: amount, .currency: currency, .cycle: "yearly", .nextBillingOn: "2026-12-01"])
        }
        let names = {
            try engine.store.subscriptions.list(by: .yearly, at: engine.moment).map(\.name).joined()
        }
        #expect(try names() == "dbca")
        try engine.store.settings.set(.homeCurrency, to: "EUR", at: engine.moment)
        for (currency, rate) in [("JPY", "160"), ("GBP", "0.85")] {
            try engine.store.rates.set(currency, unitsPerEuro: rate, on: engine.moment.today, at: engine.moment)
        }
        // 494 €, 300 €, 250 €, and what has no rate.
        #expect(try names() == "cbad")
    }

    /// The bundle pays for the part, and nothing is charged before a pause ends: neither is charged within those days.
    @Test func whatIsNotChargedIsNotAmongWhatIsChargedSoon() throws {
        let engine = try EngineFixture("2026-11-16")
        let bundle = try engine.add("Bundle", [.amount: "20", .nextBillingOn: "2026-11-20"])
        let part = try engine.add("Part", [.nextBillingOn: "2026-11-20", .bundledIn: bundle.lowercased])
        let paused = try engine.add("Paused", [.amount: "5", .cycle: "weekly", .nextBillingOn: "2026-11-17"])
        let subscriptions = engine.store.subscriptions
        try subscriptions.pause(
            paused, from: try engine.day("2026-11-16"), through: try engine.day("2026-11-25"), at: engine.moment)
        let names = { (through: String) in
            try subscriptions.list(SubscriptionFilter(renewsThrough: try engine.day(through)), at: engine.moment)
                .map(\.name)
        }
        #expect(try names("2026-11-30") == ["Bundle"])
        #expect(try names("2026-12-01") == ["Bundle", "Paused"])
        // A part that is paused ends with its bundle, in the list as alone.
        try subscriptions.pause(part, from: try engine.day("2026-11-16"), through: nil, at: engine.moment)
        try subscriptions.cancel(bundle, on: try engine.day("2026-11-18"), at: engine.moment)
        let listed = try subscriptions.list(SubscriptionFilter(search: "part"), at: engine.moment)
        #expect(listed.map(\.nextBillingOn) == [nil] && listed.allSatisfy { $0.isBundled && $0.isOnHold })
        #expect(listed.map(\.annualAmount.minorUnits) == [0])
        #expect(try listed == [subscriptions.summary(part, at: engine.moment)])
    }

    @Test(arguments: ["2026-09-01", "2026-10-01"])
    func aPauseOfWhatIsCancelledIsRefusedAndChangesNothing(_ from: String) throws {
        let fixture = try EngineFixture("2026-06-01")
        let id = try fixture.add("Gym", [.amount: "10", .nextBillingOn: "2026-06-05"])
        try fixture.store.subscriptions.cancel(id, on: fixture.day("2026-09-01"), at: fixture.moment)
        let before = try fixture.store.subscriptions.load(id)
        for last in [nil, try fixture.day("2026-10-31")] {
            do {
                try fixture.store.subscriptions.pause(id, from: fixture.day(from), through: last, at: fixture.moment)
                Issue.record("not refused")
            } catch let error as DeviceStoreError {
                #expect(error.faults.map(\.pointer) == ["from"])
            }
        }
        #expect(throws: DeviceStoreError.self) {
            try fixture.store.subscriptions.setState(id, .paused, from: fixture.day(from), at: fixture.moment)
        }
        #expect(try fixture.store.subscriptions.load(id) == before)
    }
}
