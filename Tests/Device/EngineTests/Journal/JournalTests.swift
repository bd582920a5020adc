import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct JournalTests {
    private func what(_ fixture: EngineFixture, _ language: DisplayLanguage = .english) throws -> [String] {
        try fixture.store.journal.entries(at: fixture.moment).map { $0.displayText(language) }
    }

    @Test func everyChangeHasAPlainDescription() throws {
        let fixture = try EngineFixture()
        let store = fixture.store
        let id = try fixture.add()
        try store.subscriptions.setPrice(id, "15.99", from: fixture.day("2027-01-01"), at: fixture.moment)
        try store.subscriptions.setState(id, .paused, from: fixture.day("2026-12-01"), at: fixture.moment)
        try store.subscriptions.edit(id, [.notes: "x", .website: "netflix.com"], at: fixture.moment)
        try store.ledger.confirm(fixture.occurrence(id, "2026-11-25"), at: fixture.moment)
        try store.ledger.recordPaid(fixture.occurrence(id, "2026-11-25"), amount: "12.00", at: fixture.moment)
        try store.budgets.set(category: "pro", amount: "50", currency: "EUR", period: .month, at: fixture.moment)
        try store.settings.set(.homeCurrency, to: "eur", at: fixture.moment)
        let zoe = Person(id: store.makeID(fixture.moment), name: "Zoé", createdAt: fixture.moment.now)
        try store.sharing.save(zoe, at: fixture.moment)
        try store.sharing.deletePerson(zoe.id, isForced: true, at: fixture.moment)
        try store.subscriptions.delete(id, at: fixture.moment)
        #expect(
            try what(fixture).reversed() == [
                "Netflix: added €13.49", "Netflix: price €15.99 from 2027-01-01", "Netflix: paused from 2026-12-01",
                "Netflix: notes, website changed", "Netflix: charge of 2026-11-25 confirmed",
                "Netflix: charge of 2026-11-25 paid €12.00", "Pro: budget €50.00", "home currency: EUR",
                "Zoé: person added", "Zoé: person deleted", "Netflix: deleted",
            ])
        let french = try what(fixture, .french)
        #expect(french.last == "Netflix : ajouté 13,49\u{A0}€" && french.first == "Netflix : supprimé")
        #expect(french[9] == "Netflix : prix 15,99\u{A0}€ à partir du 01/01/2027")
    }

    /// A corrected date is named, not the former one, whose row is changed too.
    @Test func aCorrectedCancellationIsNamedByItsNewDay() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add("Gym", [.startedOn: "2026-06-25"])
        for day in ["2026-08-15", "2026-12-01", "2026-08-15"] {
            try fixture.store.subscriptions.cancel(id, on: fixture.day(day), at: fixture.moment)
        }
        try fixture.store.subscriptions.setState(id, .active, from: fixture.moment.today, at: fixture.moment)
        #expect(
            try what(fixture).reversed().dropFirst() == [
                "Gym: cancelled from 2026-08-15", "Gym: cancelled from 2026-12-01", "Gym: cancelled from 2026-08-15",
                "Gym: active from 2026-11-20",
            ])
    }

    /// A pause is named by its own day, also where only its end changes.
    @Test func aCorrectedPauseIsNamedByItsFirstDay() throws {
        let fixture = try EngineFixture()
        let (subscriptions, id) = (fixture.store.subscriptions, try fixture.add("Été 🏊"))
        let first = try fixture.day("2026-12-01")
        try subscriptions.pause(id, from: first, at: fixture.moment)
        try subscriptions.setState(id, .active, from: fixture.day("2026-12-15"), at: fixture.moment)
        for last in [try fixture.day("2026-12-20"), try fixture.day("2026-12-10"), nil] {
            try subscriptions.pause(id, from: first, through: last, at: fixture.moment)
        }
        let paused = "Été 🏊: paused from 2026-12-01"
        #expect(
            try what(fixture).reversed().dropFirst() == [
                paused, "Été 🏊: active from 2026-12-15", paused, paused, paused,
            ])
    }

    /// The button of one change never takes back another one.
    @Test func onlyTheNamedChangeIsTakenBack() throws {
        let fixture = try EngineFixture()
        let (store, id) = (fixture.store, try fixture.add())
        try store.subscriptions.edit(id, [.notes: "a"], at: fixture.moment)
        let shown = try #require(try store.journal.entries(at: fixture.moment).first)
        try store.subscriptions.edit(id, [.name: "b"], at: fixture.moment)
        #expect(throws: DeviceStoreError.self) { try store.journal.undo(entry: shown.id, at: fixture.moment) }
        #expect(try store.subscriptions.load(id).notes == "a")
        try store.journal.undo(at: fixture.moment)
        #expect(try store.journal.undo(entry: shown.id, at: fixture.moment).entries.map(\.id) == [shown.id])
        #expect(throws: DeviceStoreError.self) { try store.journal.undo(entry: shown.id, at: fixture.moment) }
        #expect(try store.subscriptions.load(id).notes.isEmpty)
    }

    @Test func whatWasRemovedIsNamedAsRemoved() throws {
        let fixture = try EngineFixture()
        let (store, id) = (fixture.store, try fixture.add())
        let (april, may) = (try fixture.day("2027-04-01"), try fixture.day("2027-05-01"))
        try store.subscriptions.setPrice(id, "17", from: april, at: fixture.moment)
        try store.subscriptions.removePrice(id, from: april, at: fixture.moment)
        try store.subscriptions.setPrice(id, "17", from: april, at: fixture.moment)
        try store.subscriptions.pause(id, from: april, through: may, at: fixture.moment)
        try store.subscriptions.removePause(id, from: april, at: fixture.moment)
        try store.subscriptions.cancel(id, on: may, at: fixture.moment)
        try store.subscriptions.setState(id, .active, from: fixture.moment.today, at: fixture.moment)
        #expect(
            try what(fixture).reversed().dropFirst() == [
                "Netflix: price €17.00 from 2027-04-01", "Netflix: price €17.00 from 2027-04-01 removed",
                "Netflix: price €17.00 from 2027-04-01", "Netflix: paused from 2027-04-01",
                "Netflix: pause from 2027-04-01 removed", "Netflix: cancelled from 2027-05-01",
                "Netflix: cancellation from 2027-05-01 taken back",
            ])
        #expect(try what(fixture, .french)[2] == "Netflix : pause à partir du 01/04/2027 retirée")
        let rows = { try store.subscriptions.load(id).states.map(\.from.iso) }
        #expect(try rows() == [])
        try store.journal.undo(3, at: fixture.moment)
        #expect(try rows() == ["2027-04-01", "2027-05-02"])
        try store.journal.redo(3, at: fixture.moment)
        #expect(try rows() == [])
        try store.journal.undo(6, at: fixture.moment)
        #expect(try store.subscriptions.load(id).prices.map(\.from) == [april])
    }

    @Test func aChangeThatChangesNothingIsNoEntry() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        try fixture.store.subscriptions.edit(id, [.name: "Netflix"], at: fixture.moment)
        try fixture.store.ledger.confirm(fixture.occurrence(id, "2026-11-25"), at: fixture.moment)
        try fixture.store.ledger.confirm(fixture.occurrence(id, "2026-11-25"), at: fixture.moment)
        #expect(throws: DeviceStoreError.self) {
            try fixture.store.subscriptions.edit(id, [.amount: "-1"], at: fixture.moment)
        }
        #expect(try what(fixture).count == 2)
    }

    @Test func aDeletedSubscriptionComesBackWhole() throws {
        let fixture = try EngineFixture("2026-08-01")
        let store = fixture.store
        let bundle = try fixture.add("Bundle", [.nextBillingOn: "2026-08-03"])
        let id = try fixture.add("Part", [.nextBillingOn: "2026-08-02", .bundledIn: bundle.lowercased])
        let zoe = Person(id: store.makeID(fixture.moment), name: "Zoé", createdAt: fixture.moment.now)
        try store.sharing.save(zoe, at: fixture.moment)
        try store.sharing.setSplit(Split(kind: .even, people: [zoe.id]), of: bundle, at: fixture.moment)
        try store.subscriptions.setPrice(bundle, "20", from: fixture.day("2026-10-01"), at: fixture.moment)
        try fixture.go(to: "2026-11-20")
        try store.ledger.confirm(fixture.occurrence(bundle, "2026-11-03"), at: fixture.moment)
        let before = try fixture.backup()
        try store.subscriptions.delete(bundle, at: fixture.moment)
        #expect(try store.subscriptions.load(id).bundledIn == nil)
        try store.journal.undo(at: fixture.moment)
        #expect(try store.subscriptions.load(id).bundledIn == bundle)
        #expect(
            try RandomUser.rows(fixture.backup(), stamped: false) == RandomUser.rows(before, stamped: false))
        try store.journal.redo(at: fixture.moment)
        #expect(throws: DeviceStoreError.self) { try store.subscriptions.load(bundle) }
    }

    @Test func anImportARestoreAndAMergeAreOneEntryEach() throws {
        let fixture = try EngineFixture()
        let store = fixture.store
        try fixture.add("stays")
        let csv = "name,amount,currency,cycle,next\n" + (1...50).map { "n\($0),5,EUR,monthly,2026-12-01\n" }.joined()
        let start = try fixture.backup()
        _ = try store.portability.importFile(Array(csv.utf8), ImportOptions(format: .csv), at: fixture.moment)
        let imported = try fixture.backup()
        let other = try EngineFixture(seed: 9)
        try other.add("theirs")
        #expect(try store.backups.merge(other.backup(), at: fixture.moment).safetyCopy != nil)
        let merged = try fixture.backup()
        #expect(try store.backups.restore(start, at: fixture.moment) != nil)
        #expect(
            try store.journal.entries(at: fixture.moment).map(\.kind) == [
                .restored, .merged, .imported, .subscriptionAdded,
            ])
        #expect(try what(fixture)[2] == "import: 50 subscriptions")
        for wanted in [merged, imported, start] {
            try store.journal.undo(at: fixture.moment)
            // For other devices, the undone import says that it was undone.
            let rows = try RandomUser.rows(fixture.backup(), stamped: false).filter { !$0.hasPrefix("withdrawals") }
            #expect(try rows == RandomUser.rows(wanted, stamped: false))
        }
        #expect(try store.journal.redo(3, at: fixture.moment).entries.count == 3)
        #expect(try store.subscriptions.list(at: fixture.moment).map(\.name) == ["stays"])
    }

    @Test func redoEndsWithANewChange() throws {
        let fixture = try EngineFixture()
        try fixture.add("a")
        try fixture.add("b")
        #expect(throws: DeviceStoreError.nothingToRedo) { try fixture.store.journal.redo(at: fixture.moment) }
        try fixture.store.journal.undo(at: fixture.moment)
        #expect(try fixture.store.journal.entries(at: fixture.moment).map(\.isUndone) == [true, false])
        try fixture.add("c")
        #expect(throws: DeviceStoreError.nothingToRedo) { try fixture.store.journal.redo(at: fixture.moment) }
        #expect(try fixture.store.subscriptions.list(at: fixture.moment).map(\.name) == ["a", "c"])
        #expect(throws: DeviceStoreError.self) { try fixture.store.journal.undo(3, at: fixture.moment) }
        #expect(throws: DeviceStoreError.self) { try fixture.store.journal.undo(0, at: fixture.moment) }
        try fixture.store.journal.undo(2, at: fixture.moment)
        #expect(throws: DeviceStoreError.nothingToUndo) { try fixture.store.journal.undo(at: fixture.moment) }
        #expect(try fixture.store.subscriptions.list(at: fixture.moment).isEmpty)
    }

    @Test func theJournalReaches500ChangesAnd90Days() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        for number in 1...503 {
            try fixture.store.subscriptions.edit(id, [.notes: "\(number)"], at: fixture.moment)
        }
        #expect(try fixture.store.journal.entries(at: fixture.moment).count == 500)
        try fixture.store.journal.undo(500, at: fixture.moment)
        #expect(try fixture.store.subscriptions.load(id).notes == "3")
        try fixture.store.journal.redo(500, at: fixture.moment)
        #expect(try fixture.store.subscriptions.load(id).notes == "503")
        try fixture.go(to: "2027-02-18")
        #expect(try fixture.store.journal.entries(at: fixture.moment).count == 500)
        try fixture.go(to: "2027-02-19")
        #expect(try fixture.store.journal.entries(at: fixture.moment).isEmpty)
        #expect(throws: DeviceStoreError.nothingToUndo) { try fixture.store.journal.undo(at: fixture.moment) }
    }

    @Test("A clock that ran ahead for a command or two leaves what can be undone")
    func aClockAheadKeepsTheJournal() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        try fixture.store.subscriptions.edit(id, [.notes: "a"], at: fixture.moment)
        try fixture.go(to: "2028-11-20")
        for note in ["b", "c"] { try fixture.store.subscriptions.edit(id, [.notes: note], at: fixture.moment) }
        try fixture.go(to: "2026-11-21")
        #expect(try fixture.store.journal.entries(at: fixture.moment).count == 4)
        try fixture.store.journal.undo(4, at: fixture.moment)
        #expect(try fixture.store.subscriptions.list(at: fixture.moment).isEmpty)
    }

    @Test("What is older than 90 days goes with the second day of use after it")
    func oldEntriesGo() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        for day in ["2027-03-01", "2027-03-03"] {
            try fixture.go(to: day)
            try fixture.store.subscriptions.edit(id, [.notes: day], at: fixture.moment)
        }
        try fixture.go(to: "2026-11-20")
        #expect(try fixture.store.journal.entries(at: fixture.moment).count == 2)
    }

    @Test func anUndoIsAnEditLikeAnyOtherForOtherDevices() throws {
        let (first, second) = (try EngineFixture(seed: 1), try EngineFixture(seed: 2))
        let id = try first.add("Netflix", [.nextBillingOn: "2026-11-21"])
        try first.go(to: "2026-11-22")
        try first.store.subscriptions.edit(id, [.notes: "wrong"], at: first.moment)
        try first.store.ledger.confirm(first.occurrence(id, "2026-11-21"), at: first.moment)
        try second.go(to: "2026-11-22")
        try second.store.backups.merge(first.backup(), at: second.moment)
        #expect(try second.store.ledger.missed(at: second.moment).isEmpty)
        try first.store.journal.undo(2, at: first.moment)
        try second.store.backups.merge(first.backup(), at: second.moment)
        #expect(try second.store.subscriptions.load(id).notes.isEmpty)
        #expect(try second.store.ledger.missed(at: second.moment).count == 1)
        // The old backup does not bring it back.
        #expect(try first.store.backups.merge(second.backup(), at: first.moment).isEmpty)
    }

    @Test func eventsAreNeitherSentTwiceNorTakenBack() throws {
        let fixture = try EngineFixture()
        let waiting = { try fixture.store.analytics.queueCounts().waiting }
        try fixture.add()
        let count = try waiting()
        try fixture.store.journal.undo(at: fixture.moment)
        try fixture.store.journal.redo(at: fixture.moment)
        // It went and came back; the milestone is not reached twice.
        #expect(try count > 0 && waiting() == count + 2)
    }

    @Test func settingsAreCheckedAndTakenBack() throws {
        let fixture = try EngineFixture()
        let settings = fixture.store.settings
        #expect(try settings.value(.backupWarningDays) == "30" && settings.value(.language) == nil)
        try settings.set(.language, to: "FR", at: fixture.moment)
        try settings.set(.backupWarningDays, to: "7", at: fixture.moment)
        #expect(try settings.language() == .french && settings.backupWarningDays() == 7)
        try fixture.store.journal.undo(2, at: fixture.moment)
        #expect(try settings.language() == nil && settings.backupWarningDays() == 30)
        try fixture.store.journal.redo(at: fixture.moment)
        #expect(try settings.language() == .french)
        for (setting, value) in [(UserSetting.language, "de"), (.homeCurrency, "EURO"), (.backupWarningDays, "-1")] {
            #expect(throws: DeviceStoreError.self) { try settings.set(setting, to: value, at: fixture.moment) }
        }
        #expect(throws: DeviceStoreError.self) { try settings.named("theme") }
    }
}
