import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import TestKit
import Testing

@testable import SubGuardEngine

@Suite struct EntityTableTests {
    /// Whether its table marks a row, empties it, or has no way to say that something was taken back.
    @Test func noRowStaysThatIsTakenBack() throws {
        let engine = try EngineFixture()
        let id = try engine.add("Zoë’s “Net”")
        let ana = Person(id: engine.store.makeID(engine.moment), name: "Ana", createdAt: engine.moment.now)
        try engine.store.sharing.save(ana, at: engine.moment)
        try engine.store.sharing.setSplit(Split(kind: .even, people: [ana.id]), of: id, at: engine.moment)
        try engine.store.write(at: engine.moment, as: .shareSaved) { unit in
            let number = try unit.subscriptions.requireNumber(of: id)
            let rows: [(EntityTable, key: [SQLValue])] = [
                (EntityTables.sharePeriods, [.integer(number), .day(engine.moment.today)]),
                (EntityTables.shares, [.integer(number)]), (EntityTables.people, [.uuid(ana.id)]),
            ]
            for (table, key) in rows {
                func isGone() throws -> Bool {
                    try table.row(key, in: unit.session).map { table.isAbsence($0.values) } ?? true
                }
                #expect(try !isGone(), "\(table.name)")
                for _ in 0..<2 {
                    try table.remove(key, in: unit)
                    #expect(try isGone(), "\(table.name)")
                }
            }
            #expect(try EntityTables.people.row([.uuid(ana.id)], in: unit.session) == nil)
        }
        #expect(try engine.store.sharing.share(of: id) == nil)
    }
}
