import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Applies random operations to a database, forward and back in time, and compares the results from its derived tables
/// with the rules of the domain applied from scratch.
@Suite struct EngineOracleTests {
    @Test(arguments: SeededRandom.seeds(2, of: 12))
    func answersAreThoseOfTheRules(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let fixture = try EngineFixture("2026-01-15")
        var day = fixture.moment.today
        var ids: [UUID] = []
        for step in 0..<40 {
            day = day.adding(days: step == 25 ? -60 : Int.random(in: 0...9, using: &random))
            try fixture.go(to: day.iso)
            try act(fixture, &ids, &random)
            try compare(fixture, "seed \(seed), step \(step), \(day)")
        }
    }

    private func act(_ fixture: EngineFixture, _ ids: inout [UUID], _ random: inout SeededRandom) throws {
        let (store, moment) = (fixture.store, fixture.moment)
        let cycles = [
            "daily", "weekly", "biweekly", "monthly", "quarterly", "yearly", "lifetime", "every:10d", "every:5w",
        ]
        let day = { (range: ClosedRange<Int>, random: inout SeededRandom) in
            moment.today.adding(days: Int.random(in: range, using: &random))
        }
        let cycle = cycles[Int.random(in: cycles.indices, using: &random)]
        if ids.count < 3 || Int.random(in: 0..<4, using: &random) == 0 {
            var draft: SubscriptionDraft = [
                .name: "S\(ids.count)", .amount: "\(Int.random(in: 1...50, using: &random)).49",
                .currency: Bool.random(using: &random) ? "EUR" : "USD",
                .cycle: cycle, .nextBillingOn: day(-70...40, &random).iso,
                .category: Bool.random(using: &random) ? "pro" : "Jeux",
            ]
            if Bool.random(using: &random) { draft[.trialEndsOn] = day(0...30, &random).iso }
            if Bool.random(using: &random) { draft[.trialConverts] = "\(Bool.random(using: &random))" }
            if Int.random(in: 0..<5, using: &random) == 0 { draft[.bundledIn] = ids.first?.lowercased }
            if Int.random(in: 0..<4, using: &random) == 0 { draft[.endsOn] = day(60...200, &random).iso }
            ids.append(try store.subscriptions.add(draft, at: moment).id)
        }
        guard let id = ids.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            do {
                try store.subscriptions.setState(id, .paused, from: day(-20...20, &random), at: moment)
            } catch let error as DeviceStoreError where error.faults.map(\.pointer) == ["from"] {
                // No one pauses what is cancelled.
            }
        case 1: try store.subscriptions.setState(id, .active, from: day(0...5, &random), at: moment)
        case 2: try store.subscriptions.setState(id, .cancelled, from: day(0...40, &random), at: moment)
        case 3:
            try store.subscriptions.setPrice(
                id, "\(Int.random(in: 1...50, using: &random))", from: day(-30...60, &random), at: moment)
        case 4:
            try store.subscriptions.edit(id, [.nextBillingOn: day(-10...40, &random).iso, .cycle: cycle], at: moment)
        case 5:
            if let pending = try store.ledger.pending(at: moment).randomElement(using: &random) {
                try store.ledger.confirm(pending.id, at: moment)
            }
        case 6:
            if let missed = try store.ledger.missed(at: moment).randomElement(using: &random) {
                try store.ledger.confirm(missed.id, at: moment)
            }
        default:
            let coming = try store.ledger.occurrences(
                from: moment.today, through: moment.today.adding(days: 30), at: moment)
            if let some = coming.randomElement(using: &random) { try store.ledger.skip(some.id, at: moment) }
        }
    }

    /// What includes it, from the innermost outwards.
    private static func bundles(of part: Subscription, _ all: [Subscription]) -> [Subscription] {
        var bundles: [Subscription] = []
        var outer = part.bundledIn
        while let bundle = all.first(where: { $0.id == outer }), !bundles.contains(where: { $0.id == bundle.id }) {
            bundles.append(bundle)
            outer = bundle.bundledIn
        }
        return bundles
    }

    private func compare(_ fixture: EngineFixture, _ comment: String) throws {
        let (store, moment) = (fixture.store, fixture.moment)
        let today = moment.today
        let all = try store.subscriptions.all()
        let decided = try Dictionary(
            uniqueKeysWithValues: all.flatMap { subscription in
                try store.ledger.history(subscription.id, at: moment).map { ($0.occurrence, $0.status) }
            })
        let isSettled = { (id: OccurrenceID) in [.confirmed, .late, .skipped].contains(decided[id]) }
        let ids = { (subscription: Subscription, last: CalendarDay) in
            subscription.charges(from: today, through: last)
                .map { OccurrenceID(subscriptionID: subscription.id, billingOn: $0) }
        }
        let pending = try store.ledger.pending(at: moment)
        let wanted = all.flatMap { ids($0, today.adding(days: 7)) }.filter { !isSettled($0) }
        #expect(Set(pending.map(\.id)) == Set(wanted), "pending, \(comment)")
        #expect(pending.map(\.billingOn) == pending.map(\.billingOn).sorted(), "\(comment)")
        let widget = try store.ledger.widget(.large, at: moment).entries[0].payments
        #expect(widget == Array(pending.prefix(5)), "widget, \(comment)")
        let last = today.adding(days: 100)
        let upcoming = Set(try store.ledger.occurrences(from: today, through: last, at: moment).map(\.id))
        let charges = Set(all.flatMap { ids($0, last) })
        #expect(upcoming.isSuperset(of: charges), "upcoming, \(comment)")
        #expect(upcoming.subtracting(charges).allSatisfy(isSettled), "upcoming, \(comment)")
        var forecast = Forecast(today: today)
        var totals = CostTotals()
        for subscription in all {
            forecast.add(subscription)
            // Confirmed ahead, and no longer charged by the schedule.
            for entry in try store.ledger.history(subscription.id, at: moment) {
                let day = entry.occurrence.billingOn
                guard day >= today, [.confirmed, .late].contains(entry.status),
                    subscription.nextCharge(onOrAfter: day) != day
                else { continue }
                forecast.add(entry.amount, on: day)
            }
            if subscription.counts(on: today) {
                totals.add(subscription.price(on: today), subscription.cycle, subscription.scope, subscription.category)
            }
        }
        let some = { (rows: [Forecast.Row]) in rows.filter { $0.count > 0 } }
        #expect(try some(store.totals.forecast(at: moment)) == some(forecast.rows), "forecast, \(comment)")
        #expect(try store.totals.costs(at: moment) == totals.rows, "totals, \(comment)")
        let list = try store.subscriptions.list(at: moment)
        for summary in list {
            let subscription = try #require(all.first { $0.id == summary.id })
            let isOver = { (bundle: Subscription, day: CalendarDay) in
                [.cancelled, .ended].contains(bundle.status(on: day))
            }
            // A part is over with what includes it.
            let bundles = Self.bundles(of: subscription, all)
            let isOut = !isOver(subscription, today) && bundles.contains { isOver($0, today) }
            #expect(summary.status == (isOut ? .ended : subscription.status(on: today)), "list, \(comment)")
            #expect(try store.subscriptions.summary(summary.id, at: moment) == summary, "list, \(comment)")
            let coming = subscription.comingBilling(onOrAfter: today).flatMap { day in
                bundles.contains { isOver($0, day) } ? nil : day
            }
            #expect(summary.nextBillingOn == coming, "list, \(comment)")
            #expect(summary.amount == subscription.price(on: today), "list, \(comment)")
        }
        #expect(list.count == all.count)
        // A backup restored elsewhere gives the same results.
        let copy = try DeviceStore.temporary(entitlement: .free)
        try copy.backups.restore(try store.backups.make(at: moment), at: moment)
        #expect(try copy.ledger.missed(at: moment) == store.ledger.missed(at: moment), "missed, \(comment)")
        #expect(try copy.ledger.score(at: moment) == store.ledger.score(at: moment), "score, \(comment)")
        #expect(try copy.ledger.pending(at: moment) == pending, "restored, \(comment)")
    }
}
