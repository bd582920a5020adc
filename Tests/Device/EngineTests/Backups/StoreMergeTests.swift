import Foundation
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import SubGuardEngine
import SubGuardSQL
import TestKit
import Testing

@Suite struct StoreMergeTests {
    /// Two devices that began with the same data.
    private func devices() throws -> (EngineFixture, EngineFixture, UUID) {
        let first = try EngineFixture(seed: 1)
        let id = try first.add()
        let second = try EngineFixture(seed: 2)
        try second.store.backups.merge(try first.backup(), at: second.moment)
        return (first, second, id)
    }

    @Test func theNewestEditOfEachFieldStays() throws {
        let (first, second, id) = try devices()
        try first.go(to: "2026-11-20T11:00:00Z")
        try first.store.subscriptions.edit(id, [.name: "Netflix HD", .notes: "premier"], at: first.moment)
        try second.go(to: "2026-11-20T12:00:00Z")
        try second.store.subscriptions.edit(id, [.notes: "second", .website: "https://netflix.fr"], at: second.moment)
        let report = try first.store.backups.merge(try second.backup(), at: second.moment)
        let merged = try first.store.subscriptions.load(id)
        #expect(merged.name == "Netflix HD" && merged.notes == "second" && merged.website == "https://netflix.fr")
        #expect(report.overridden.map(\.field) == ["notes", "website"])
        #expect(report.overridden[0].old == "premier" && report.overridden[0].new == "second")
        #expect(report.overridden[0].name == "Netflix HD")
        #expect(try first.store.backups.merge(try second.backup(), at: second.moment).isEmpty)
    }

    @Test func aPreviewSaysWhatAMergeWouldDoAndChangesNothing() throws {
        let (first, second, id) = try devices()
        try second.go(to: "2026-11-20T12:00:00Z")
        try second.store.subscriptions.edit(id, [.notes: "second \"é\" 🎉"], at: second.moment)
        try second.add("Neu")
        let (before, theirs) = (try first.backup(), try second.backup())
        let revision = try first.store.revision()
        let preview = try first.store.backups.mergePreview(theirs, at: first.moment)
        #expect(preview.added == ["subscriptions": 1] && preview.overridden.map(\.field) == ["notes"])
        #expect(try first.backup() == before && first.store.revision() == revision)
        #expect(try first.store.journal.entries(at: first.moment).count == 1)
        let report = try first.store.backups.merge(theirs, keepsCopy: false, at: first.moment)
        #expect(report == preview)
        #expect(throws: DeviceStoreError.self) { try first.store.backups.mergePreview([1, 2], at: first.moment) }
    }

    @Test func additionsStayAndWhatIsMissingIsNoDeletion() throws {
        let (first, second, id) = try devices()
        let added = try first.add("premier")
        try second.add("second")
        try second.store.subscriptions.delete(id, at: second.moment)
        let report = try second.store.backups.merge(try first.backup(), at: second.moment)
        #expect(try second.store.subscriptions.list(at: second.moment).map(\.name) == ["Netflix", "premier", "second"])
        #expect(report.added == ["subscriptions": 2])
        #expect(try second.store.subscriptions.load(added).name == "premier")
    }

    /// What was added to a subscription and taken back goes from other devices too, and does not return from them.
    @Test func anUndoneFactGoesFromAllDevices() throws {
        let (first, second, id) = try devices()
        let store = first.store
        let evening = try EngineFixture.moment("2026-11-20T18:00:00Z")
        let before = try Answers.all(store, at: evening)
        try store.subscriptions.setPrice(id, "17", from: first.day("2026-12-01"), at: first.moment)
        try store.ledger.skip(first.occurrence(id, "2026-12-25"), at: first.moment)
        try store.subscriptions.pause(id, from: first.day("2027-02-01"), at: first.moment)
        try store.subscriptions.cancel(id, on: first.day("2027-05-20"), at: first.moment)
        try second.store.backups.merge(try first.backup(), at: second.moment)
        #expect(try second.store.subscriptions.load(id).cancelsOn(after: second.moment.today)?.iso == "2027-05-20")
        try first.go(to: "2026-11-20T18:00:00Z")
        try store.journal.undo(4, at: first.moment)
        let difference = Answers.difference(before, try Answers.all(store, at: first.moment))
        #expect(difference == nil)
        try second.go(to: "2026-11-20T18:00:00Z")
        let report = try second.store.backups.merge(try first.backup(), at: first.moment)
        #expect(report.overridden.count == 4 && report.overridden.first?.new == "–")
        #expect(try store.backups.merge(try second.backup(), at: first.moment).isEmpty)
        for fixture in [first, second] {
            let difference = Answers.difference(before, try Answers.all(fixture.store, at: first.moment))
            #expect(difference == nil)
            let subscription = try fixture.store.subscriptions.load(id)
            #expect(subscription.prices.isEmpty && subscription.states.isEmpty && subscription.decisions.isEmpty)
        }
        #expect(try first.backup() == second.backup())
        // A third device that never had them adds nothing that people could see.
        let third = try EngineFixture(seed: 3)
        #expect(try third.store.backups.merge(try first.backup(), at: first.moment).added == ["subscriptions": 1])
        // Made again, they are edits of now.
        try store.journal.redo(4, at: first.moment)
        try second.store.backups.merge(try first.backup(), at: first.moment)
        #expect(try second.store.subscriptions.load(id) == store.subscriptions.load(id))
        #expect(try second.store.subscriptions.load(id).prices.map(\.amount.decimal) == ["17.00"])
    }

    /// A price of one device and a removed later one of another leave no price that no one entered.
    @Test func aRemovedPriceLeavesNone() throws {
        let (first, second, id) = try devices()
        try first.store.subscriptions.setPrice(id, "17", from: first.day("2027-04-01"), at: first.moment)
        try first.store.subscriptions.removePrice(id, from: first.day("2027-04-01"), at: first.moment)
        try second.store.subscriptions.setPrice(id, "12", from: second.day("2027-02-01"), at: second.moment)
        try first.store.backups.merge(try second.backup(), at: first.moment)
        try second.store.backups.merge(try first.backup(), at: first.moment)
        for fixture in [first, second] {
            let prices = try fixture.store.subscriptions.load(id).priceHistory
            #expect(prices.map(\.amount.decimal) == ["13.49", "12.00"])
        }
    }

    /// A charge that was skipped and is taken up again leaves nothing behind when it is charged no longer.
    @Test func anUndoneSkipIsNoCharge() throws {
        let (first, _, id) = try devices()
        try first.store.ledger.skip(first.occurrence(id, "2026-12-25"), at: first.moment)
        try first.store.journal.undo(at: first.moment)
        try first.store.subscriptions.edit(id, [.nextBillingOn: "2026-12-10"], at: first.moment)
        try first.go(to: "2026-12-28")
        #expect(try first.store.ledger.missed(at: first.moment).map(\.billingOn.iso) == ["2026-12-10"])
    }

    /// What was undone on one device, and is charged no longer because of another, is no missed charge on any of them.
    @Test(arguments: ["skip", "ack", "paid"], ["cancel", "pause", "edit", "cancel first"])
    func anUndoneChargeThatIsChargedNoLongerIsNotMissed(_ act: String, _ other: String) throws {
        let (first, second, id) = try devices()
        let charge = try first.occurrence(id, "2026-12-25")
        switch act {
        case "skip": try first.store.ledger.skip(charge, at: first.moment)
        case "ack": try first.store.ledger.confirm(charge, at: first.moment)
        default: try first.store.ledger.recordPaid(charge, amount: "12.34", at: first.moment)
        }
        try second.store.backups.merge(try first.backup(), at: first.moment)
        func change() throws {
            try second.go(to: "2026-12-02")
            switch other {
            case "pause": try second.store.subscriptions.pause(id, from: second.moment.today, at: second.moment)
            case "edit": try second.store.subscriptions.edit(id, [.nextBillingOn: "2027-02-10"], at: second.moment)
            default: try second.store.subscriptions.cancel(id, on: second.moment.today, at: second.moment)
            }
        }
        if other == "cancel first" { try change() }
        try first.go(to: "2026-12-01")
        try first.store.journal.undo(at: first.moment)
        try second.store.backups.merge(try first.backup(), at: first.moment)
        if other != "cancel first" { try change() }
        try first.store.backups.merge(try second.backup(), at: second.moment)
        try second.store.backups.merge(try first.backup(), at: second.moment)
        #expect(try first.store.backups.merge(try second.backup(), at: second.moment).isEmpty)
        for fixture in [first, second] {
            try fixture.go(to: "2027-01-31")
            #expect(try fixture.store.ledger.missed(at: fixture.moment).map(\.billingOn.iso) == ["2026-11-25"])
            #expect(try fixture.store.totals.spending(at: fixture.moment).map(\.decimal) == ["13.49"])
        }
        #expect(try first.backup() == second.backup())
    }

    @Test func theLedgerMergesToo() throws {
        let (first, second, id) = try devices()
        try first.store.ledger.confirm(first.occurrence(id, "2026-11-25"), at: first.moment)
        try second.go(to: "2026-12-20")
        #expect(try second.store.ledger.missed(at: second.moment).count == 1)
        try second.store.backups.merge(try first.backup(), at: second.moment)
        #expect(try second.store.ledger.missed(at: second.moment).isEmpty)
        #expect(try second.store.ledger.score(at: second.moment).confirmed == 1)
    }

    @Test func aClockThatIsBehindStillWritesLater() throws {
        let (first, second, id) = try devices()
        try first.go(to: "2026-11-20T15:00:00Z")
        try first.store.subscriptions.edit(id, [.notes: "à 15 h"], at: first.moment)
        try second.store.backups.merge(try first.backup(), at: second.moment)
        // By this device's clock, five hours before the edit that it has just received.
        try second.store.subscriptions.edit(id, [.notes: "après"], at: second.moment)
        try first.store.backups.merge(try second.backup(), at: first.moment)
        #expect(try first.store.subscriptions.load(id).notes == "après")
    }

    @Test(arguments: SeededRandom.seeds(2, of: 6))
    func anyOrderComesToTheSameBytes(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let start = try EngineFixture(seed: 1)
        for number in 0..<4 { try start.add("n° \(number)", [.cycle: "weekly"]) }
        let base = try start.backup()
        var backups: [[UInt8]] = []
        for device in 0..<3 {
            let fixture = try EngineFixture(seed: UInt64(device + 2))
            try fixture.store.backups.restore(base, at: fixture.moment)
            let ids = try fixture.store.subscriptions.all().map(\.id)
            for _ in 0..<12 {
                try fixture.go(to: fixture.moment.today.adding(days: Int.random(in: 0...6, using: &random)).iso)
                let id = ids[Int.random(in: ids.indices, using: &random)]
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    try fixture.store.subscriptions.edit(
                        id, [.notes: "\(device)", .name: "\(device)"], at: fixture.moment)
                case 1:
                    try fixture.store.subscriptions.setPrice(
                        id, "1\(device)", from: fixture.moment.today, at: fixture.moment)
                case 2:
                    try fixture.store.subscriptions.setState(
                        id, .paused, from: fixture.moment.today, at: fixture.moment)
                case 3:
                    try fixture.store.subscriptions.setState(
                        id, .active, from: fixture.moment.today, at: fixture.moment)
                case 4: try fixture.add("new \(device)")
                default:
                    if let some = try fixture.store.ledger.pending(at: fixture.moment).first {
                        try fixture.store.ledger.confirm(some.id, at: fixture.moment)
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
            for index in order { try store.backups.merge(backups[index], at: moment) }
            // The order of entry may differ between databases; everything else must be equal.
            results.insert(try Self.content(store, at: moment))
        }
        #expect(results.count == 1)
    }

    @Test func aPauseElsewhereTakesNoDecision() throws {
        let (first, second, id) = try devices()
        try first.go(to: "2026-11-20T11:00:00Z")
        try first.store.ledger.recordPaid(first.occurrence(id, "2026-11-25"), amount: "12.34", at: first.moment)
        try second.go(to: "2026-11-20T12:00:00Z")
        try second.store.subscriptions.setState(id, .paused, from: second.day("2026-11-22"), at: second.moment)
        let (paid, paused) = (try first.backup(), try second.backup())
        // In either direction, and repeated.
        #expect(try second.store.backups.merge(paid, at: second.moment).added == ["ledger": 1])
        #expect(try second.store.backups.merge(paid, at: second.moment).isEmpty)
        #expect(try !first.store.backups.merge(paused, at: second.moment).isEmpty)
        #expect(try first.store.backups.merge(paused, at: second.moment).isEmpty)
        #expect(
            try first.store.ledger.history(id, at: second.moment).map(\.status)
                == second.store.ledger.history(id, at: second.moment).map(\.status))
        #expect(try second.store.ledger.history(id, at: second.moment).map(\.paid?.decimal) == ["12.34"])
    }

    @Test func anEndAndALaterStartMergeBothWays() throws {
        let (first, second, _) = try devices()
        let id = try first.add("b", [.nextBillingOn: "2026-10-25"])
        try second.store.backups.merge(try first.backup(), at: second.moment)
        for fixture in [first, second] { try fixture.go(to: "2026-11-21") }
        // Each edit is valid on its own: the end is after the first billing day, which the other edit moves past it.
        try first.store.subscriptions.edit(id, [.nextBillingOn: "2026-12-20"], at: first.moment)
        try second.store.subscriptions.edit(id, [.endsOn: "2026-11-10"], at: second.moment)
        let (later, ended) = (try first.backup(), try second.backup())
        try first.store.backups.merge(ended, at: first.moment)
        try second.store.backups.merge(later, at: second.moment)
        #expect(try first.store.subscriptions.load(id) == second.store.subscriptions.load(id))
        #expect(try first.store.subscriptions.load(id).nextCharge(onOrAfter: first.moment.today) == nil)
        try first.store.subscriptions.edit(id, [.notes: "encore modifiable"], at: first.moment)
        try second.store.backups.restore(try first.backup(), at: second.moment)
    }

    private static func content(_ store: DeviceStore, at moment: Moment) throws -> [String] {
        try store.subscriptions.all().map { subscription in
            let ledger = try store.ledger.history(subscription.id, at: moment)
            return "\(subscription) \(ledger)"
        }.sorted()
    }

    @Test func theSameBudgetOfTwoDevicesIsOne() throws {
        let (first, second, _) = try devices()
        let set = { (fixture: EngineFixture, category: String?, amount: String) in
            try fixture.store.budgets.set(
                category: category, amount: amount, currency: "EUR", period: .month, at: fixture.moment)
        }
        for fixture in [first, second] { try fixture.go(to: "2026-11-21") }
        _ = try set(first, nil, "50")
        _ = try set(first, "pro", "12.34")
        try second.go(to: "2026-11-22")
        _ = try set(second, nil, "60")
        // As created by an older version: random ids, in both databases.
        for fixture in [first, second] {
            try fixture.store.close()
            let raw = try SQLiteStore(path: fixture.store.path)
            try raw.write { try $0.execute("UPDATE budgets SET id = randomblob(16) WHERE category = ''") }
            try raw.close()
        }
        let stores = try [first, second].map {
            try EngineFixture.open($0.store.path, now: second.moment.now, seed: 7)
        }
        let backups = try stores.map { try $0.backups.make(at: second.moment) }
        let limits = { (store: DeviceStore) in
            try store.budgets.list(at: second.moment).map { "\($0.budget.id) \($0.budget.limit.decimal)" }
        }
        try stores[0].backups.merge(backups[1], at: second.moment)
        try stores[1].backups.merge(backups[0], at: second.moment)
        #expect(try limits(stores[0]) == limits(stores[1]))
        #expect(
            try stores[0].budgets.list(at: second.moment).map(\.budget.limit.decimal).sorted() == ["12.34", "60.00"])
        // Repeating it, also with backups that contain the old ids, changes nothing.
        for (store, backup) in [(stores[0], backups[1]), (stores[0], backups[0]), (stores[1], backups[0])] {
            #expect(try store.backups.merge(backup, at: second.moment).isEmpty)
        }
        let third = try EngineFixture("2026-11-22", seed: 9)
        for backup in backups { try third.store.backups.merge(backup, at: third.moment) }
        #expect(try limits(third.store) == limits(stores[0]))
    }

    @Test func theOrderOfMembersMerges() throws {
        let (first, second, _) = try devices()
        let names = ["C", "A", "B"]
        let people = names.map { Person(id: first.store.makeID(first.moment), name: $0, createdAt: first.moment.now) }
        // Not in the order of their ids.
        let ids = Array(people.map(\.id).sorted { $0.lowercased > $1.lowercased })
        for person in people { try first.store.sharing.save(person, at: first.moment) }
        var group = PersonGroup(
            id: first.store.makeID(first.moment), name: "G", memberIDs: ids, createdAt: first.moment.now)
        try first.store.sharing.save(group, at: first.moment)
        #expect(try first.store.sharing.group(group.id).memberIDs == ids)
        try second.store.backups.merge(try first.backup(), at: second.moment)
        #expect(try second.store.sharing.group(group.id).memberIDs == ids)
        try second.go(to: "2026-11-21")
        group.memberIDs = [ids[2], ids[0]]
        try second.store.sharing.save(group, at: second.moment)
        #expect(try second.store.sharing.group(group.id).memberIDs == group.memberIDs)
        try first.store.backups.merge(try second.backup(), at: second.moment)
        #expect(try first.store.sharing.group(group.id).memberIDs == group.memberIDs)
    }

    @Test(arguments: [
        ("UPDATE ledger SET paid = -1", "paid"), ("UPDATE ledger SET paid = 1000000000001", "paid"),
        ("UPDATE ledger SET paid = 9223372036854775807", "paid"),
        ("UPDATE expenses SET payers = replace(payers, '=1234', '=-1234')", "paid_by"),
        ("UPDATE expenses SET payers = replace(payers, '=1234', '=1235')", "paid_by"),
        ("UPDATE expenses SET payers = replace(payers, '=1234', '=9223372036854775807')", "paid_by"),
        ("UPDATE expenses SET amount = 9223372036854775807", "amount"),
        ("UPDATE expenses SET parts = replace(parts, '=1234', '=92233720368547758070')", "parts"),
        ("UPDATE subscriptions SET website = 'javascript:alert(1)'", "website"),
    ])
    func whatNoRuleAllowsIsNeitherRestoredNorMerged(_ tampering: String, _ word: String) throws {
        let fixture = try EngineFixture()
        let id = try fixture.add("x", [.website: "https://x.org"])
        try fixture.store.ledger.recordPaid(fixture.occurrence(id, "2026-11-25"), amount: "12.34", at: fixture.moment)
        let person = Person(id: fixture.store.makeID(fixture.moment), name: "Zoé", createdAt: fixture.moment.now)
        try fixture.store.sharing.save(person, at: fixture.moment)
        let group = PersonGroup(
            id: fixture.store.makeID(fixture.moment), name: "G", memberIDs: [person.id], createdAt: fixture.moment.now)
        try fixture.store.sharing.save(group, at: fixture.moment)
        try fixture.store.sharing.save(
            GroupExpense(
                id: fixture.store.makeID(fixture.moment), groupID: group.id, title: "Pain",
                amount: Money(minorUnits: 1234, currency: .eur),
                payers: [PersonAmount(personID: person.id, minorUnits: 1234)],
                split: Split(kind: .exact, people: [person.id], weights: [1234]), spentOn: fixture.moment.today,
                createdAt: fixture.moment.now), at: fixture.moment)
        try fixture.store.close()
        let raw = try SQLiteStore(path: fixture.store.path)
        #expect(try raw.write { try $0.execute(tampering) } == 1)
        try raw.close()
        let store = try EngineFixture.open(fixture.store.path, now: fixture.moment.now)
        let backup = try store.backups.make(at: fixture.moment)
        let other = try EngineFixture(seed: 3)
        try other.add("stays")
        let before = try other.backup()
        for attempt in [
            { _ = try other.store.backups.restore(backup, at: other.moment) },
            { _ = try other.store.backups.merge(backup, at: other.moment) },
        ] {
            let error = #expect(throws: DeviceStoreError.self) { try attempt() }
            guard case .damagedBackup(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains(word))
        }
        #expect(try other.backup() == before)
    }
}
