import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct SubscriptionStoreTests {
    @Test func whatIsAddedIsThereAfterReopening() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add(
            "Ça \"va\", 👩‍👩‍👧; été",
            [.notes: "l1\nl2", .nextBillingOn: "2026-01-31", .remind: "7,1"])
        let before = try fixture.store.subscriptions.load(id)
        try fixture.store.close()
        let again = try EngineFixture.open(fixture.store.path, now: fixture.moment.now)
        #expect(try again.subscriptions.load(id) == before)
        #expect(before.nextBilling(onOrAfter: fixture.moment.today)?.iso == "2026-11-30")
    }

    @Test func listsByNameAndFilters() throws {
        let fixture = try EngineFixture()
        try fixture.add("Zoé", [.category: "pro"])
        try fixture.add("École de musique")
        try fixture.add("adobe", [.status: "paused"])
        let names = { try fixture.store.subscriptions.list($0, at: fixture.moment).map(\.name) }
        #expect(try names(SubscriptionFilter()) == ["adobe", "École de musique", "Zoé"])
        #expect(try names(SubscriptionFilter(search: "ECOLE")) == ["École de musique"])
        #expect(try names(SubscriptionFilter(scope: .pro)) == ["Zoé"])
        #expect(try names(SubscriptionFilter(status: .paused)) == ["adobe"])
        #expect(try fixture.store.subscriptions.list(limit: 2, at: fixture.moment).count == 2)
    }

    @Test func findsSymbolsAsTheyAreWritten() throws {
        let fixture = try EngineFixture()
        for name in ["50 % de musique", "Été_29", "Disney+", "a\\b", "Zoé"] { try fixture.add(name) }
        let names = {
            try fixture.store.subscriptions.list(SubscriptionFilter(search: $0), at: fixture.moment).map(\.name)
        }
        #expect(try names("%") == ["50 % de musique"])
        #expect(try names("_") == ["Été_29"])
        #expect(try names("\\") == ["a\\b"])
        #expect(try names("+") == ["Disney+"])
        #expect(try names("*") == [])
        #expect(try names("").count == 5)
        #expect(try names(" ").count == 5)
    }

    @Test func showsNoDayAndNoCostOnceNothingMoreIsCharged() throws {
        let fixture = try EngineFixture()
        let cancelled = try fixture.add("résiliée", [.nextBillingOn: "2026-12-15"])
        let ended = try fixture.add("finie", [.nextBillingOn: "2026-11-25"])
        let paused = try fixture.add("en pause", [.nextBillingOn: "2026-12-15"])
        let back = try fixture.add("reprise", [.nextBillingOn: "2026-12-15"])
        let today = fixture.moment.today
        try fixture.store.subscriptions.setState(cancelled, .cancelled, from: today, at: fixture.moment)
        try fixture.store.subscriptions.edit(ended, [.endsOn: today.adding(days: 2).iso], at: fixture.moment)
        try fixture.store.subscriptions.setState(paused, .paused, from: today, at: fixture.moment)
        try fixture.store.subscriptions.setState(back, .cancelled, from: today, at: fixture.moment)
        try fixture.store.subscriptions.setState(back, .active, from: today.adding(days: 60), at: fixture.moment)
        let listed = Dictionary(
            uniqueKeysWithValues: try fixture.store.subscriptions.list(at: fixture.moment).map { ($0.id, $0) })
        for id in [cancelled, ended, paused, back] {
            let one = try fixture.store.subscriptions.summary(id, at: fixture.moment)
            #expect(listed[id] == one)
            let isOver = id == cancelled || id == ended
            #expect((one.nextBillingOn == nil) == isOver, "\(one.name)")
            #expect((one.annualAmount.minorUnits == 0) == isOver, "\(one.name)")
            #expect((one.monthlyAmount.minorUnits == 0) == isOver, "\(one.name)")
        }
    }

    @Test func theSixthNeedsPremium() throws {
        let fixture = try EngineFixture(isPremium: false)
        let ids = try (1...5).map { try fixture.add("n° \($0)") }
        #expect(throws: DeviceStoreError.premiumRequired(.unlimitedSubscriptions)) { try fixture.add("six") }
        #expect(throws: DeviceStoreError.premiumRequired(.customCategories)) {
            try fixture.store.subscriptions.edit(ids[0], [.category: "Jeux"], at: fixture.moment)
        }
        try fixture.store.subscriptions.delete(ids[0], at: fixture.moment)
        try fixture.add("six")
    }

    @Test func lapsedPremiumHidesNothing() throws {
        let fixture = try EngineFixture()
        let ids = try (1...8).map { try fixture.add("n° \($0)", [.category: "Jeux"]) }
        try fixture.store.close()
        let free = try EngineFixture.open(fixture.store.path, now: fixture.moment.now, isPremium: false)
        #expect(try free.subscriptions.list(at: fixture.moment).count == 8)
        try free.subscriptions.edit(ids[0], [.name: "autre", .category: "Jeux"], at: fixture.moment)
        #expect(try free.subscriptions.load(ids[0]).name == "autre")
    }

    @Test func aRefusedEditChangesNothing() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        let before = try fixture.backup()
        for draft: SubscriptionDraft in [
            [.name: "new", .amount: "1.234"], [.name: "new", .currency: "JPY"],
            [.name: "new", .bundledIn: id.lowercased],
            [.name: "new", .replacedBy: "00000000-0000-7000-8000-000000000001"], [.name: ""],
        ] {
            #expect(throws: DeviceStoreError.self) {
                try fixture.store.subscriptions.edit(id, draft, at: fixture.moment)
            }
        }
        #expect(try fixture.backup() == before)
        #expect(throws: DeviceStoreError.self) { try fixture.store.subscriptions.load(UUID(high: 1, low: 2)) }
    }

    @Test func deletingTakesTheHistoryAndLinksAlong() throws {
        let fixture = try EngineFixture()
        let old = try fixture.add("old")
        let bundle = try fixture.add("bundle")
        try fixture.store.subscriptions.edit(
            old, [.bundledIn: bundle.lowercased, .replacedBy: bundle.lowercased], at: fixture.moment)
        try fixture.go(to: "2027-03-01")
        #expect(try fixture.store.ledger.missed(at: fixture.moment).count == 4)
        try fixture.store.subscriptions.delete(bundle, at: fixture.moment)
        let left = try fixture.store.subscriptions.load(old)
        #expect(left.bundledIn == nil && left.replacedBy == nil)
        // What the bundle included is charged by itself from today on; nothing of the past becomes due.
        #expect(try fixture.store.ledger.missed(at: fixture.moment).isEmpty)
    }

    @Test func statesAndPricesMoveNoDate() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        let next = { try fixture.store.subscriptions.summary(id, at: fixture.moment).nextBillingOn?.iso }
        try fixture.store.subscriptions.setPrice(id, "15.99", from: fixture.day("2027-01-01"), at: fixture.moment)
        #expect(try next() == "2026-11-25")
        for state in [SubscriptionState.paused, .active, .cancelled] {
            try fixture.store.subscriptions.setState(id, state, from: fixture.moment.today, at: fixture.moment)
            #expect(try next() == (state == .cancelled ? nil : "2026-11-25"))
        }
        #expect(try fixture.store.ledger.pending(at: fixture.moment).isEmpty)
        #expect(try fixture.store.totals.costs(at: fixture.moment).isEmpty)
    }

    @Test func changesAreTold() async throws {
        let fixture = try EngineFixture()
        let other = try EngineFixture.open(fixture.store.path, now: fixture.moment.now, seed: 2)
        let changes = fixture.store.changes(polling: .milliseconds(20))
        var iterator = changes.makeAsyncIterator()
        try fixture.add()
        let own = try #require(await iterator.next())
        // The same file through another handle, as if another process were writing.
        try other.subscriptions.add(
            [.name: "x", .amount: "1", .currency: "EUR", .cycle: "daily", .nextBillingOn: "2026-11-21"],
            at: fixture.moment)
        let foreign = try #require(await iterator.next())
        #expect(foreign > own)
    }

    @Test func severalProcessesLoseNoWrite() throws {
        let fixture = try EngineFixture()
        let (path, moment) = (fixture.store.path, fixture.moment)
        let outcomes = OwnThread.each(of: 4) { number in
            let store = try EngineFixture.open(path, now: moment.now, seed: UInt64(number + 10))
            defer { try? store.close() }
            for index in 0..<25 {
                let id = try store.subscriptions.add(
                    [
                        .name: "\(number)-\(index)", .amount: "1", .currency: "EUR", .cycle: "monthly",
                        .nextBillingOn: "2026-11-25",
                    ],
                    at: moment
                ).id
                try store.ledger.confirm(
                    OccurrenceID(subscriptionID: id, billingOn: moment.today.adding(days: 5)), at: moment)
            }
        }
        for outcome in outcomes { try outcome.get() }
        #expect(try fixture.store.subscriptions.list(at: moment).count == 100)
        #expect(try fixture.store.ledger.pending(at: moment).isEmpty)
    }

    @Test func typedTextIsOnDiskBeforeItIsApplied() async throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        let moment = fixture.moment
        // A pause longer than the test.
        let autosave = DraftAutosave(store: fixture.store, pause: .seconds(3600))
        for text in ["N", "No", "Nou", "Nouveau"] { try await autosave.type(id, [.name: text], at: moment) }
        // The state after a crash: nothing applied, nothing lost.
        #expect(try fixture.store.drafts.all() == [id: [.name: "Nouveau"]])
        #expect(try fixture.store.subscriptions.load(id).name == "Netflix")
        let revision = try fixture.store.revision()
        await autosave.flush(at: moment)
        #expect(try fixture.store.subscriptions.load(id).name == "Nouveau")
        #expect(try fixture.store.drafts.all().isEmpty)
        #expect(try fixture.store.revision() == revision + 1)
        // A draft that breaks a rule stays a draft.
        try await autosave.type(id, [.amount: "x"], at: moment)
        await autosave.flush(at: moment)
        #expect(try fixture.store.drafts.all() == [id: [.amount: "x"]])
    }

    @Test func typingIsAppliedOnceItPauses() async throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        let (applied, finished) = AsyncStream.makeStream(of: UUID.self)
        let autosave = DraftAutosave(store: fixture.store, pause: .milliseconds(20)) { id, _ in finished.yield(id) }
        try await autosave.type(id, [.name: "Nouveau"], at: fixture.moment)
        var iterator = applied.makeAsyncIterator()
        #expect(await iterator.next() == id)
        #expect(try fixture.store.subscriptions.load(id).name == "Nouveau")
    }

    @Test func noSubscriptionIsWithinItself() throws {
        let fixture = try EngineFixture()
        let (outer, inner) = (try fixture.add("a"), try fixture.add("b"))
        try fixture.store.subscriptions.edit(inner, [.bundledIn: outer.lowercased], at: fixture.moment)
        #expect(throws: DeviceStoreError.self) {
            try fixture.store.subscriptions.edit(outer, [.bundledIn: inner.lowercased], at: fixture.moment)
        }
        #expect(try fixture.store.totals.costs(at: fixture.moment).count == 1)
    }
}
