import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine
import Testing

@Suite struct EventQueueTests {
    private func names(_ fixture: EngineFixture) throws -> [String] {
        let consent = try fixture.store.analytics.consent()
        try fixture.store.analytics.setConsent(.granted, at: fixture.moment)
        let names =
            try fixture.store.analytics.nextBatch(limit: 20_000, for: "https://a.example", at: fixture.moment)?.entries
            .map(\.name)
            ?? []
        if consent == .undecided { try fixture.store.analytics.setConsent(.undecided, at: fixture.moment) }
        return names
    }

    @Test func milestonesComeOnceWhateverIsDeletedAndAddedAgain() throws {
        let fixture = try EngineFixture()
        try fixture.store.analytics.recordOpening(at: fixture.moment)
        var ids = try (1...5).map { try fixture.add("S\($0)") }
        for id in ids { try fixture.store.subscriptions.delete(id, at: fixture.moment) }
        ids = try (1...6).map { try fixture.add("T\($0)") }
        let names = try names(fixture)
        #expect(names.filter { $0 == "subscription_added" }.count == 11)
        #expect(names.filter { $0 == "subscription_removed" }.count == 5)
        for milestone in ["app_downloaded", "first_subscription_added", "five_subscriptions_reached"] {
            #expect(names.filter { $0 == milestone }.count == 1, "\(milestone)")
        }
        #expect(names.filter { $0 == "app_opened" }.count == 1)
        #expect(names.firstIndex(of: "first_subscription_added") == 3)
    }

    @Test func linkedSubscriptionsNameTheirItemAndNothingElse() throws {
        let fixture = try EngineFixture()
        let item = CatalogueSample.id(7).lowercased
        let id = try fixture.add("Secret name", [.catalogueItemID: item, .notes: "secret note"])
        try fixture.store.subscriptions.delete(id, at: fixture.moment)
        try fixture.store.analytics.setConsent(.granted, at: fixture.moment)
        let entries = try #require(
            try fixture.store.analytics.nextBatch(limit: 10, for: "https://a.example", at: fixture.moment)
        )
        .entries
        #expect(entries.map(\.name) == ["subscription_added", "first_subscription_added", "subscription_removed"])
        #expect(
            entries.map { $0.properties.members.map(\.name) } == [["catalogue_item_id"], [], ["catalogue_item_id"]])
        #expect(entries[2].properties["catalogue_item_id"]?.stringValue == item)
    }

    /// What a server counts as tracked is what is stored.
    @Test func undoAndRedoTellOfWhatComesAndGoes() throws {
        let fixture = try EngineFixture()
        let (store, moment) = (fixture.store, fixture.moment)
        func check(_ count: Int, line: Int = #line) throws {
            let names = try names(fixture)
            let tracked =
                names.filter { $0 == "subscription_added" }.count - names.filter { $0 == "subscription_removed" }.count
            #expect(try tracked == count && store.subscriptions.list(at: moment).count == count, "line \(line)")
        }
        let item = CatalogueSample.id(7).lowercased
        let id = try fixture.add("Zoë’s “Net”", [.catalogueItemID: item])
        try store.journal.undo(at: moment)
        try check(0)
        try store.journal.redo(at: moment)
        try check(1)
        try store.subscriptions.edit(id, [.name: "Zoë"], at: moment)
        try store.subscriptions.delete(id, at: moment)
        try check(0)
        try store.journal.undo(3, at: moment)
        try check(0)
        try store.journal.redo(2, at: moment)
        try check(1)
        let rows = (1...6).map { "S\($0),1.50,EUR,monthly,2026-12-24" }
        let csv = Array((["name,amount,currency,cycle,next"] + rows).joined(separator: "\n").utf8)
        _ = try store.portability.importFile(csv, ImportOptions(format: .csv), at: moment)
        try check(7)
        try store.journal.undo(at: moment)
        try check(1)
        let batch = try store.analytics.preview(limit: 100)
        let ofItem = batch.entries.filter { $0.properties["catalogue_item_id"]?.stringValue == item }
        #expect(ofItem.count == batch.entries.filter { $0.name.hasPrefix("subscription_") }.count - 12)
        for name in ["first_subscription_added", "five_subscriptions_reached"] {
            #expect(batch.entries.filter { $0.name == name }.count == 1, "\(name)")
        }
        try store.analytics.setConsent(.revoked, at: moment)
        try store.journal.redo(at: moment)
        #expect(try store.analytics.queueCounts().waiting == 0)
    }

    @Test func undoneMergesAndRestoresAreNoEvents() throws {
        let (source, target) = (try EngineFixture(), try EngineFixture(seed: 2))
        try source.add("Zoë’s “Net”")
        for restores in [true, false] {
            if restores {
                try target.store.backups.restore(source.backup(), at: target.moment)
            } else {
                try target.store.backups.merge(source.backup(), at: target.moment)
            }
            try target.store.journal.undo(at: target.moment)
            #expect(try target.store.subscriptions.list(at: target.moment).isEmpty)
            try target.store.journal.redo(at: target.moment)
            try target.store.journal.undo(at: target.moment)
        }
        #expect(try names(target) == [])
    }

    @Test func aRefusedChangeLeavesNoEvent() throws {
        let fixture = try EngineFixture(isPremium: false)
        for number in 1...5 { try fixture.add("S\(number)") }
        let before = try fixture.store.analytics.queueCounts()
        #expect(throws: DeviceStoreError.self) { try fixture.add("One too many") }
        #expect(throws: DeviceStoreError.self) {
            try fixture.store.subscriptions.delete(CatalogueSample.id(1), at: fixture.moment)
        }
        #expect(try fixture.store.analytics.queueCounts() == before)
    }

    @Test func restoreAndMergeAreNoMilestones() throws {
        let source = try EngineFixture()
        for number in 1...5 { try source.add("S\(number)") }
        let backup = try source.backup()
        for restores in [true, false] {
            let target = try EngineFixture(seed: 2)
            if restores {
                try target.store.backups.restore(backup, at: target.moment)
            } else {
                try target.store.backups.merge(backup, at: target.moment)
            }
            #expect(try names(target) == [])
            for row in try target.store.subscriptions.list(at: target.moment) {
                try target.store.subscriptions.delete(row.id, at: target.moment)
            }
            for number in 1...5 { try target.add("T\(number)") }
            #expect(Set(try names(target)) == ["subscription_added", "subscription_removed"])
        }
    }

    @Test func anImportTellsOfEachOnceAndADryRunOfNone() throws {
        let fixture = try EngineFixture()
        let rows = (1...40).map { "S\($0),1.50,EUR,monthly,2026-12-24" }
        let csv = Array((["name,amount,currency,cycle,next"] + rows).joined(separator: "\n").utf8)
        var options = ImportOptions(format: .csv)
        options.isDryRun = true
        _ = try fixture.store.portability.importFile(csv, options, at: fixture.moment)
        #expect(try fixture.store.analytics.queueCounts().waiting == 0)
        options.isDryRun = false
        #expect(try fixture.store.portability.importFile(csv, options, at: fixture.moment).added.count == 40)
        let names = try names(fixture)
        #expect(names.filter { $0 == "subscription_added" }.count == 40)
        #expect(names.filter { $0 == "five_subscriptions_reached" }.count == 1)
        #expect(names.firstIndex(of: "five_subscriptions_reached") == 6)
    }

    @Test func theOldestOrdinaryOnesGoFirstAndAreCounted() throws {
        let fixture = try EngineFixture()
        let rows = (1...5200).map { "S\($0),1.50,EUR,monthly,2026-12-24" }
        let csv = Array((["name,amount,currency,cycle,next"] + rows).joined(separator: "\n").utf8)
        try fixture.store.analytics.recordOpening(at: fixture.moment)
        _ = try fixture.store.portability.importFile(csv, ImportOptions(format: .csv), at: fixture.moment)
        let figures = try fixture.store.analytics.queueCounts()
        // Three milestones stay; app_opened and two hundred additions were dropped.
        #expect(figures.waiting == 5003 && figures.dropped == 201)
        let names = try names(fixture)
        #expect(Array(names.prefix(3)) == ["app_downloaded", "first_subscription_added", "five_subscriptions_reached"])
        #expect(!names.contains("app_opened"))
    }

    @Test func openingCountsDaysOfTheZone() throws {
        let fixture = try EngineFixture("2026-03-01T23:30:00Z")  // the second of March in Paris
        for now in [
            "2026-03-01T23:30:00Z", "2026-03-02T00:10:00Z",
            // The next day in Paris: day 1.
            "2026-03-02T23:00:00Z", "2026-03-03T20:00:00Z", "2026-03-09T12:00:00Z",
            // Day 29, 30 and 31, over the change to summer time.
            "2026-03-31T12:00:00Z", "2026-04-01T12:00:00Z", "2026-04-02T12:00:00Z",
        ] {
            try fixture.go(to: now)
            try fixture.store.analytics.recordOpening(at: fixture.moment)
        }
        #expect(
            try names(fixture) == [
                "app_downloaded", "app_opened", "app_opened", "retention_d1", "app_opened", "retention_d7",
                "app_opened", "app_opened", "retention_d30", "app_opened",
            ])
    }

    @Test func aClockThatStepsBackOpensNoDayTwice() throws {
        let fixture = try EngineFixture("2026-11-20T10:00:00Z")
        for now in ["2026-11-20T10:00:00Z", "2026-11-19T23:30:00Z", "2026-11-18T10:00:00Z", "2026-11-20T11:00:00Z"] {
            try fixture.go(to: now)
            try fixture.store.analytics.recordOpening(at: fixture.moment)
        }
        #expect(try names(fixture) == ["app_downloaded", "app_opened"])
        // A clock that was years ahead does not suppress the events of the days until then.
        for now in ["2031-01-01", "2026-11-21"] {
            try fixture.go(to: now)
            try fixture.store.analytics.recordOpening(at: fixture.moment)
        }
        #expect(try names(fixture).filter { $0 == "app_opened" }.count == 3)
    }

    @Test func entriesStayUntilTheyAreSettled() throws {
        let fixture = try EngineFixture()
        for number in 1...3 { try fixture.add("S\(number)") }
        try fixture.store.analytics.setConsent(.granted, at: fixture.moment)
        let first = try #require(
            try fixture.store.analytics.nextBatch(limit: 2, for: "https://a.example", at: fixture.moment))
        #expect(first.entries.count == 2)
        #expect(
            try fixture.store.analytics.nextBatch(limit: 2, for: "https://a.example", at: fixture.moment)?.entries.map(
                \.id)
                == first.entries.map(\.id))
        try fixture.store.analytics.settle(first.entries.map(\.id), rejected: 1, at: fixture.moment)
        try fixture.store.analytics.settle(first.entries.map(\.id), rejected: 0, at: fixture.moment)
        let figures = try fixture.store.analytics.queueCounts()
        #expect(figures.waiting == 2 && figures.dropped == 0 && figures.rejected == 1)
    }
}
