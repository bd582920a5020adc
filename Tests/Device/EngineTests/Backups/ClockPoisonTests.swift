import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Backups and stores with times of the far future: they must not win over honest edits, and never silently.
@Suite struct ClockPoisonTests {
    private let start: Moment
    private let folder: MemoryFolder

    init() throws {
        start = try EngineFixture.moment("2026-11-20")
        folder = try MemoryFolder()
    }

    /// A backup in which every timestamp is of a time.
    private static func poisoned(_ backup: [UInt8], _ milliseconds: Int64 = 0xFFFF_FFFF_FFFF) throws -> [UInt8] {
        let stamp = HybridTimestamp(milliseconds: milliseconds, counter: .max, node: 666)
        return try ForgedBackup.stamped(backup, stamp.wire)
    }

    private func names(_ store: DeviceStore) throws -> [String] { try store.subscriptions.all().map(\.notes) }

    private func edit(_ store: DeviceStore, _ notes: String, _ day: String) throws {
        let first = try #require(try store.subscriptions.all().first)
        try store.subscriptions.edit(first.id, [.notes: notes], at: try EngineFixture.moment(day))
    }

    /// Two stores with the same subscription.
    private func pair() throws -> (DeviceStore, DeviceStore) {
        let stores = try folder.stores(2, seed: 1, now: start.now)
        try stores[0].subscriptions.add(
            [.name: "Été “26” 🎉", .amount: "12.34", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-11-25"],
            at: start)
        try stores[1].backups.restore(try stores[0].backups.make(at: start), at: start)
        return (stores[0], stores[1])
    }

    @Test func aBackupOfTheFutureIsRefusedByName() throws {
        let (honest, other) = try pair()
        try edit(other, "poison", "2026-11-21")
        try other.subscriptions.add(
            [.name: "Neu", .amount: "1", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-11-25"], at: start)
        let later = try EngineFixture.moment("2026-11-22")
        let backup = try Self.poisoned(try other.backups.make(at: later))
        let before = try honest.backups.make(at: later)
        let preview = try honest.backups.mergePreview(backup, at: later)
        let report = try honest.backups.merge(backup, at: later)
        #expect(report.isEmpty && report.refused == preview.refused)
        #expect(Set(report.refused.compactMap(\.name)).isSuperset(of: ["Été “26” 🎉", "Neu"]))
        #expect(try honest.backups.make(at: later) == before)
        try edit(honest, "honest", "2026-11-22")
        #expect(try names(honest) == ["honest"])
        #expect(try honest.clock.ahead(at: later) == nil)
    }

    /// What else belongs to the subscription is taken; what belongs to a new subscription that lies ahead is not.
    @Test func whatRefersToSomethingOfTheFutureIsRefusedWithIt() throws {
        let (honest, other) = try pair()
        let (now, ahead) = (try EngineFixture.moment("2026-11-22"), try EngineFixture.moment("2036-01-01"))
        let id = try #require(try other.subscriptions.all().first).id
        try edit(other, "honest", "2026-11-21")
        let person = Person(id: other.makeID(now), name: "Zoé", createdAt: now.now)
        try other.sharing.save(person, at: now)
        try other.sharing.setSplit(Split(kind: .even, people: [person.id]), of: id, at: ahead)
        let added = try other.subscriptions.add(
            [.name: "Neu", .amount: "1", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2036-01-15"], at: ahead)
        try other.subscriptions.setPrice(added.id, "2", from: now.today.adding(days: 4000), at: ahead)
        let report = try honest.backups.merge(try other.backups.make(at: now), at: now)
        #expect(report.refused.contains { $0.table == "shares" } && report.refused.contains { $0.table == "prices" })
        #expect(try names(honest) == ["honest"])
        #expect(try honest.sharing.people().map(\.name) == ["Zoé"])
        #expect(try honest.subscriptions.all().map(\.name) == ["Été “26” 🎉"])
    }

    /// A clock of an hour ahead is as good as any.
    @Test func aBackupOfADayAheadIsTaken() throws {
        let (honest, other) = try pair()
        try edit(other, "tomorrow", "2026-11-22")
        let now = try EngineFixture.moment("2026-11-21")
        let report = try honest.backups.merge(try other.backups.make(at: now), at: now)
        #expect(report.refused.isEmpty)
        #expect(try names(honest) == ["tomorrow"])
    }

    @Test func aRestoredBackupOfTheFutureLeavesTheClockAlone() throws {
        let (honest, other) = try pair()
        try edit(other, "poison", "2026-11-21")
        let now = try EngineFixture.moment("2026-11-22")
        let backup = try Self.poisoned(try other.backups.make(at: now))
        try other.backups.restore(backup, at: now)
        #expect(try other.clock.ahead(at: now) != nil)
        // The honest edit is newer, and what lies ahead never wins.
        try edit(honest, "honest", "2026-11-22")
        try other.backups.merge(try honest.backups.make(at: now), at: now)
        #expect(try names(other) == ["honest"])
        try edit(other, "other", "2026-11-23")
        let report = try honest.backups.merge(
            try other.backups.make(at: try EngineFixture.moment("2026-11-23")),
            at: try EngineFixture.moment("2026-11-23"))
        #expect(!report.overridden.isEmpty)
        #expect(try names(honest) == ["other"])
    }

    @Test func aRepairedStoreIsTakenByOthersInTheSameOrder() throws {
        let (honest, other) = try pair()
        // The clock of the device runs ten years ahead.
        try edit(other, "first", "2036-01-01")
        try edit(other, "second", "2036-01-02")
        let now = try EngineFixture.moment("2026-11-22")
        #expect(try other.clock.ahead(at: now) != nil)
        #expect(try !honest.backups.merge(try other.backups.make(at: now), at: now).refused.isEmpty)
        let repair = try other.clock.repair(at: now)
        #expect(repair.rows == 1 && repair.wasAt != nil)
        #expect(try other.clock.ahead(at: now) == nil)
        #expect(try other.clock.repair(at: now).wasAt == nil)
        let report = try honest.backups.merge(try other.backups.make(at: now), at: now)
        #expect(report.refused.isEmpty)
        #expect(try names(honest) == ["second"])
        try edit(honest, "honest", "2026-11-23")
        let next = try EngineFixture.moment("2026-11-23")
        try other.backups.merge(try honest.backups.make(at: next), at: next)
        #expect(try names(other) == ["honest"])
        #expect(try other.backups.make(at: next) == honest.backups.make(at: next))
    }

    /// The time at which it was entered is healed as well: else it would outdo every later resumption.
    @Test func aRepairedCancellationIsEndedByALaterResumptionElsewhere() throws {
        let (honest, other) = try pair()
        let day = { (text: String) in try EngineFixture.moment(text).today }
        let id = try #require(try honest.subscriptions.all().first).id
        try other.subscriptions.cancel(
            id, on: try day("2026-12-01"), at: try EngineFixture.moment("2036-01-01"))
        let now = try EngineFixture.moment("2026-11-22")
        #expect(try other.clock.repair(at: now).rows > 0)
        let later = try EngineFixture.moment("2026-11-23")
        try honest.subscriptions.cancel(id, on: try day("2026-11-28"), at: later)
        try honest.subscriptions.setState(id, .active, from: try day("2026-12-05"), at: later)
        try honest.backups.merge(try other.backups.make(at: now), at: later)
        let merged = try honest.subscriptions.load(id)
        // It can still be taken back where it was entered.
        let undone = try other.journal.undo(at: later)
        #expect(undone.left.isEmpty)
        #expect(try other.subscriptions.load(id).state(on: day("2026-12-02")) == .active)
        #expect(try merged.state(on: day("2026-12-02")) == .cancelled)
        #expect(try merged.state(on: day("2026-12-06")) == .active)
    }

    /// Poisoned and honest devices merged in any order: honest edits win after at most one merge.
    @Test(arguments: SeededRandom.seeds(6, of: 60))
    func honestEditsWin(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let stores = try folder.stores(3, seed: seed, now: start.now)
        var commands = RandomCommands(stores[0], SeededRandom(seed: seed))
        for _ in 0..<3 { try commands.add(at: start) }
        let base = try stores[0].backups.make(at: start)
        try stores[1].backups.restore(base, at: start)
        // The third one is poisoned as a whole.
        try stores[2].backups.restore(
            try Self.poisoned(base, Int64.random(in: 1 << 42...0xFFFF_FFFF_FFFF, using: &random)), at: start)
        let day = try EngineFixture.moment("2026-11-25")
        let ids = try stores[0].subscriptions.all().map(\.id)
        for (number, id) in ids.enumerated() {
            try stores[number % 2].subscriptions.edit(id, [.notes: "honest \(number)"], at: day)
            try stores[2].subscriptions.edit(id, [.details: "x"], at: start)
        }
        let now = try EngineFixture.moment("2026-11-26")
        var pairs = [(0, 1), (1, 0), (0, 2), (1, 2), (2, 0), (2, 1)]
        pairs.shuffle(using: &random)
        for (into, from) in pairs {
            try stores[into].backups.merge(try stores[from].backups.make(at: now), at: now)
        }
        try stores[2].backups.merge(try stores[0].backups.make(at: now), at: now)
        try stores[2].backups.merge(try stores[1].backups.make(at: now), at: now)
        for (place, store) in stores.enumerated() {
            let notes = try ids.map { try store.subscriptions.load($0).notes }
            #expect(notes == ids.indices.map { "honest \($0)" }, "store \(place), seed \(seed), \(pairs)")
        }
    }
}
