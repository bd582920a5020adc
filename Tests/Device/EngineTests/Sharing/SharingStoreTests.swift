import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct SharingStoreTests {
    private func people(_ fixture: EngineFixture, _ names: [String]) throws -> [UUID] {
        try names.map { name in
            let person = Person(id: fixture.store.makeID(fixture.moment), name: name, createdAt: fixture.moment.now)
            try fixture.store.sharing.save(person, at: fixture.moment)
            return person.id
        }
    }

    private func expense(
        _ fixture: EngineFixture, _ group: UUID, _ payers: [(UUID, Int64)], _ split: Split
    ) throws -> GroupExpense {
        let expense = GroupExpense(
            id: fixture.store.makeID(fixture.moment), groupID: group, title: "Courses",
            amount: Money(minorUnits: payers.reduce(0) { $0 + $1.1 }, currency: .eur),
            payers: payers.map { PersonAmount(personID: $0, minorUnits: $1) }, split: split,
            spentOn: fixture.moment.today, createdAt: fixture.moment.now)
        try fixture.store.sharing.save(expense, at: fixture.moment)
        return expense
    }

    @Test func settlesAGroupWithSeveralPayers() throws {
        let fixture = try EngineFixture()
        let ids = try people(fixture, ["A", "B", "C"])
        let group = PersonGroup(
            id: fixture.store.makeID(fixture.moment), name: "Coloc", memberIDs: ids, createdAt: fixture.moment.now)
        try fixture.store.sharing.save(group, at: fixture.moment)
        _ = try expense(fixture, group.id, [(ids[0], 1000)], Split(kind: .even, people: ids))
        _ = try expense(
            fixture, group.id, [(ids[0], 500), (ids[1], 100)],
            Split(kind: .shares, people: [ids[1], ids[2]], weights: [1, 2]))
        let settlement = try fixture.store.sharing.settlement(of: group.id)
        #expect(settlement.count == 1)
        var balances = try #require(try fixture.store.sharing.balances(of: group.id).first).balances
        for transfer in settlement[0].transfers { balances.add(transfer) }
        #expect(balances.minorUnits.values.allSatisfy { $0 == 0 })
        #expect(settlement[0].transfers.count == 2)
    }

    @Test func refusesWhatDoesNotAddUp() throws {
        let fixture = try EngineFixture()
        let ids = try people(fixture, ["A", "B", "C"])
        let group = PersonGroup(
            id: fixture.store.makeID(fixture.moment), name: "G", memberIDs: [ids[0], ids[1]],
            createdAt: fixture.moment.now)
        try fixture.store.sharing.save(group, at: fixture.moment)
        #expect(throws: DeviceStoreError.self) {
            try expense(fixture, group.id, [(ids[0], 1000)], Split(kind: .even, people: ids))
        }
        #expect(throws: DeviceStoreError.self) {
            try expense(fixture, group.id, [(ids[2], 1000)], Split(kind: .even, people: [ids[0]]))
        }
        #expect(throws: DeviceStoreError.self) {
            try expense(fixture, group.id, [(ids[0], 1000)], Split(kind: .exact, people: [ids[0]], weights: [999]))
        }
        #expect(try fixture.store.sharing.expenses().isEmpty)
        #expect(throws: DeviceStoreError.self) {
            var person = Person(id: ids[0], name: "A", createdAt: fixture.moment.now)
            person.email = "nope"
            try fixture.store.sharing.save(person, at: fixture.moment)
        }
    }

    @Test func deletingAPersonKeepsTheBalances() throws {
        let fixture = try EngineFixture()
        let ids = try people(fixture, ["A", "B"])
        let group = PersonGroup(
            id: fixture.store.makeID(fixture.moment), name: "G", memberIDs: ids, createdAt: fixture.moment.now)
        try fixture.store.sharing.save(group, at: fixture.moment)
        _ = try expense(fixture, group.id, [(ids[0], 1001)], Split(kind: .even, people: ids))
        let subscription = try fixture.add()
        try fixture.store.sharing.setSplit(
            Split(kind: .percent, people: ids, weights: [2500, 2500]), of: subscription, at: fixture.moment)
        let transaction = Transaction(
            id: fixture.store.makeID(fixture.moment), title: "Prêt", amount: Money(minorUnits: 1, currency: .eur),
            kind: .expense,
            bookedOn: fixture.moment.today, personID: ids[1], createdAt: fixture.moment.now)
        try fixture.store.transactions.save(transaction, at: fixture.moment)
        let before = try fixture.store.sharing.settlement(of: group.id).map(\.transfers)
        try fixture.store.sharing.deletePerson(ids[1], isForced: true, at: fixture.moment)
        #expect(try fixture.store.sharing.settlement(of: group.id).map(\.transfers) == before)
        #expect(try fixture.store.transactions.list().map(\.personID) == [nil])
        #expect(try fixture.store.sharing.group(group.id).memberIDs == [ids[0]])
        // The other part is not split anew.
        let share = try #require(try fixture.store.sharing.share(of: subscription))
        let parts = try share.parts(of: Money(minorUnits: 1200, currency: .eur)).others
        #expect(parts.first == PersonAmount(personID: ids[0], minorUnits: 300))
        try fixture.store.sharing.deleteGroup(group.id, at: fixture.moment)
        #expect(try fixture.store.sharing.expenses().isEmpty)
    }

    /// Of a file of another user: nothing of it is stored before this is known.
    @Test func aSheetOfMorePeopleThanAGroupHasIsRefused() throws {
        let names = (0..<201).map { "p\($0)" }
        let participants = names.map { "{\"id\":\"\($0)\",\"name\":\"\($0)\"}" }.joined(separator: ",")
        let rows = names.map { "x,1.00,2026-11-01,\($0),1,1,p0" }.joined(separator: "\n")
        for text in [
            "{\"name\":\"Trip\",\"participants\":[\(participants)],\"expenses\":[]}",
            "Date,Description,Cost,\(names.joined(separator: ","))\n",
            "what,amount,date,payer_name,payer_weight,payer_active,owers\n\(rows)\n",
        ] {
            do {
                _ = try GroupSheet.read(Array(text.utf8), name: "Trip", currency: .eur)
                Issue.record("\(text.prefix(40))")
            } catch {
                #expect(error.map(\.detail) == ["Must name 1 to 200 people."], "\(error)")
            }
        }
    }
}
