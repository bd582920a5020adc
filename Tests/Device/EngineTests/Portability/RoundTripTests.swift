import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// What is exported and imported again is as it was, in another database and in the same one.
@Suite struct RoundTripTests {
    @discardableResult
    private func take(_ text: String, _ format: ImportFormat, in fixture: EngineFixture) throws -> ImportReport {
        try fixture.store.portability.importFile(Array(text.utf8), ImportOptions(format: format), at: fixture.moment)
    }

    private func person(_ name: String, in fixture: EngineFixture) throws -> UUID {
        let person = Person(id: fixture.store.makeID(fixture.moment), name: name, createdAt: fixture.moment.now)
        try fixture.store.sharing.save(person, at: fixture.moment)
        return person.id
    }

    /// All that depends on who bears what.
    private func figures(_ fixture: EngineFixture) throws -> [String] {
        let (store, moment) = (fixture.store, fixture.moment)
        let names = try store.sharing.names()
        let debts = try store.sharing.debts(at: moment).map {
            "\($0.on.iso) \(names[$0.debtor] ?? "?") \($0.amount.minorUnits)"
        }
        let shared = try store.sharing.shared(at: moment).map { "\($0.subscription.name) \($0.share.split.people)" }
        let parts = try store.subscriptions.all().map { subscription in
            "\(try store.sharing.plan(of: subscription.id, at: moment))"
        }
        return debts + shared + parts + names.values.sorted()
    }

    @Test("The share of a person who was deleted comes back, and nobody bears more or less than before")
    func sharesOfDeletedPeople() throws {
        for kind in [SplitKind.even, .exact, .shares] {
            for others in [0, 1] {
                let fixture = try EngineFixture("2026-09-01")
                let bob = try person("Bob", in: fixture)
                let people = try [bob] + (0..<others).map { _ in try person("Eve", in: fixture) }
                let weights: [Int64] = kind == .even ? [] : people.indices.map { 300 + Int64($0) }
                let id = try fixture.add(
                    "Net", [.amount: "12", .cycle: "weekly", .nextBillingOn: "2026-09-02"])
                try fixture.store.sharing.setSplit(
                    Split(kind: kind, people: people, weights: weights), of: id, notes: "as agreed", at: fixture.moment)
                try fixture.go(to: "2026-10-20")
                try fixture.store.sharing.deletePerson(bob, isForced: true, at: fixture.moment)
                try fixture.go(to: "2026-11-25")
                let text = try fixture.store.portability.export(.json, at: fixture.moment)
                let before = try figures(fixture)
                let other = try EngineFixture("2026-11-25", seed: 9)
                #expect(try take(text, .json, in: other).others["former_people"] == 1)
                #expect(try figures(other) == before, "\(kind) \(others)")
                #expect(try other.store.portability.export(.json, at: other.moment) == text)
                #expect(try take(text, .json, in: fixture).othersPresent == 1 + others)
                #expect(try figures(fixture) == before)
            }
        }
    }

    @Test func aPersonWhoIsHereIsNotDeletedByAFile() throws {
        let fixture = try EngineFixture()
        let bob = try person("Bob", in: fixture)
        let file = { (id: UUID, name: String, day: String) in
            let former = #"{"id":"\#(id.lowercased)","name":"\#(name)","left_on":"\#(day)"}"#
            return #"{"subscriptions":[],"former_people":[\#(former)]}"#
        }
        try take(file(bob, "Bo", "2026-10-01"), .json, in: fixture)
        #expect(try fixture.store.sharing.names()[bob] == "Bob")
        for bad in [
            file(Person.me, "Bo", "2026-10-01"), file(UUID(), " ", "2026-10-01"), file(UUID(), "Bo", "2026-02-30"),
        ] { #expect(throws: DeviceStoreError.self) { try take(bad, .json, in: fixture) } }
        // Nor does an older file change when a person left.
        try fixture.store.sharing.deletePerson(bob, isForced: true, at: fixture.moment)
        let text = try fixture.store.portability.export(.json, at: fixture.moment)
        try take(file(bob, "Bo", "2026-10-01"), .json, in: fixture)
        #expect(try fixture.store.portability.export(.json, at: fixture.moment) == text)
        // Somebody whom nothing names is a mistake.
        let share = #"{"split":"even","parts":"\#(UUID().lowercased)"}"#
        let row = """
            [{"name":"A","amount":"9","currency":"EUR","cycle":"monthly","next_billing_on":"2027-03-01",\
            "share":\(share)}]
            """
        #expect(throws: DeviceStoreError.self) { try take(row, .json, in: fixture) }
    }

    @Test("A trial or a term that ended was not cancelled on the day of the import")
    func whatEnded() throws {
        for changes: SubscriptionDraft in [
            [.trialStartsOn: "2026-07-01", .trialEndsOn: "2026-07-31", .trialConverts: "false"],
            [.endsOn: "2026-08-31"], [.endsOn: "2026-08-31", .cycle: "every:28d after payment"],
        ] {
            let fixture = try EngineFixture("2026-06-20")
            let id = try fixture.add("X", changes.merging([.nextBillingOn: "2026-07-05"]) { $1 })
            try fixture.go(to: "2026-11-20")
            for format in [ImportFormat.json, .csv] {
                let text = try fixture.store.portability.export(
                    format == .csv ? .csv : .json, at: fixture.moment)
                let other = try EngineFixture("2026-11-20", seed: 9)
                for target in [other, fixture] {
                    try take(text, format, in: target)
                    let subscription = try target.store.subscriptions.load(id)
                    #expect(subscription.status(on: target.moment.today) == .ended)
                    #expect(subscription.states.isEmpty, "\(format) \(changes)")
                }
            }
        }
        // A file of another program does not say why it ended.
        let fixture = try EngineFixture()
        let id = try #require(
            try take(
                "name,amount,currency,cycle,next_billing_on,status\nA,5,EUR,monthly,2026-12-01,ended\n", .csv,
                in: fixture
            ).added.first)
        #expect(try fixture.store.subscriptions.load(id).status(on: fixture.moment.today) == .cancelled)
    }

    @Test("A CSV file keeps the day of a cancellation, planned or in force")
    func cancellations() throws {
        let fixture = try EngineFixture("2026-06-20")
        let subscriptions = fixture.store.subscriptions
        let ids = try ["Planned", "Paused", "Past"].map { try fixture.add($0, [.nextBillingOn: "2026-07-05"]) }
        try subscriptions.pause(ids[1], from: fixture.moment.today, at: fixture.moment)
        for id in ids { try subscriptions.cancel(id, on: try fixture.day("2027-03-01"), at: fixture.moment) }
        try subscriptions.cancel(ids[2], on: try fixture.day("2026-09-10"), at: fixture.moment)
        try fixture.go(to: "2026-11-20")
        let text = try fixture.store.portability.export(.csv, at: fixture.moment)
        let other = try EngineFixture("2026-11-20", seed: 9)
        for target in [other, fixture] {
            try take(text, .csv, in: target)
            #expect(try target.store.portability.export(.csv, at: target.moment) == text)
            let all = try ids.map { try target.store.subscriptions.load($0) }
            #expect(all.map { $0.status(on: target.moment.today) } == [.active, .paused, .cancelled])
            #expect(all.map { $0.stateHistory.last?.from.iso } == ["2027-03-01", "2027-03-01", "2026-09-10"])
            // What was charged until then.
            let spent = try target.store.totals.spending(of: ids[2], at: target.moment)
            #expect(spent.map(\.decimal) == ["40.47"])
        }
        // An empty cell says nothing, and a date more than a status.
        let rows = """
            id,name,amount,currency,cycle,next_billing_on,status,cancels_on
            \(ids[0]),Planned,13.49,EUR,monthly,2026-12-05,active,
            \(ids[1]),Paused,13.49,EUR,monthly,2026-12-05,cancelled,01/02/2027
            """
        try take(rows, .csv, in: other)
        #expect(try other.store.subscriptions.load(ids[0]).stateHistory.last?.from.iso == "2027-03-01")
        #expect(try other.store.subscriptions.load(ids[1]).stateHistory.last?.from.iso == "2027-02-01")
    }

    @Test("A CSV file keeps that there are no reminders, and the line ends around a note")
    func remindersAndNotes() throws {
        let fixture = try EngineFixture()
        let notes = ["\nl1\n\nl2\n", "\n-1", " x", "'\n=2"]
        for (remind, note) in zip(["", "default", "none,no-cancel_by", "7,0"], notes) {
            try fixture.add(remind + "x", [.remind: remind, .notes: note, .details: note])
        }
        let text = try fixture.store.portability.export(.csv, at: fixture.moment)
        let other = try EngineFixture(seed: 9)
        for target in [other, fixture] {
            try take(text, .csv, in: target)
            #expect(try target.store.portability.export(.csv, at: target.moment) == text)
            let all = try target.store.subscriptions.all()
            #expect(Set(all.map(\.notes)) == Set(notes) && Set(all.map(\.details)) == Set(notes))
            #expect(all.first { $0.name == "x" }?.reminders == ReminderPlan(days: []))
        }
    }
}
