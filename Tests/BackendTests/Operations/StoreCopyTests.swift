import Backend
import Foundation
import SQLDatabase
import SubGuardDomain
import Synchronization
import TestKit
import Testing

/// Awkward data in every feature, to PostgreSQL and back.
struct StoreCopyTests {
    private static let now = "2026-11-20T10:00:00Z"
    /// So that a few events make runs of several levels.
    private static let shape: EventIDIndexShape = {
        var shape = EventIDIndexShape()
        shape.runSize = 40
        shape.segmentSize = 60
        shape.fanOut = 3
        return shape
    }()

    /// A store of a kind with something in most tables.
    private func filled(_ database: TestDatabase) throws -> any SchemaStore {
        let store = try database.make().store
        try Migrator.backend(store.dialect).migrate(store, now: Self.now)
        let moment = try instant(Self.now)
        let random = Mutex(SeededRandom(seed: 7))
        let context = BackendContext(
            store: store, now: { moment }, random: { random.withLock { $0.next() } })
        let catalogue = CatalogueStore(context: context)
        try catalogue.insert(slugs: ["netflix", "arte", "zdf"])
        let items = try catalogue.loadSnapshot().items
        try catalogue.merge([items[1].id], into: items[0].id, ifRevision: nil, by: .editor)
        _ = try SuggestionStore(context: context).submit([
            Suggestion(id: makeID(1), name: "Ciné “O'Neil” 🎬"), Suggestion(id: makeID(2), name: "Śląsk"),
        ])
        let alerts = AlertStore(context: context)
        try alerts.replaceThresholds(with: [5, 900], ifRevision: nil, by: .editor)
        let log = EventLog(context: context, alerts: alerts, shape: Self.shape)
        for block in 0..<30 {
            _ = try log.append([
                try EventBatch(
                    try (0..<40).map { index in
                        try event(
                            UInt64(block * 40 + index), index % 5 == 0 ? "subscription_added" : "app_opened",
                            user: (block * 7 + index) % 90, at: moment.adding(days: -block),
                            properties: index % 5 == 0
                                ? "{\"catalogue_item_id\":\"\(items[0].id.uuidString.lowercased())\",\"locale\":\"fr\"}"
                                : nil)
                    })
            ])
        }
        try log.settle()
        while try log.upkeepStep() {}
        try RankingStore(context: context, log: log).refreshIfDue()
        _ = try AccessTokenStore(context: context).create(
            role: .owner, name: "Zoë “the owner”", expiresAt: nil, by: .editor)
        _ = try StoreIdentity(context: context)
        return store
    }

    private func content(_ store: any SchemaStore) throws -> [String: [String]] {
        try store.read { session in
            try session.tableNames(store.dialect).reduce(into: [:]) { content, table in
                guard table != "schema_migrations", table != "events" else { return }
                let generated = try session.generatedColumns(ofTable: table, store.dialect)
                let columns = try session.columns(ofTable: table, store.dialect)
                    .filter { !generated.contains($0.name) }.sorted { $0.name < $1.name }
                let sql = "SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(table)"
                content[table] = try session.query(sql) { row in
                    try columns.enumerated().map { place, column in
                        if row.isNull(place) { return "null" }
                        return switch column.type {
                        case "INTEGER": "\(try row.integer(place))"
                        case "TEXT": try row.text(place)
                        default: "\(try row.blob(place))"
                        }
                    }.joined(separator: "|")
                }.sorted()
            }
        }
    }

    @Test(arguments: TestDatabase.allCases, TestDatabase.allCases)
    func everythingArrives(source: TestDatabase, target: TestDatabase) throws {
        let original = try filled(source)
        let copy = try target.make().store
        var compared: [String] = []
        let rows = try StoreCopy(from: original, to: copy, now: Self.now).run { step throws in
            if case .compared(let table, _) = step { compared.append(table) }
        }
        #expect(rows > 200)
        #expect(try content(copy) == content(original))
        #expect(Set(compared) == Set(try content(copy).keys))
        #expect(try !StoreCopy.isUnfinished(copy))
        // It is a store like any other: numbers go on, nothing is known twice, the chain is whole.
        let moment = try instant(Self.now)
        let context = BackendContext(store: copy, now: { moment }, random: { UInt64.random(in: .min ... .max) })
        let log = EventLog(context: context, shape: Self.shape)
        let receipts = try log.append([
            try EventBatch([
                try event(0, "app_opened", user: 0, at: moment), try event(5000, "app_opened", user: 777, at: moment),
            ])
        ])
        #expect(receipts.first?.accepted == 1)
        #expect(receipts.first?.duplicates == 1)
        try log.settle()
        let figures = try FigureVerifier(context: context).verify()
        #expect(figures.differences == [])
        #expect(figures.eventCount == 1201)
        #expect(try AuditLog(context: context).verify().isIntact)
        try CatalogueStore(context: context).insert(slugs: ["new"])
    }

    @Test(arguments: TestDatabase.allCases)
    func goesOnWhereItWasInterrupted(target: TestDatabase) throws {
        let original = try filled(.sqlite)
        let (copy, reopen) = try target.make()
        struct Stop: Error {}
        for table in ["audit_entries", "event_blocks", "users", "crash_groups"] {
            #expect(throws: (any Error).self) {
                try StoreCopy(from: original, to: try reopen(), now: Self.now).run { step throws in
                    if case .copied(table, _, _) = step { throw Stop() }
                    if case .compared = step { throw Stop() }
                }
            }
            #expect(try StoreCopy.isUnfinished(copy))
        }
        let another = try filled(.sqlite)
        try another.write { try $0.execute("UPDATE store_metadata SET value = zeroblob(8)") }
        #expect(throws: StoreCopy.Failure.anotherSource) {
            try StoreCopy(from: another, to: copy, now: Self.now).run()
        }
        try StoreCopy(from: original, to: copy, now: Self.now).run()
        #expect(try content(copy) == content(original))
    }

    @Test func tellsWhatDiffersAndLeavesTheMark() throws {
        let original = try filled(.sqlite)
        let copy = try TestDatabase.sqlite.make().store
        #expect(throws: StoreCopy.Failure.different(table: "users", source: 90, target: 90)) {
            try StoreCopy(from: original, to: copy, now: Self.now).run { step throws in
                guard case .compared = step else { return }
                _ = try copy.write { try $0.execute("UPDATE users SET last_seen_at = last_seen_at + 1 WHERE id = 3") }
            }
        }
        #expect(try StoreCopy.isUnfinished(copy))
    }

    @Test func refusesATargetInWhichSomethingIs() throws {
        let original = try filled(.sqlite)
        let used = try filled(.sqlite)
        let before = try content(used)
        #expect(throws: StoreCopy.Failure.targetNotEmpty(table: "users")) {
            try StoreCopy(from: original, to: used, now: Self.now).run()
        }
        #expect(try content(used) == before)
    }
}
