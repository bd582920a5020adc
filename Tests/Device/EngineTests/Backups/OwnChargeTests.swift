import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Three devices of a household: what one decided of a charge, and whom a sheet names, stays what it is on the others.
@Suite struct OwnChargeTests {
    private let devices: [EngineFixture]
    private let gym: UUID

    init() throws {
        devices = try (1...3).map { try EngineFixture(seed: $0) }
        for device in devices { try device.go(to: "2026-10-20T06:00:00Z") }
        gym = try devices[0].add("Gym", [.amount: "30", .nextBillingOn: "2026-11-05"])
        for device in devices { try device.go(to: "2026-11-14T06:00:00Z") }
        for device in devices.dropFirst() { _ = try merge(devices[0], into: device) }
    }

    private func merge(_ from: EngineFixture, into fixture: EngineFixture) throws -> MergeReport {
        try fixture.store.backups.merge(from.backup(), keepsCopy: false, at: fixture.moment)
    }

    private func go(_ minute: Int) throws {
        for device in devices { try device.go(to: "2026-11-14T07:\(minute):00Z") }
    }

    private func paid(_ fixture: EngineFixture, _ amount: String) throws {
        try fixture.store.ledger.recordPaid(fixture.occurrence(gym, "2026-11-05"), amount: amount, at: fixture.moment)
    }

    private func fate(_ fixture: EngineFixture) throws -> String? {
        try fixture.store.ledger.history(gym, at: fixture.moment).first { $0.occurrence.billingOn.iso == "2026-11-05" }
            .map { "\($0.status.rawValue) \($0.amount.decimal)" }
    }

    @Test(arguments: [false, true]) func anUndoneMergeOverrulesNobody(_ isRestore: Bool) throws {
        let (p, q, r) = (devices[0], devices[1], devices[2])
        try go(10)
        try paid(r, "25")
        try go(11)
        try paid(q, "99")
        try go(12)
        let missed = try fate(p)
        if isRestore {
            try p.store.backups.restore(q.backup(), keepsCopy: false, at: p.moment)
        } else {
            _ = try merge(q, into: p)
        }
        #expect(try fate(p) != missed)
        try p.store.journal.undo(at: p.moment)
        #expect(try fate(p) == missed)
        try go(13)
        #expect(try merge(p, into: r).isEmpty)
        #expect(try fate(r)?.hasSuffix("25.00") == true)
        _ = try merge(r, into: p)
        #expect(try fate(p) == fate(r))
        _ = try merge(q, into: p)
        #expect(try fate(p) == fate(q))
    }

    @Test func anUnchangedExportTakesNoCorrection() throws {
        let (a, b) = (devices[0], devices[1])
        try go(10)
        try a.store.ledger.confirm(a.occurrence(gym, "2026-11-05"), at: a.moment)
        _ = try merge(a, into: b)
        let file = Array(try a.store.portability.export(.json, at: a.moment).utf8)
        try go(11)
        try paid(b, "99")
        try b.store.ledger.skip(b.occurrence(gym, "2026-11-05"), at: b.moment)
        let wanted = try fate(b)
        try go(12)
        _ = try a.store.portability.importFile(file, ImportOptions(format: .json), at: a.moment)
        _ = try merge(a, into: b)
        #expect(try fate(b) == wanted)
        _ = try merge(b, into: a)
        #expect(try fate(a) == wanted && a.backup() == b.backup())
    }

    /// Of a coming charge, neither device has a row yet.
    @Test(arguments: ["confirmed", "confirmed together", "confirmed and undone", "skipped"])
    func aPaidAmountStaysUnderALaterDecision(_ decision: String) throws {
        let (a, b, c) = (devices[0], devices[1], devices[2])
        let charge = try a.occurrence(gym, "2026-12-05")
        try go(10)
        try a.store.ledger.recordPaid(charge, amount: "91.13", at: a.moment)
        try go(11)
        switch decision {
        case "confirmed": try b.store.ledger.confirm(charge, at: b.moment)
        case "skipped": try b.store.ledger.skip(charge, at: b.moment)
        default: try b.store.ledger.confirm([charge], at: b.moment)
        }
        if decision == "confirmed and undone" { try b.store.journal.undo(at: b.moment) }
        try go(12)
        let report = try merge(b, into: a)
        #expect(!report.overridden.contains { $0.field == "paid" })
        _ = try merge(a, into: b)
        _ = try merge(b, into: c)
        #expect(try a.backup() == b.backup() && a.backup() == c.backup())
        for device in devices {
            #expect(try device.store.ledger.confirm(charge, at: device.moment).amount.decimal == "91.13")
        }
    }

    @Test func notesOfAShareStayUnderALaterShareWithoutAny() throws {
        let (a, b) = (devices[0], devices[1])
        let ana = Person(id: a.store.makeID(a.moment), name: "Ana O’Neil", createdAt: a.moment.now)
        try a.store.sharing.save(ana, at: a.moment)
        _ = try merge(a, into: b)
        let even = Split(kind: .even, people: [ana.id])
        try go(10)
        try a.store.sharing.setSplit(even, of: gym, notes: "Zoë’s; “half”", at: a.moment)
        try go(11)
        try b.store.sharing.setSplit(even, of: gym, at: b.moment)
        _ = try merge(b, into: a)
        _ = try merge(a, into: b)
        #expect(try a.store.sharing.share(of: gym)?.notes == "Zoë’s; “half”" && a.backup() == b.backup())
    }

    @Test func aSheetReadOnTwoDevicesAddsItsPeopleOnce() throws {
        let (a, b) = (devices[0], devices[1])
        let me = Person(id: Person.me, name: "Me", createdAt: a.moment.now)
        try a.store.sharing.save(me, at: a.moment)
        let group = a.store.makeID(a.moment)
        try a.store.sharing.save(
            PersonGroup(id: group, name: "Trip", memberIDs: [Person.me], createdAt: a.moment.now), at: a.moment)
        _ = try merge(a, into: b)
        func read(_ device: EngineFixture, _ rows: String...) throws {
            let text = "Date,Description,Category,Cost,Currency,Me,Zoë O’Neil\n" + rows.joined(separator: "\n") + "\n"
            let sheet = try GroupSheet.read(Array(text.utf8), name: "Trip", currency: .eur)
            _ = try device.store.sharing.take(sheet, into: group, me: "Me", at: device.moment)
        }
        func people(_ device: EngineFixture) throws -> [String] {
            try device.store.sharing.people().map(\.name).sorted()
        }
        let pizza = "2026-10-01,Pizza,Food,30.00,EUR,15.00,-15.00"
        try go(10)
        try read(a, pizza)
        try go(11)
        try read(b, pizza)
        for _ in 0..<2 {
            _ = try merge(a, into: b)
            _ = try merge(b, into: a)
        }
        #expect(try people(a) == ["Me", "Zoë O’Neil"] && people(b) == people(a) && a.backup() == b.backup())
        #expect(try a.store.sharing.groups().first?.memberIDs.count == 2)
        // Called otherwise since, she is still who the sheet means.
        try go(12)
        var zoe = try #require(try a.store.sharing.people().first { $0.name == "Zoë O’Neil" })
        zoe.name = "Zoë"
        try a.store.sharing.save(zoe, at: a.moment)
        try read(a, pizza, "2026-10-02,Taxi,Transport,20.00,EUR,-10.00,10.00")
        #expect(try people(a) == ["Me", "Zoë"])
        #expect(try a.store.sharing.expenses(of: group).map(\.title).sorted() == ["Pizza", "Taxi"])
        // Names that fold alike are still two people.
        let twins =
            "Date,Description,Category,Cost,Currency,Me,Max,max\n"
            + "2026-10-03,Pizza,Food,30.00,EUR,15.00,-15.00,0.00\n2026-10-04,Taxi,Food,30.00,EUR,-15.00,0.00,15.00\n"
        let sheet = try GroupSheet.read(Array(twins.utf8), name: "Twins", currency: .eur)
        let result = try a.store.sharing.take(sheet, into: nil, me: "Me", at: a.moment)
        #expect(result.people == ["Max", "max"])
        #expect(try a.store.sharing.groups().first { $0.name == "Twins" }?.memberIDs.count == 3)
        try a.store.journal.undo(at: a.moment)
        // Taken back on one device, the other one keeps what it read, and whom it names.
        try go(13)
        try b.store.journal.undo(at: b.moment)
        _ = try merge(b, into: a)
        #expect(try people(a) == ["Me", "Zoë"])
    }
}
