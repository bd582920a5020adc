import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Additions that were undone, and what other devices make of them.
@Suite struct WithdrawalTests {
    private func exchange(_ first: EngineFixture, _ second: EngineFixture) throws {
        try second.store.backups.merge(first.backup(), keepsCopy: false, at: second.moment)
        try first.store.backups.merge(second.backup(), keepsCopy: false, at: first.moment)
    }

    private func go(_ hour: Int, _ fixtures: EngineFixture...) throws {
        for fixture in fixtures { try fixture.go(to: "2026-11-20T\(hour):00:00Z") }
    }

    private func names(_ fixture: EngineFixture) throws -> [String] {
        try fixture.store.subscriptions.all().map(\.name)
    }

    /// A subscription with all that belongs to it, people, a group with an expense and its receipt, money and a budget.
    private func addEverything(_ fixture: EngineFixture) throws {
        let (store, moment) = (fixture.store, fixture.moment)
        let bundle = try fixture.add("Bundle “é” 🎉", [.startedOn: "2026-08-25"])
        let id = try fixture.add("Gym", [.bundledIn: bundle.lowercased])
        try store.subscriptions.setPrice(bundle, "17", from: fixture.day("2026-12-01"), at: moment)
        try store.ledger.confirm(fixture.occurrence(bundle, "2026-11-25"), at: moment)
        try store.subscriptions.pause(id, from: fixture.day("2027-02-01"), at: moment)
        let zoe = Person(id: store.makeID(moment), name: "Zoé", createdAt: moment.now)
        try store.sharing.save(zoe, at: moment)
        try store.sharing.setSplit(Split(kind: .even, people: [zoe.id]), of: bundle, at: moment)
        let group = PersonGroup(id: store.makeID(moment), name: "Flat", memberIDs: [zoe.id], createdAt: moment.now)
        try store.sharing.save(group, at: moment)
        let expense = GroupExpense(
            id: store.makeID(moment), groupID: group.id, title: "Pain", amount: Money(minorUnits: 1234, currency: .eur),
            payers: [PersonAmount(personID: zoe.id, minorUnits: 1234)],
            split: Split(kind: .even, people: [zoe.id]), spentOn: moment.today, createdAt: moment.now)
        try store.sharing.save(expense, at: moment)
        try store.transactions.save(
            Transaction(
                id: store.makeID(moment), title: "Cash", amount: Money(minorUnits: 500, currency: .eur), kind: .expense,
                bookedOn: moment.today, personID: zoe.id, createdAt: moment.now), at: moment)
        try store.budgets.set(category: "pro", amount: "50", currency: "EUR", period: .month, at: moment)
        let csv = "name,amount,currency,cycle,next\nn1,5,EUR,monthly,2026-12-01\nn2,5,EUR,monthly,2026-12-01\n"
        _ = try store.portability.importFile(Array(csv.utf8), ImportOptions(format: .csv), at: moment)
    }

    @Test func anUndoneAdditionOfAnyKindGoesFromAllDevices() throws {
        let (first, second) = (try EngineFixture(seed: 1), try EngineFixture(seed: 2))
        try first.add("stays")
        try second.store.backups.merge(first.backup(), at: second.moment)
        let before = try RandomUser.rows(second.backup(), stamped: false)
        try addEverything(first)
        try second.store.backups.merge(first.backup(), keepsCopy: false, at: second.moment)
        let old = try second.backup()
        let count = try first.store.journal.entries(at: first.moment).count - 1
        try go(12, first, second)
        try first.store.journal.undo(count, at: first.moment)
        let report = try second.store.backups.merge(first.backup(), keepsCopy: false, at: second.moment)
        #expect(
            Set(report.removed.compactMap(\.name)).isSuperset(of: [
                "Bundle “é” 🎉", "Gym", "Zoé", "Flat", "Pain", "Cash", "n1", "n2",
            ]))
        #expect(report.added.isEmpty)
        for fixture in [first, second] {
            #expect(try names(fixture) == ["stays"])
            #expect(try fixture.store.sharing.people().isEmpty && fixture.store.sharing.groups().isEmpty)
            #expect(try fixture.store.transactions.list().isEmpty)
            #expect(try fixture.store.budgets.list(at: fixture.moment).isEmpty)
        }
        // Neither the other device nor its old backup brings anything back, however often.
        for backup in [old, try second.backup(), old] {
            #expect(try first.store.backups.merge(backup, keepsCopy: false, at: first.moment).isEmpty)
        }
        #expect(try first.backup() == second.backup())
        let third = try EngineFixture(seed: 3)
        for backup in [old, try first.backup()] {
            try third.store.backups.merge(backup, keepsCopy: false, at: second.moment)
        }
        #expect(try third.backup().count == second.backup().count && names(third) == ["stays"])
        // An undone merge brings back what it removed on its device alone, until the next one.
        try go(13, first, second)
        try second.store.journal.undo(at: second.moment)
        #expect(try names(second).count == 5 && second.store.sharing.groups().count == 1)
        #expect(try RandomUser.rows(second.backup(), stamped: false).count > before.count)
        try exchange(first, second)
        #expect(try names(first) == ["stays"] && names(second) == ["stays"])
        #expect(try first.backup() == second.backup())
    }

    @Test func anAdditionThatIsMadeAgainIsBackEverywhere() throws {
        let (first, second) = (try EngineFixture(seed: 1), try EngineFixture(seed: 2))
        let id = try first.add("Gym")
        try exchange(first, second)
        try go(12, first, second)
        try first.store.journal.undo(at: first.moment)
        try exchange(first, second)
        #expect(try names(second).isEmpty)
        try go(13, first, second)
        // The same id from a file is a new addition.
        let json =
            #"[{"id": "\#(id.lowercased)", "name": "Gym", "amount": "5", "currency": "EUR", "cycle": "monthly", "#
            + #""next_billing_on": "2026-12-01"}]"#
        _ = try first.store.portability.importFile(Array(json.utf8), ImportOptions(format: .json), at: first.moment)
        try exchange(first, second)
        #expect(try names(first) == ["Gym"] && names(second) == ["Gym"])
        try go(14, first, second)
        try first.store.journal.undo(at: first.moment)
        try exchange(first, second)
        #expect(try names(first).isEmpty && names(second).isEmpty)
        try first.store.journal.redo(at: first.moment)
        try exchange(first, second)
        #expect(try names(first) == ["Gym"] && names(second) == ["Gym"])
        #expect(try first.backup() == second.backup())
        try go(15, first, second)
        try first.store.subscriptions.delete(id, at: first.moment)
        #expect(try first.store.backups.merge(first.backup(), at: first.moment).isEmpty && names(first).isEmpty)
    }

    /// The later of an undo here and an edit there wins, whatever was edited.
    @Test(arguments: ["edit", "price", "confirm", "share"], [true, false])
    func theLaterOfUndoAndEditWins(_ what: String, _ isEditLater: Bool) throws {
        let (first, second) = (try EngineFixture(seed: 1), try EngineFixture(seed: 2))
        let zoe = Person(id: first.store.makeID(first.moment), name: "Zoé", createdAt: first.moment.now)
        try first.store.sharing.save(zoe, at: first.moment)
        let id = try first.add("Gym")
        try exchange(first, second)
        try go(12, isEditLater ? first : second)
        try go(13, isEditLater ? second : first)
        let store = second.store
        switch what {
        case "edit": try store.subscriptions.edit(id, [.notes: "kept “é”"], at: second.moment)
        case "price": try store.subscriptions.setPrice(id, "17", from: second.day("2027-01-01"), at: second.moment)
        case "confirm": try store.ledger.confirm(second.occurrence(id, "2026-11-25"), at: second.moment)
        default:
            try store.sharing.setSplit(Split(kind: .even, people: [zoe.id]), of: id, at: second.moment)
        }
        try first.store.journal.undo(at: first.moment)
        try exchange(first, second)
        try exchange(first, second)
        #expect(try names(first) == (isEditLater ? ["Gym"] : []))
        try go(14, first, second)
        #expect(try first.backup() == second.backup())
        guard isEditLater else { return }
        let difference = Answers.difference(
            try Answers.all(first.store, at: second.moment), try Answers.all(second.store, at: second.moment))
        #expect(difference == nil)
    }

    /// Three devices: an undo, an earlier edit and a later one. In any order and grouping, every row is the same.
    @Test func anyOrderOfUndoAndEditsComesToTheSame() throws {
        let devices = try (1...3).map { try EngineFixture(seed: UInt64($0)) }
        let id = try devices[0].add("Gym", [.startedOn: "2026-08-25"])
        for device in devices.dropFirst() { try device.store.backups.merge(devices[0].backup(), at: device.moment) }
        try go(11, devices[1])
        try devices[1].store.subscriptions.edit(id, [.name: "Earlier"], at: devices[1].moment)
        try devices[1].store.subscriptions.setPrice(id, "9", from: devices[1].day("2027-01-01"), at: devices[1].moment)
        try go(12, devices[0])
        try devices[0].store.journal.undo(at: devices[0].moment)
        try go(13, devices[2])
        try devices[2].store.subscriptions.edit(id, [.notes: "later"], at: devices[2].moment)
        let backups = try devices.map { try $0.backup() }
        let end = devices[2].moment
        let merged = { (parts: [[UInt8]]) throws -> [UInt8] in
            let store = try DeviceStore.temporary(entitlement: .free)
            for part in parts { try store.backups.merge(part, keepsCopy: false, at: end) }
            return try store.backups.make(at: end)
        }
        let wanted = try merged(backups)
        #expect(String(decoding: wanted, as: UTF8.self).contains("Earlier"))
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 1, 0, 2, 1]] {
            #expect(try merged(order.map { backups[$0] }) == wanted, "\(order)")
        }
        for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1]] {
            let pair = try merged([backups[order[0]], backups[order[1]]])
            #expect(try merged([backups[order[2]], pair]) == wanted, "grouped \(order)")
        }
    }

    /// A person whom another user's expense names stays, with the group.
    @Test func whatOthersBuiltUponStays() throws {
        let (first, second) = (try EngineFixture(seed: 1), try EngineFixture(seed: 2))
        let zoe = Person(id: first.store.makeID(first.moment), name: "Zoé", createdAt: first.moment.now)
        try first.store.sharing.save(zoe, at: first.moment)
        let group = PersonGroup(
            id: first.store.makeID(first.moment), name: "Flat", memberIDs: [zoe.id], createdAt: first.moment.now)
        try first.store.sharing.save(group, at: first.moment)
        try exchange(first, second)
        try go(11, second)
        try second.store.sharing.save(
            GroupExpense(
                id: second.store.makeID(second.moment), groupID: group.id, title: "Pain",
                amount: Money(minorUnits: 1234, currency: .eur),
                payers: [PersonAmount(personID: zoe.id, minorUnits: 1234)],
                split: Split(kind: .even, people: [zoe.id]), spentOn: second.moment.today,
                createdAt: second.moment.now), at: second.moment)
        try go(12, first, second)
        try first.store.journal.undo(2, at: first.moment)
        try exchange(first, second)
        for fixture in [first, second] {
            #expect(try fixture.store.sharing.people().map(\.name) == ["Zoé"])
            #expect(try fixture.store.sharing.groups().map(\.name) == ["Flat"])
            #expect(try fixture.store.sharing.expenses(of: group.id).map(\.title) == ["Pain"])
        }
        #expect(try first.backup() == second.backup())
    }

    /// Anyone who undoes a merge wants nothing of it here; the other device keeps what is its own.
    @Test func anUndoneMergeTakesNothingFromTheOtherDevice() throws {
        let (first, second) = (try EngineFixture(seed: 1), try EngineFixture(seed: 2))
        try second.add("theirs")
        try first.store.backups.merge(second.backup(), at: first.moment)
        try go(12, first, second)
        try first.store.journal.undo(at: first.moment)
        #expect(try names(first).isEmpty)
        #expect(try second.store.backups.merge(first.backup(), at: second.moment).isEmpty)
        #expect(try names(second) == ["theirs"])
    }

    /// A payment says that the charge was made, also when its confirmation is undone elsewhere before.
    @Test(arguments: [true, false]) func aLaterPaymentOutlivesAnUndoneConfirmation(_ isPaymentLater: Bool) throws {
        let (first, second) = (try EngineFixture(seed: 1), try EngineFixture(seed: 2))
        let id = try first.add("Gym", [.nextBillingOn: "2026-11-21"])
        let charge = try first.occurrence(id, "2026-11-21")
        try first.store.ledger.confirm(charge, at: first.moment)
        try exchange(first, second)
        try go(12, isPaymentLater ? first : second)
        try go(13, isPaymentLater ? second : first)
        try second.store.ledger.recordPaid(charge, amount: "9.99", at: second.moment)
        try first.store.journal.undo(at: first.moment)
        try exchange(first, second)
        for fixture in [first, second] {
            try fixture.go(to: "2026-11-22")
            #expect(try fixture.store.ledger.missed(at: fixture.moment).count == (isPaymentLater ? 0 : 1))
        }
        #expect(try first.backup() == second.backup())
    }

    /// What is withdrawn is of no interest to a user who restores.
    @Test func aRestoreShowsNoWithdrawals() throws {
        let fixture = try EngineFixture()
        try fixture.add("stays")
        let before = try fixture.backup()
        try fixture.add("Gym")
        try fixture.store.journal.undo(at: fixture.moment)
        #expect(try fixture.store.backups.restorePreview(before, at: fixture.moment).isEmpty)
        try fixture.store.backups.restore(before, keepsCopy: false, at: fixture.moment)
        #expect(try names(fixture) == ["stays"])
        #expect(try fixture.store.journal.entries(at: fixture.moment).first?.kind != .restored)
    }

    /// Withdrawn rows of a backup are checked like any others.
    @Test func hostileWithdrawnRowsAreRefused() throws {
        let (first, second) = (try EngineFixture(seed: 1), try EngineFixture(seed: 2))
        try first.add("Gym")
        try exchange(first, second)
        try first.store.journal.undo(at: first.moment)
        try second.store.backups.merge(first.backup(), at: second.moment)
        let text = String(decoding: try second.backup(), as: UTF8.self)
        #expect(text.contains(#"\"columns\""#))
        let third = try EngineFixture(seed: 3)
        try third.add("own")
        let before = try third.backup()
        for (good, bad) in [(#"\"columns\""#, #"\"colums\""#), (#"\"monthly\""#, "17"), (#"{\"name\""#, "")] {
            let forged = try ForgedBackup.resealed(text.replacing(good, with: bad))
            #expect(throws: DeviceStoreError.self) { try third.store.backups.merge(forged, at: third.moment) }
            // Else every later merge would fail.
            #expect(throws: DeviceStoreError.self) { try third.store.backups.restore(forged, at: third.moment) }
        }
        #expect(try third.backup() == before)
    }
}
