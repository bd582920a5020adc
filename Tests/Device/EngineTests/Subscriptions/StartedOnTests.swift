import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Subscriptions that began before they were entered.
@Suite struct StartedOnTests {
    private let fixture: EngineFixture
    private var store: DeviceStore { fixture.store }

    init() throws { fixture = try EngineFixture("2026-11-20") }

    private func spent(from first: String = "0001-01-01") throws -> [String] {
        try store.totals.spending(from: fixture.day(first), at: fixture.moment).map(\.description)
    }

    @Test func whatWasChargedSinceTheStartCounts() throws {
        let id = try fixture.add("Netflix", [.amount: "10", .startedOn: "2025-11-10", .nextBillingOn: "2026-11-25"])
        // 25 November 2025 through 25 October 2026.
        #expect(try spent() == ["120.00 EUR"])
        #expect(try spent(from: "2026-01-01") == ["100.00 EUR"])
        #expect(try store.ledger.missed(at: fixture.moment).isEmpty)
        #expect(try store.ledger.score(at: fixture.moment).due == 0)
        let history = try store.ledger.history(id, at: fixture.moment)
        #expect(history.count == 12 && history.allSatisfy { $0.isAssumed && $0.status == .confirmed })
        let parts = try store.totals.spending(by: .subscription, at: fixture.moment)
        #expect(parts.map(\.assumed.decimal) == ["120.00"] && parts.map(\.confirmed.decimal) == ["0.00"])
        // Prices of then.
        try store.subscriptions.setPrice(id, "8", from: fixture.day("2025-11-10"), at: fixture.moment)
        try store.subscriptions.setPrice(id, "10", from: fixture.day("2026-06-01"), at: fixture.moment)
        #expect(try spent() == ["106.00 EUR"])
        let year = try store.totals.statement(
            from: fixture.day("2025-01-01"), through: fixture.day("2025-12-31"), at: fixture.moment)
        #expect(year.map(\.charged.decimal) == ["16.00"])
        // What is confirmed later was never late.
        try store.ledger.confirm(fixture.occurrence(id, "2026-03-25"), at: fixture.moment)
        #expect(try store.ledger.history(id, at: fixture.moment).filter { !$0.isAssumed }.map(\.status) == [.confirmed])
    }

    @Test func aChargeOnTheLastDayOfTheMonthKeepsItsDay() throws {
        let id = try fixture.add("Loyer", [.startedOn: "2026-01-31", .nextBillingOn: "2026-11-30"])
        let days = try store.ledger.history(id, at: fixture.moment).map(\.occurrence.billingOn.iso)
        #expect(
            days.reversed() == [
                "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31",
                "2026-08-31", "2026-09-30", "2026-10-31",
            ])
        let leap = try fixture.add("Leap", [.cycle: "yearly", .startedOn: "2024-02-29", .nextBillingOn: "2027-02-28"])
        #expect(
            try store.ledger.history(leap, at: fixture.moment).map(\.occurrence.billingOn.iso)
                == ["2026-02-28", "2025-02-28", "2024-02-29"])
        let mid = try fixture.add("Mid", [.startedOn: "2026-08-20", .nextBillingOn: "2026-11-30"])
        #expect(
            try store.ledger.history(mid, at: fixture.moment).map(\.occurrence.billingOn.iso)
                == ["2026-10-30", "2026-09-30", "2026-08-30"])
        let days10 = try fixture.add(
            "Ten", [.cycle: "every:10d", .startedOn: "2026-11-01", .nextBillingOn: "2026-11-25"])
        #expect(
            try store.ledger.history(days10, at: fixture.moment).map(\.occurrence.billingOn.iso)
                == ["2026-11-15", "2026-11-05"])
    }

    @Test func aPurchaseForLifeWasPaidOnItsDay() throws {
        let draft: SubscriptionDraft = [
            .name: "Things", .amount: "49.99", .currency: "EUR", .cycle: "lifetime", .startedOn: "2024-02-29",
        ]
        let id = try store.subscriptions.add(draft, at: fixture.moment).id
        #expect(try spent() == ["49.99 EUR"])
        #expect(try store.subscriptions.summary(id, at: fixture.moment).nextBillingOn == nil)
        #expect(try store.ledger.missed(at: fixture.moment).isEmpty)
    }

    @Test func aMinimumTermCountsFromTheStart() throws {
        let id = try fixture.add(
            "Mobile", [.startedOn: "2025-12-01", .minimumMonths: "24", .nextBillingOn: "2026-12-01"])
        let cancelBy = try #require(try store.subscriptions.load(id).cancelBy(today: fixture.moment.today))
        #expect(cancelBy.lastDay.iso == "2027-11-30" && cancelBy.reason == .contract)
    }

    @Test func trialsPausesAndBundlesWereNotCharged() throws {
        let id = try fixture.add(
            "Trial", [.startedOn: "2026-08-25", .trialEndsOn: "2026-09-26", .nextBillingOn: "2026-11-25"])
        #expect(
            try store.ledger.history(id, at: fixture.moment).map(\.occurrence.billingOn.iso) == ["2026-10-25"])
        let bundle = try fixture.add("Bundle")
        try fixture.add("Part", [.startedOn: "2025-01-01", .bundledIn: bundle.lowercased, .amount: "99"])
        #expect(try spent() == ["13.49 EUR"])
    }

    @Test func theStartCanBeCorrectedAndTheCorrectionTakenBack() throws {
        let id = try fixture.add("Netflix", [.amount: "10"])
        #expect(try spent().isEmpty)
        try store.subscriptions.edit(id, [.startedOn: "2026-06-01"], at: fixture.moment)
        #expect(try spent() == ["50.00 EUR"])
        try store.subscriptions.edit(id, [.startedOn: "2026-09-01"], at: fixture.moment)
        #expect(try spent() == ["20.00 EUR"])
        #expect(try store.ledger.history(id, at: fixture.moment).count == 2)
        try store.subscriptions.edit(id, [.startedOn: "2026-08-01"], at: fixture.moment)
        #expect(try spent() == ["30.00 EUR"])
        for amount in ["20.00 EUR", "50.00 EUR"] {
            try store.journal.undo(at: fixture.moment)
            #expect(try spent() == [amount])
        }
        try store.journal.undo(at: fixture.moment)
        #expect(try spent().isEmpty)
    }

    /// Confirmed charges are the user's own records: a later start leaves them.
    @Test func aLaterStartLeavesWhatWasConfirmed() throws {
        let id = try fixture.add("Netflix", [.amount: "10", .startedOn: "2026-06-01"])
        try store.ledger.confirm(fixture.occurrence(id, "2026-07-25"), at: fixture.moment)
        try store.ledger.recordPaid(fixture.occurrence(id, "2026-08-25"), amount: "7", at: fixture.moment)
        try store.ledger.skip(fixture.occurrence(id, "2026-09-25"), at: fixture.moment)
        #expect(try spent() == ["37.00 EUR"])
        try store.subscriptions.edit(id, [.startedOn: "2026-11-01"], at: fixture.moment)
        #expect(try spent() == ["17.00 EUR"])
        #expect(
            try store.ledger.history(id, at: fixture.moment).map(\.occurrence.billingOn.iso)
                == ["2026-08-25", "2026-07-25"])
        try store.subscriptions.edit(id, [.startedOn: "2026-06-01"], at: fixture.moment)
        #expect(try spent() == ["37.00 EUR"])
    }

    /// Charges that a schedule of before has left.
    @Test func aLaterStartTakesBackWhatAnEarlierScheduleCharged() throws {
        let id = try fixture.add("Netflix", [.amount: "10", .startedOn: "2026-10-01"])
        try fixture.go(to: "2027-02-10")
        try store.subscriptions.edit(id, [.nextBillingOn: "2027-02-14"], at: fixture.moment)
        try fixture.go(to: "2027-02-20")
        // October, assumed; November through January, of the first schedule; February.
        #expect(try spent() == ["50.00 EUR"])
        try store.subscriptions.edit(id, [.startedOn: "2027-01-01"], at: fixture.moment)
        #expect(try spent() == ["20.00 EUR"])
        #expect(try store.ledger.missed(at: fixture.moment).map(\.billingOn.iso) == ["2027-02-14", "2027-01-25"])
        // Back: the charges are those of then, on their days.
        try store.subscriptions.edit(id, [.startedOn: "2026-10-01"], at: fixture.moment)
        #expect(try spent() == ["50.00 EUR"])
        #expect(
            try store.ledger.missed(at: fixture.moment).map(\.billingOn.iso)
                == ["2027-02-14", "2027-01-25", "2026-12-25", "2026-11-25"])
        let assumed = try store.ledger.history(id, at: fixture.moment).filter(\.isAssumed)
        #expect(assumed.map(\.occurrence.billingOn.iso) == ["2026-10-25"])
    }

    /// A pause that ends afterwards does not bring charges of before the start.
    @Test func nothingIsChargedBeforeALaterStart() throws {
        let id = try fixture.add("Netflix", [.amount: "10"])
        try store.subscriptions.setState(id, .paused, from: fixture.day("2026-11-21"), at: fixture.moment)
        try fixture.go(to: "2027-02-10")
        try store.subscriptions.edit(id, [.startedOn: "2027-01-01"], at: fixture.moment)
        try store.subscriptions.removePause(id, from: fixture.day("2026-11-21"), at: fixture.moment)
        #expect(try store.ledger.missed(at: fixture.moment).map(\.billingOn.iso) == ["2027-01-25"])
        #expect(try spent() == ["10.00 EUR"])
    }

    /// A status without a date does not say until when something was charged.
    @Test(arguments: ["cancelled", "paused"])
    func importedRowsThatDoNotRunWereNotCharged(_ status: String) throws {
        let csv = """
            name,amount,currency,cycle,next_billing_on,started_on,status
            Salle,10,EUR,monthly,2026-11-25,2026-01-01,\(status)
            Été,20,EUR,monthly,2026-11-25,2026-08-01,active

            """
        let options = ImportOptions(format: .csv)
        let report = try store.portability.importFile(Array(csv.utf8), options, at: fixture.moment)
        #expect(report.added.count == 2)
        #expect(try spent() == ["60.00 EUR"])
        #expect(try store.ledger.missed(at: fixture.moment).isEmpty)
        #expect(Set(try store.subscriptions.all().map { $0.startedOn.iso }) == ["2026-01-01", "2026-08-01"])
    }

    @Test(arguments: [false, true])
    func importedRowsInABundleWereNotCharged(_ bundleIsFirst: Bool) throws {
        let id = store.makeID(fixture.moment).lowercased
        let (bundle, part) = (
            "\(id),Tout,30,EUR,monthly,2026-11-25,2026-11-20,", ",Partie,99,EUR,monthly,2026-11-25,2026-01-01,\(id)"
        )
        let rows = bundleIsFirst ? [bundle, part] : [part, bundle]
        let csv =
            "id,name,amount,currency,cycle,next_billing_on,started_on,bundled_in\n" + rows.joined(separator: "\n")
        let options = ImportOptions(format: .csv)
        #expect(try store.portability.importFile(Array(csv.utf8), options, at: fixture.moment).added.count == 2)
        #expect(try spent().isEmpty)
    }

    /// Tomorrow is today further east; a later start is a mistake.
    @Test func anImportedStartIsNotAfterToday() throws {
        let csv = { (day: String) in
            "name,amount,currency,cycle,next,started_on\nÉté,20,EUR,monthly,2026-11-25,\(day)\n"
        }
        let options = ImportOptions(format: .csv)
        let error = #expect(throws: DeviceStoreError.self) {
            try store.portability.importFile(Array(csv("2026-11-22").utf8), options, at: fixture.moment)
        }
        guard case .refusedRows(let rows, _)? = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(rows.map(\.row) == [2] && rows.map(\.fault.pointer) == ["started_on"])
        #expect(try store.subscriptions.all().isEmpty)
        _ = try store.portability.importFile(Array(csv("2026-11-21").utf8), options, at: fixture.moment)
        #expect(try store.subscriptions.all().map { $0.startedOn.iso } == ["2026-11-20"])
    }

    /// A change of the schedule concerns the future.
    @Test func aNewCycleLeavesTheHistory() throws {
        let id = try fixture.add("Netflix", [.amount: "10", .startedOn: "2026-08-01"])
        try store.subscriptions.edit(id, [.cycle: "yearly", .amount: "100"], at: fixture.moment)
        #expect(try spent() == ["30.00 EUR"])
        let other = try EngineFixture("2026-11-20", seed: 2)
        try other.store.backups.restore(try fixture.backup(), at: other.moment)
        #expect(try other.store.totals.spending(at: other.moment).map(\.description) == ["30.00 EUR"])
        #expect(try other.backup() == (try fixture.backup()))
    }

    @Test func exportsKeepTheHistory() throws {
        try fixture.add("Été \"26\" 🎉", [.amount: "12.34", .startedOn: "2024-02-29", .nextBillingOn: "2026-11-29"])
        for format in [ExportFormat.json, .csv] {
            let text = try store.portability.export(format, at: fixture.moment)
            let other = try EngineFixture("2026-11-21", seed: 3)
            let options = ImportOptions(format: format == .json ? .json : .csv)
            _ = try other.store.portability.importFile(Array(text.utf8), options, at: other.moment)
            #expect(try other.store.totals.spending(at: other.moment).map(\.description) == (try spent()), "\(format)")
            #expect(try other.store.ledger.missed(at: other.moment).isEmpty, "\(format)")
        }
    }

    @Test(arguments: [("2026-11-21", "out_of_range"), ("1926-01-01", "out_of_range"), ("2026-02-30", "invalid_day")])
    func aStartThatCannotBeIsRefused(_ day: String, _ code: String) throws {
        let error = #expect(throws: DeviceStoreError.self) { try fixture.add("x", [.startedOn: day]) }
        guard case .invalid(let fault)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(fault.pointer == "started_on" && fault.code.rawValue == code)
        #expect(try store.subscriptions.all().isEmpty)
    }

    @Test func pastStatesHoldForTheDaysBeforeTheEntryInWhateverOrderTheyWereEntered() throws {
        let (start, cancelled) = (try fixture.day("2026-06-05"), try fixture.day("2026-08-01"))
        let facts: SubscriptionDraft = [.amount: "42", .nextBillingOn: "2026-12-05"]
        let before = try fixture.add("Started, cancelled", facts.merging([.startedOn: start.iso]) { $1 })
        try store.subscriptions.cancel(before, on: cancelled, at: fixture.moment)
        let after = try fixture.add("Cancelled, started", facts)
        try store.subscriptions.cancel(after, on: cancelled, at: fixture.moment)
        try store.subscriptions.edit(after, [.startedOn: start.iso], at: fixture.moment)
        for id in [before, after] {
            #expect(try store.totals.spending(of: id, at: fixture.moment).map(\.description) == ["84.00 EUR"])
            let days = try store.ledger.history(id, at: fixture.moment).map(\.occurrence.billingOn.iso)
            #expect(days == ["2026-07-05", "2026-06-05"])
        }
        // Corrected, ended, and taken back.
        try store.subscriptions.cancel(before, on: fixture.day("2026-10-01"), at: fixture.moment)
        #expect(try store.totals.spending(of: before, at: fixture.moment).map(\.description) == ["168.00 EUR"])
        try store.journal.undo(1, at: fixture.moment)
        #expect(try store.totals.spending(of: before, at: fixture.moment).map(\.description) == ["84.00 EUR"])
        try store.subscriptions.setState(before, .active, from: cancelled, at: fixture.moment)
        #expect(try store.totals.spending(of: before, at: fixture.moment).map(\.description) == ["252.00 EUR"])
        let paused = try fixture.add("Paused", facts.merging([.startedOn: start.iso]) { $1 })
        try store.subscriptions.pause(paused, from: cancelled, through: fixture.day("2026-09-30"), at: fixture.moment)
        #expect(try store.totals.spending(of: paused, at: fixture.moment).map(\.description) == ["168.00 EUR"])
        // What was confirmed was charged.
        try store.subscriptions.removePause(paused, from: cancelled, at: fixture.moment)
        try store.ledger.confirm(fixture.occurrence(paused, "2026-09-05"), at: fixture.moment)
        try store.subscriptions.pause(paused, from: cancelled, through: fixture.day("2026-09-30"), at: fixture.moment)
        #expect(try store.totals.spending(of: paused, at: fixture.moment).map(\.description) == ["210.00 EUR"])
        let copy = try EngineFixture("2026-11-20", seed: 2)
        try copy.store.backups.restore(fixture.backup(), at: copy.moment)
        #expect(
            try copy.store.totals.spending(at: copy.moment) == store.totals.spending(at: fixture.moment))
    }

    @Test func aStartAndACancellationOfTwoDevicesGiveTheSumOfOne() throws {
        let id = try fixture.add("Gym", [.amount: "10", .nextBillingOn: "2026-12-05"])
        let other = try EngineFixture("2026-11-20", seed: 2)
        try other.store.backups.restore(fixture.backup(), at: other.moment)
        try store.subscriptions.edit(id, [.startedOn: "2026-06-05"], at: fixture.moment)
        try other.store.subscriptions.cancel(id, on: fixture.day("2026-08-01"), at: other.moment)
        let (mine, theirs) = (try fixture.backup(), try other.backup())
        try store.backups.merge(theirs, at: fixture.moment)
        try other.store.backups.merge(mine, at: other.moment)
        for store in [store, other.store] {
            #expect(try store.totals.spending(at: fixture.moment).map(\.description) == ["20.00 EUR"])
        }
    }
}
