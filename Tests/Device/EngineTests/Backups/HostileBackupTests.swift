import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Backups whose rows no device writes: each is refused whole, by the name of its table.
@Suite struct HostileBackupTests {
    private let fixture: EngineFixture
    private let backup: String

    /// A store with a row in each table that a total or a balance reads.
    init() throws {
        fixture = try EngineFixture()
        let (store, moment) = (fixture.store, fixture.moment)
        let added = try store.subscriptions.add(
            [.name: "Été “26” 🎉", .amount: "12.34", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-11-25"],
            at: moment)
        try store.subscriptions.edit(added.id, [.notes: "later"], at: try EngineFixture.moment("2026-11-21"))
        let person = Person(id: store.makeID(moment), name: "Zoé", createdAt: moment.now)
        try store.sharing.save(person, at: moment)
        try store.sharing.setSplit(Split(kind: .even, people: [person.id]), of: added.id, at: moment)
        try store.sharing.add(
            Repayment(
                id: store.makeID(moment), from: person.id, to: Person.me,
                amount: Money(minorUnits: 500, currency: .eur), paidOn: moment.today, createdAt: moment.now),
            at: moment)
        try store.rates.set("USD", unitsPerEuro: "1.0823", on: moment.today, at: moment)
        backup = String(decoding: try store.backups.make(at: moment), as: UTF8.self)
    }

    @Test(arguments: [
        ("\"1.0823\"", "\"\"", "own_rates"), ("\"1.0823\"", "\"abc\"", "own_rates"),
        ("[\"USD\",", "[\"usd\",", "own_rates"), ("500,\"EUR\"", "500,\"eur\"", "repayments"),
        ("500,\"EUR\"", "0,\"EUR\"", "repayments"), ("500,\"EUR\"", "500,\"\"", "repayments"),
        ("\"even\"", "\"odd\"", "share"), ("\"even\"", "\"exact\"", "share"),
        ("\"notes=", "\"nonsense=", "subscriptions"),
        ("notes=", "notes=zz", "subscriptions"),
    ])
    func isRefusedWhole(_ old: String, _ new: String, _ table: String) throws {
        try #require(backup.contains(old), "\(old) in \(backup)")
        let forged = backup.replacing(old, with: new)
        let other = try EngineFixture(seed: 3)
        try other.add("stays")
        let before = try other.backup()
        for attempt in [
            { _ = try other.store.backups.restore(try ForgedBackup.resealed(forged), at: other.moment) },
            { _ = try other.store.backups.merge(try ForgedBackup.resealed(forged), at: other.moment) },
        ] {
            let error = #expect(throws: DeviceStoreError.self) { try attempt() }
            guard case .damagedBackup(let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains(table))
        }
        #expect(try other.backup() == before)
    }

    /// Parts whose sum is more than a number can be.
    @Test func partsOfASharesAreBounded() throws {
        let even = try #require(backup.firstMatch(of: /"even","([^",]+)"/))
        let part = "\(even.output.1)=\(Int64.max)"
        for parts in [part, "\(part),\(part)", "\(even.output.1)=-1"] {
            let forged = backup.replacing(even.output.0, with: "\"exact\",\"\(parts)\"")
            let other = try EngineFixture(seed: 4)
            #expect(throws: DeviceStoreError.self, "\(parts)") {
                try other.store.backups.merge(try ForgedBackup.resealed(forged), at: other.moment)
            }
        }
    }

    /// A file of a hundred kilobytes that stands for millions of charges.
    @Test func chargesAreCountedBeforeTheyAreMade() throws {
        let many = try EngineFixture(seed: 5)
        for number in 0..<300 {
            try many.store.subscriptions.add(
                [
                    .name: "S\(number)", .amount: "1", .currency: "EUR", .cycle: "every:1d",
                    .nextBillingOn: "2026-11-21",
                ], at: many.moment)
        }
        let made = String(decoding: try many.store.backups.make(at: many.moment), as: UTF8.self)
        let bytes = try ForgedBackup.resealed(made.replacing(/"2026-11-2[01]"/, with: "\"2016-01-01\""))
        let other = try EngineFixture(seed: 6)
        for attempt in [
            { _ = try other.store.backups.restore(bytes, at: other.moment) },
            { _ = try other.store.backups.merge(bytes, at: other.moment) },
        ] {
            let error = #expect(throws: DeviceStoreError.self) { try attempt() }
            guard case .damagedBackup(let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains("1000000 charges"))
        }
    }
}
