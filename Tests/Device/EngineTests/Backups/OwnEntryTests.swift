import Foundation
import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements
import TestKit
import Testing

/// What a person entered on one device stays there, whatever another one imports, merges, derives and takes back.
@Suite struct OwnEntryTests {
    private let first: EngineFixture
    private let second: EngineFixture

    init() throws {
        (first, second) = (try EngineFixture(seed: 1), try EngineFixture(seed: 2))
        try go(6)
    }

    private func go(_ hour: Int) throws {
        for fixture in [first, second] { try fixture.go(to: "2026-11-20T\(hour < 10 ? "0" : "")\(hour):00:00Z") }
    }

    private func merge(_ from: EngineFixture, into fixture: EngineFixture) throws -> MergeReport {
        try fixture.store.backups.merge(from.backup(), keepsCopy: false, at: fixture.moment)
    }

    /// Both directions; afterwards both have the same rows.
    private func exchange() throws {
        _ = try merge(first, into: second)
        _ = try merge(second, into: first)
        #expect(try first.backup() == second.backup())
    }

    private func names(_ fixture: EngineFixture) throws -> [String] {
        try fixture.store.subscriptions.all().map(\.name).sorted()
    }

    private func person(_ fixture: EngineFixture, _ name: String = "Bob") throws -> Person {
        let person = Person(id: fixture.store.makeID(fixture.moment), name: name, createdAt: fixture.moment.now)
        try fixture.store.sharing.save(person, at: fixture.moment)
        return person
    }

    private func fate(_ fixture: EngineFixture, _ id: UUID, _ day: String) throws -> String? {
        try fixture.store.ledger.history(id, at: fixture.moment)
            .first { $0.occurrence.billingOn.iso == day }.map { "\($0.status.rawValue) \($0.amount.decimal)" }
    }

    // MARK: What several devices read

    /// The ways in which several devices can add the same.
    enum Source: String, CaseIterable { case json, statement, sheet, budget }

    /// Adds what the source says.
    private func read(_ source: Source, _ fixture: EngineFixture, _ file: [UInt8]) throws {
        let (store, moment) = (fixture.store, fixture.moment)
        switch source {
        case .json: _ = try store.portability.importFile(file, ImportOptions(format: .json), at: moment)
        case .statement:
            var options = StatementImportOptions()
            options.acceptance = .all
            _ = try store.statements.importFiles([StatementFile(name: "a.csv", bytes: file)], options, at: moment)
        case .sheet:
            let group = try #require(try store.sharing.groups().first)
            let sheet = try GroupSheet.read(file, name: "Trip", currency: .eur)
            _ = try store.sharing.take(sheet, into: group.id, me: "Me", at: moment)
        case .budget:
            try store.budgets.set(
                category: nil, amount: fixture === first ? "200" : "100", currency: "EUR", period: .month, at: moment)
        }
    }

    /// What both devices read; the first one has entered or read it.
    private func prepare(_ source: Source) throws -> [UInt8] {
        switch source {
        case .json:
            for name in ["One", "Two"] { try first.add(name, [.startedOn: "2026-08-25"]) }
            let bob = try person(first)
            for subscription in try first.store.subscriptions.all() {
                try first.store.sharing.setSplit(
                    Split(kind: .even, people: [bob.id]), of: subscription.id, at: first.moment)
            }
            return Array(try first.store.portability.export(.json, at: first.moment).utf8)
        case .statement:
            let rows = (5...10).map { "17/\($0 < 10 ? "0" : "")\($0)/2026;NETFLIX.COM;-13,49;EUR" }
            let file = Array(("Date;Libellé;Montant;Devise\n" + rows.joined(separator: "\n") + "\n").utf8)
            try read(source, first, file)
            return file
        case .sheet:
            let bob = try person(first)
            let me = Person(id: Person.me, name: "Me", createdAt: first.moment.now)
            try first.store.sharing.save(me, at: first.moment)
            try first.store.sharing.save(
                PersonGroup(
                    id: first.store.makeID(first.moment), name: "Trip", memberIDs: [Person.me, bob.id],
                    createdAt: first.moment.now), at: first.moment)
            _ = try merge(first, into: second)
            let file = Array(
                """
                Date,Description,Category,Cost,Currency,Me,Bob
                2026-10-01,Pizza,Food,30.00,EUR,15.00,-15.00
                2026-10-02,Taxi,Transport,20.00,EUR,10.00,-10.00

                """.utf8)
            try go(7)
            try read(source, first, file)
            return file
        case .budget:
            try read(source, first, [])
            return []
        }
    }

    private func content(_ fixture: EngineFixture) throws -> [String] {
        let (store, moment) = (fixture.store, fixture.moment)
        return try names(fixture) + store.sharing.people().map(\.name)
            + store.sharing.groups().flatMap { try store.sharing.expenses(of: $0.id).map(\.title) }.sorted()
            + store.sharing.balances(at: moment).map { "\($0)" }
            + store.budgets.list(at: moment).map { "\($0.budget.limit)" }
    }

    /// Which devices merge which before the undo.
    @Test(arguments: Source.allCases, ["none", "first", "second"])
    func anUndoneReadingTakesNothingFromOthers(_ source: Source, _ merged: String) throws {
        let file = try prepare(source)
        try go(8)
        try read(source, second, file)
        try go(9)
        if merged == "first" { _ = try merge(second, into: first) }
        let wanted = try content(first)
        if merged == "second" {
            let entries = try second.store.journal.entries(at: second.moment).count
            _ = try merge(first, into: second)
            try second.store.journal.undo(
                second.store.journal.entries(at: second.moment).count - entries + 1, at: second.moment)
        } else {
            try second.store.journal.undo(at: second.moment)
        }
        try go(10)
        #expect(try merge(second, into: first).removed.isEmpty)
        #expect(try content(first) == wanted)
        try exchange()
        #expect(try content(first) == wanted && content(second) == wanted)
    }

    /// The other device has the rows from a merge when it reads the same.
    @Test(arguments: [Source.sheet, .budget])
    func anUndoneReadingTakesNothingFromWhoReadItAfterAMerge(_ source: Source) throws {
        let file = try prepare(source)
        _ = try merge(first, into: second)
        try go(8)
        try read(source, second, file)
        let wanted = try content(second)
        try go(9)
        try first.store.journal.undo(at: first.moment)
        try exchange()
        #expect(try content(first) == wanted && content(second) == wanted)
    }

    @Test func whatTwoVersionsOfAFileSayIsReported() throws {
        let file = String(decoding: try prepare(.json), as: UTF8.self)
        let third = try EngineFixture(seed: 3)
        try third.go(to: "2026-11-20T08:00:00Z")
        try read(.json, second, Array(file.utf8))
        try read(.json, third, Array(file.replacing("\"One\"", with: "\"Uno\"").utf8))
        #expect(try merge(third, into: second).overridden.map(\.new) == ["Uno"])
        #expect(try names(second) == ["Two", "Uno"])
    }

    @Test(arguments: [Source.statement, .sheet, .budget])
    func whatAllTakeBackIsGone(_ source: Source) throws {
        let file = try prepare(source)
        try go(8)
        try read(source, second, file)
        try first.store.journal.undo(at: first.moment)
        try go(9)
        _ = try merge(first, into: second)
        try second.store.journal.undo(at: second.moment)
        try exchange()
        #expect(try names(first).isEmpty && first.store.budgets.list(at: first.moment).isEmpty)
        for group in try first.store.sharing.groups() {
            #expect(try first.store.sharing.expenses(of: group.id).isEmpty)
        }
        try go(10)
        try second.store.journal.redo(at: second.moment)
        try exchange()
        #expect(try !content(first).isEmpty && content(first) == content(second))
    }

    @Test func aLaterReadingOfAStatementTakesNoEdit() throws {
        let file = try prepare(.statement)
        let id = try #require(try first.store.subscriptions.all().first).id
        try go(8)
        try first.store.subscriptions.edit(
            id,
            [
                .name: "Netflix “é”", .notes: "PIN", .category: "music", .scope: "pro", .remind: "7,1",
                .nextBillingOn: "2026-12-20",
            ], at: first.moment)
        try first.store.ledger.skip(first.occurrence(id, "2026-09-17"), at: first.moment)
        try first.store.ledger.recordPaid(first.occurrence(id, "2026-08-17"), amount: "9.99", at: first.moment)
        let wanted = try first.store.subscriptions.load(id)
        try go(10)
        try read(.statement, second, file)
        #expect(try merge(second, into: first).isEmpty)
        try exchange()
        for fixture in [first, second] {
            let found = try fixture.store.subscriptions.load(id)
            #expect(found.name == wanted.name && found.notes == "PIN" && found.category == wanted.category)
            #expect(found.scope == .pro && found.reminders == wanted.reminders && found.schedule == wanted.schedule)
            #expect(try fate(fixture, id, "2026-09-17") == "skipped 13.49")
            #expect(try fate(fixture, id, "2026-08-17") == "acknowledged 9.99")
        }
    }

    @Test func aLaterReadingOfASheetTakesNoEdit() throws {
        let file = try prepare(.sheet)
        let group = try #require(try first.store.sharing.groups().first)
        var pizza = try #require(try first.store.sharing.expenses(of: group.id).first { $0.title == "Pizza" })
        pizza.notes = "corrected"
        pizza.isSettled = true
        try go(8)
        try first.store.sharing.save(pizza, at: first.moment)
        try go(10)
        try read(.sheet, second, file)
        try exchange()
        let found = try second.store.sharing.expenses(of: group.id).first { $0.title == "Pizza" }
        #expect(found?.isSettled == true && found?.notes == "corrected")
    }

    @Test func aLaterReadingOfAnOlderExportTakesNoEdit() throws {
        let file = try prepare(.json)
        let id = try #require(try first.store.subscriptions.all().first).id
        try go(8)
        try first.store.subscriptions.edit(id, [.notes: "of 8"], at: first.moment)
        try go(9)
        try read(.json, second, file)
        try exchange()
        #expect(try second.store.subscriptions.load(id).notes == "of 8")
    }

    // MARK: Undone merges and restores

    @Test(arguments: [true, false]) func anUndoneMergeIsAsIfItHadNeverBeen(_ isRestore: Bool) throws {
        let id = try second.add("Net", [.nextBillingOn: "2026-11-21"])
        let bob = try person(second)
        _ = try merge(second, into: first)
        try go(9)
        let (store, moment) = (first.store, first.moment)
        try store.subscriptions.setPrice(id, "15", from: first.day("2027-01-01"), at: moment)
        try store.subscriptions.pause(id, from: first.day("2027-03-01"), at: moment)
        try store.sharing.setSplit(Split(kind: .even, people: [bob.id]), of: id, at: moment)
        try store.ledger.confirm(first.occurrence(id, "2026-11-21"), at: moment)
        try store.subscriptions.edit(id, [.notes: "theirs"], at: moment)
        let before = try second.backup()
        try go(10)
        if isRestore {
            try second.store.backups.restore(first.backup(), keepsCopy: false, at: second.moment)
        } else {
            _ = try merge(first, into: second)
        }
        try go(11)
        try second.store.journal.undo(at: second.moment)
        #expect(try RandomUser.rows(second.backup()) == RandomUser.rows(before))
        let wanted = try RandomUser.rows(first.backup())
        #expect(try merge(second, into: first).isEmpty)
        #expect(try !merge(first, into: second).isEmpty)
        try exchange()
        #expect(try RandomUser.rows(second.backup()) == wanted)
        try second.store.journal.undo(at: second.moment)
        try second.store.journal.redo(at: second.moment)
        #expect(try RandomUser.rows(second.backup()) == wanted)
    }

    @Test func anUndoneRestoreBeatsNoEdit() throws {
        let id = try second.add("Net")
        let old = try second.backup()
        try go(7)
        try second.store.subscriptions.edit(id, [.notes: "of 7"], at: second.moment)
        _ = try merge(second, into: first)
        try go(9)
        try first.store.subscriptions.edit(id, [.notes: "of 9"], at: first.moment)
        try go(10)
        try second.store.backups.restore(old, keepsCopy: false, at: second.moment)
        try second.store.journal.undo(at: second.moment)
        try exchange()
        #expect(try second.store.subscriptions.load(id).notes == "of 9")
    }

    @Test func anUndoneMergeBringsNothingBack() throws {
        let third = try EngineFixture(seed: 3)
        try second.add("Oops")
        try third.store.backups.merge(second.backup(), keepsCopy: false, at: second.moment)
        try go(8)
        try second.store.journal.undo(at: second.moment)
        try second.add("Other")
        _ = try merge(second, into: first)
        try first.store.journal.undo(at: first.moment)
        try third.store.backups.merge(first.backup(), keepsCopy: false, at: second.moment)
        try second.store.backups.merge(third.backup(), keepsCopy: false, at: second.moment)
        #expect(try names(second) == ["Other"])
    }

    @Test func anUndoBringsNoTimeAheadBack() throws {
        try first.go(to: "2027-01-20T10:00:00Z")
        let id = try first.add("Net", [.nextBillingOn: "2027-03-05"])
        try first.store.subscriptions.delete(id, at: first.moment)
        try go(8)
        _ = try first.store.clock.repair(at: first.moment)
        try first.store.journal.undo(at: first.moment)
        #expect(try first.store.clock.ahead(at: first.moment) == nil)
        #expect(try merge(first, into: second).refused.isEmpty && names(second) == ["Net"])
    }

    // MARK: What the program writes along

    /// A price keeps what was confirmed, and a later start what was charged before it.
    @Test func aPriceTakesNoDecision() throws {
        let id = try first.add("Net", [.startedOn: "2026-08-25", .nextBillingOn: "2026-11-21"])
        let charge = try first.occurrence(id, "2026-11-21")
        try first.store.ledger.confirm(charge, at: first.moment)
        try exchange()
        try go(9)
        try second.store.ledger.skip(charge, at: second.moment)
        try go(10)
        try first.store.subscriptions.setPrice(id, "15", from: first.day("2026-11-21"), at: first.moment)
        try exchange()
        for fixture in [first, second] {
            try fixture.go(to: "2026-11-22")
            #expect(try fate(fixture, id, "2026-11-21")?.hasPrefix("skipped") == true)
        }
    }

    @Test func aLaterStartTakesNoConfirmation() throws {
        let id = try first.add("Net", [.startedOn: "2026-08-01"])
        try exchange()
        try go(9)
        try second.store.ledger.recordPaid(second.occurrence(id, "2026-09-25"), amount: "9", at: second.moment)
        try second.store.ledger.confirm(second.occurrence(id, "2026-08-25"), at: second.moment)
        try go(10)
        try first.store.subscriptions.edit(id, [.startedOn: "2026-10-01"], at: first.moment)
        #expect(try fate(first, id, "2026-10-25") == "acknowledged 13.49")
        try exchange()
        try go(11)
        // What was charged before the start shows again with an earlier one.
        try first.store.subscriptions.edit(id, [.startedOn: "2026-08-01"], at: first.moment)
        try exchange()
        for fixture in [first, second] {
            #expect(try fate(fixture, id, "2026-09-25") == "acknowledged 9.00")
            #expect(try fate(fixture, id, "2026-08-25") == "acknowledged 13.49")
        }
    }

    @Test func aConfirmationAndADeletionTakeNoSchedule() throws {
        let id = try first.add("Card", [.cycle: "every:28d after payment", .nextBillingOn: "2026-11-21"])
        let bundle = try first.add("Bundle")
        let part = try first.add("Part", [.bundledIn: bundle.lowercased])
        try exchange()
        try go(9)
        for id in [id, part] {
            try second.store.subscriptions.edit(
                id, [.cycle: "yearly", .nextBillingOn: "2027-01-02"], at: second.moment)
        }
        for fixture in [first, second] { try fixture.go(to: "2026-11-24T10:00:00Z") }
        try first.store.ledger.confirm(first.occurrence(id, "2026-11-21"), at: first.moment)
        let next = try first.store.subscriptions.summary(id, at: first.moment).nextBillingOn
        #expect(next?.iso == "2026-12-22")
        try first.store.subscriptions.delete(bundle, at: first.moment)
        _ = try merge(first, into: second)
        for id in [id, part] {
            let found = try second.store.subscriptions.load(id)
            #expect(found.cycle.wire == "yearly" && found.schedule.anchor.iso == "2027-01-02")
        }
    }

    /// Where nobody edited the schedule, a confirmation moves it everywhere.
    @Test func aConfirmationMovesTheNextChargeEverywhere() throws {
        let id = try first.add("Card", [.cycle: "every:28d after payment", .nextBillingOn: "2026-11-21"])
        try exchange()
        for fixture in [first, second] { try fixture.go(to: "2026-11-24T10:00:00Z") }
        try first.store.ledger.confirm(first.occurrence(id, "2026-11-21"), at: first.moment)
        try exchange()
        try first.store.ledger.confirm(
            first.occurrence(id, "2026-11-21"), paidOn: first.day("2026-11-22"), at: first.moment)
        try exchange()
        for fixture in [first, second] {
            #expect(
                try fixture.store.subscriptions.summary(id, at: fixture.moment).nextBillingOn?.iso == "2026-12-20")
        }
    }

    @Test func aFixedShareOfTodayKeepsItsDecimals() throws {
        let id = try first.add("Net")
        let bob = try person(first)
        let fixed = Split(kind: .exact, people: [bob.id], weights: [500])
        try first.store.sharing.setSplit(fixed, of: id, at: first.moment)
        try first.store.sharing.setSplit(
            Split(kind: .even, people: [bob.id]), of: id, from: first.day("2027-06-01"), at: first.moment)
        #expect(throws: DeviceStoreError.self) {
            try first.store.subscriptions.edit(id, [.currency: "JPY", .amount: "2400"], at: first.moment)
        }
        try first.store.sharing.setSplit(Split(kind: .even, people: [bob.id]), of: id, at: first.moment)
        try first.store.subscriptions.edit(id, [.currency: "JPY", .amount: "2400"], at: first.moment)
    }

    /// Each device has nine levels of bundles, eighteen together.
    @Test func tooLongAChainOfBundlesIsOpened() throws {
        let ids = try (0...18).map { try first.add("S\($0)") }
        try exchange()
        try go(8)
        for place in 0..<9 {
            try first.store.subscriptions.edit(
                ids[place], [.bundledIn: ids[place + 1].lowercased], at: first.moment)
            try second.store.subscriptions.edit(
                ids[place + 9], [.bundledIn: ids[place + 10].lowercased], at: second.moment)
        }
        _ = try merge(first, into: second)
        try exchange()
        let linked = try first.store.subscriptions.all().count { $0.bundledIn != nil }
        #expect(linked < 18 && linked >= 16)
    }
}
