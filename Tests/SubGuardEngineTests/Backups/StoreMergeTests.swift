import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct StoreMergeTests {
    /// Two devices that began with the same data.
    private func devices() throws -> (EngineFixture, EngineFixture, UUID) {
        let first = try EngineFixture(seed: 1)
        let id = try first.add()
        let second = try EngineFixture(seed: 2)
        try second.store.merge(try first.backup(), at: second.moment)
        return (first, second, id)
    }

    @Test func theNewestEditOfEachFieldStays() throws {
        let (first, second, id) = try devices()
        try first.go(to: "2026-11-20T11:00:00Z")
        try first.store.edit(id, [.name: "Netflix HD", .notes: "premier"], at: first.moment)
        try second.go(to: "2026-11-20T12:00:00Z")
        try second.store.edit(id, [.notes: "second", .website: "https://netflix.fr"], at: second.moment)
        let report = try first.store.merge(try second.backup(), at: second.moment)
        let merged = try first.store.subscription(id)
        #expect(merged.name == "Netflix HD" && merged.notes == "second" && merged.website == "https://netflix.fr")
        #expect(report.overridden.map(\.field) == ["notes", "website"])
        #expect(report.overridden[0].old == "premier" && report.overridden[0].new == "second")
        #expect(report.overridden[0].name == "Netflix HD")
        #expect(try first.store.merge(try second.backup(), at: second.moment).isEmpty)
    }

    @Test func additionsStayAndWhatIsMissingIsNoDeletion() throws {
        let (first, second, id) = try devices()
        let added = try first.add("premier")
        try second.add("second")
        try second.store.deleteSubscription(id, at: second.moment)
        let report = try second.store.merge(try first.backup(), at: second.moment)
        #expect(try second.store.list(at: second.moment).map(\.name) == ["Netflix", "premier", "second"])
        #expect(report.added == ["subscriptions": 2])
        #expect(try second.store.subscription(added).name == "premier")
    }

    @Test func theLedgerMergesToo() throws {
        let (first, second, id) = try devices()
        try first.store.acknowledge(first.occurrence(id, "2026-11-25"), at: first.moment)
        try second.go(to: "2026-12-20")
        #expect(try second.store.missed(at: second.moment).count == 1)
        try second.store.merge(try first.backup(), at: second.moment)
        #expect(try second.store.missed(at: second.moment).isEmpty)
        #expect(try second.store.score(at: second.moment).acknowledged == 1)
    }

    @Test func aClockThatIsBehindStillWritesLater() throws {
        let (first, second, id) = try devices()
        try first.go(to: "2026-11-20T15:00:00Z")
        try first.store.edit(id, [.notes: "à 15 h"], at: first.moment)
        try second.store.merge(try first.backup(), at: second.moment)
        // By its own clock this is five hours before what it has just seen.
        try second.store.edit(id, [.notes: "après"], at: second.moment)
        try first.store.merge(try second.backup(), at: first.moment)
        #expect(try first.store.subscription(id).notes == "après")
    }

    @Test(arguments: 1...6)
    func anyOrderComesToTheSameBytes(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let start = try EngineFixture(seed: 1)
        for number in 0..<4 { try start.add("n° \(number)", [.cycle: "weekly"]) }
        let base = try start.backup()
        var backups: [[UInt8]] = []
        for device in 0..<3 {
            let fixture = try EngineFixture(seed: UInt64(device + 2))
            try fixture.store.restore(base, at: fixture.moment)
            let ids = try fixture.store.subscriptions().map(\.id)
            for _ in 0..<12 {
                try fixture.go(to: fixture.moment.today.adding(days: Int.random(in: 0...6, using: &random)).iso)
                let id = ids[Int.random(in: ids.indices, using: &random)]
                switch Int.random(in: 0..<6, using: &random) {
                case 0: try fixture.store.edit(id, [.notes: "\(device)", .name: "\(device)"], at: fixture.moment)
                case 1: try fixture.store.setPrice(id, "1\(device)", from: fixture.moment.today, at: fixture.moment)
                case 2: try fixture.store.setState(id, .paused, from: fixture.moment.today, at: fixture.moment)
                case 3: try fixture.store.setState(id, .active, from: fixture.moment.today, at: fixture.moment)
                case 4: try fixture.add("new \(device)")
                default:
                    if let some = try fixture.store.pending(at: fixture.moment).first {
                        try fixture.store.acknowledge(some.id, at: fixture.moment)
                    }
                }
            }
            try fixture.go(to: "2027-02-20")
            backups.append(try fixture.backup())
        }
        let moment = try EngineFixture.moment("2027-02-20")
        var results: Set<[String]> = []
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0, 1], [0, 2, 1, 2, 0]] {
            let store = try DeviceStore.temporary(entitlement: .free)
            for index in order { try store.merge(backups[index], at: moment) }
            // The order of entry is a store's own; everything else must agree.
            results.insert(try Self.content(store, at: moment))
        }
        #expect(results.count == 1)
    }

    @Test func aPauseElsewhereTakesNoDecision() throws {
        let (first, second, id) = try devices()
        try first.go(to: "2026-11-20T11:00:00Z")
        try first.store.notePaid(first.occurrence(id, "2026-11-25"), amount: "12.34", at: first.moment)
        try second.go(to: "2026-11-20T12:00:00Z")
        try second.store.setState(id, .paused, from: second.day("2026-11-22"), at: second.moment)
        let (paid, paused) = (try first.backup(), try second.backup())
        // Either way round, and again.
        #expect(try second.store.merge(paid, at: second.moment).added == ["ledger": 1])
        #expect(try second.store.merge(paid, at: second.moment).isEmpty)
        #expect(try !first.store.merge(paused, at: second.moment).isEmpty)
        #expect(try first.store.merge(paused, at: second.moment).isEmpty)
        #expect(
            try first.store.history(id, at: second.moment).map(\.status)
                == second.store.history(id, at: second.moment).map(\.status))
        #expect(try second.store.history(id, at: second.moment).map(\.paid?.decimal) == ["12.34"])
    }

    @Test func anEndAndALaterStartMergeBothWays() throws {
        let (first, second, _) = try devices()
        let id = try first.add("b", [.nextBillingOn: "2026-10-25"])
        try second.store.merge(try first.backup(), at: second.moment)
        for fixture in [first, second] { try fixture.go(to: "2026-11-21") }
        // Each is right by itself: the end is after the first billing, which the other moves behind it.
        try first.store.edit(id, [.nextBillingOn: "2026-12-20"], at: first.moment)
        try second.store.edit(id, [.endsOn: "2026-11-10"], at: second.moment)
        let (later, ended) = (try first.backup(), try second.backup())
        try first.store.merge(ended, at: first.moment)
        try second.store.merge(later, at: second.moment)
        #expect(try first.store.subscription(id) == second.store.subscription(id))
        #expect(try first.store.subscription(id).nextCharge(onOrAfter: first.moment.today) == nil)
        try first.store.edit(id, [.notes: "encore modifiable"], at: first.moment)
        try second.store.restore(try first.backup(), at: second.moment)
    }

    private static func content(_ store: DeviceStore, at moment: Moment) throws -> [String] {
        try store.subscriptions().map { subscription in
            let ledger = try store.history(subscription.id, at: moment)
            return "\(subscription) \(ledger)"
        }.sorted()
    }
}
