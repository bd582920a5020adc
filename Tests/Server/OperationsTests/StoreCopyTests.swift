import BackendTestKit
import Catalogue
import EventLog
import Foundation
import Operations
import SQLDatabase
import SQLiteDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Synchronization
import Telemetry
import TestKit
import Testing

/// Copies edge cases of every feature to PostgreSQL and back.
struct StoreCopyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let now = "2026-11-20T10:00:00Z"
    /// Small, so that a few events make runs of several levels.
    private static let shape: EventIDIndexShape = {
        var shape = EventIDIndexShape()
        shape.runSize = 40
        shape.segmentSize = 60
        shape.fanOut = 3
        return shape
    }()

    /// A database of either kind with rows in most tables.
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
        for (number, item) in [items[0], items[2], items[2]].enumerated() {
            _ = try catalogue.setLogo(Self.logo(number), in: logos(store), of: item.id, ifRevision: nil, by: .editor)
        }
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

    /// Where a database keeps its logos: a folder for an SQLite file, a table for PostgreSQL.
    private func logos(_ store: any SchemaStore) -> any LogoContents {
        guard let file = store as? SQLiteStore else { return LogoTable(store: store) }
        return LogoFolder(path: folder.file(String(file.path.map { $0 == "/" ? "_" : $0 })))
    }

    private static func logo(_ number: Int) -> LogoFile {
        LogoFile([UInt8](repeating: UInt8(number), count: 40_000 + number), format: .webp)
    }

    private func copy(
        _ source: any SchemaStore, _ target: any SchemaStore, skipsMissingLogos: Bool = false
    ) -> StoreCopy {
        StoreCopy(
            from: source, to: target,
            logos: LogoCopy(from: logos(source), to: logos(target), skipsMissing: skipsMissingLogos), now: Self.now)
    }

    private func content(_ store: any SchemaStore) throws -> [String: [String]] {
        try store.read { session in
            try session.tableNames(store.dialect).reduce(into: [:]) { content, table in
                guard !["schema_migrations", "catalogue_logo_contents"].contains(table) else { return }
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
        let other = try target.make().store
        var compared: [String] = []
        var logos: [StoreCopy.Step] = []
        let outcome = try copy(original, other).run { step throws in
            switch step {
            case .compared(let table, _): compared.append(table)
            case .copiedLogos, .comparedLogos: logos.append(step)
            case .copied: break
            }
        }
        #expect(outcome.rows > 200)
        #expect(outcome.logos == 3)
        #expect(outcome.missingLogos == [])
        #expect(logos == [.copiedLogos(3, of: 3), .comparedLogos(3)])
        for number in 0..<3 {
            #expect(try self.logos(other).read(Self.logo(number).name) == Self.logo(number).bytes)
        }
        #expect(try content(other) == content(original))
        #expect(Set(compared) == Set(try content(other).keys))
        #expect(try !StoreCopy.isUnfinished(other))
        // The copy works like any database: ids continue, duplicates are detected, the chain is intact.
        let moment = try instant(Self.now)
        let context = BackendContext(store: other, now: { moment }, random: { UInt64.random(in: .min ... .max) })
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
        let (other, reopen) = try target.make()
        struct Stop: Error {}
        for table in ["audit_entries", "event_blocks", "user_pages", "crash_groups"] {
            #expect(throws: (any Error).self) {
                try copy(original, try reopen()).run { step throws in
                    if case .copied(table, _, _) = step { throw Stop() }
                    if case .compared = step { throw Stop() }
                }
            }
            #expect(try StoreCopy.isUnfinished(other))
        }
        let another = try filled(.sqlite)
        try another.write { try $0.execute("UPDATE store_metadata SET value = zeroblob(8)") }
        #expect(throws: StoreCopy.Failure.anotherSource) {
            try copy(another, other).run()
        }
        try copy(original, other).run()
        #expect(try content(other) == content(original))
    }

    /// Killed after each of the transactions that make the schema, and before the first rows.
    @Test(arguments: TestDatabase.allCases)
    func aSchemaIsNeverThereWithoutTheMark(target: TestDatabase) throws {
        let original = try filled(.sqlite)
        let other = try target.make().store
        let migrations = Migrator.backend(other.dialect).migrations.count
        for transactions in 0...migrations {
            #expect(throws: KilledStore.Kill.self) {
                try copy(original, KilledStore(store: other, transactions: transactions == 0 ? 0 : 1)).run()
            }
            #expect(try Migrator.backend(other.dialect).status(of: other).applied.count == transactions)
            #expect(try StoreCopy.isUnfinished(other) == (transactions > 0))
        }
        let another = try filled(.sqlite)
        try another.write { try $0.execute("UPDATE store_metadata SET value = zeroblob(8)") }
        #expect(throws: StoreCopy.Failure.anotherSource) { try copy(another, other).run() }
        try copy(original, other).run()
        #expect(try content(other) == content(original))
        #expect(try !StoreCopy.isUnfinished(other))
    }

    @Test func tellsWhatDiffersAndLeavesTheMark() throws {
        let original = try filled(.sqlite)
        let other = try TestDatabase.sqlite.make().store
        #expect(throws: StoreCopy.Failure.different(table: "figure_totals", source: 1, target: 1)) {
            try copy(original, other).run { step throws in
                guard case .compared = step else { return }
                _ = try other.write { try $0.execute("UPDATE figure_totals SET users = users + 1") }
            }
        }
        #expect(try StoreCopy.isUnfinished(other))
    }

    /// The copy reads a snapshot, which hides what a server writes after its start.
    @Test(arguments: TestDatabase.allCases)
    func aSourceThatIsWrittenToIsNoSuccess(source: TestDatabase) throws {
        let original = try filled(source)
        let other = try TestDatabase.sqlite.make().store
        #expect(throws: StoreCopy.Failure.sourceWritten(table: "store_metadata")) {
            try copy(original, other).run { step throws in
                guard case .compared("audit_entries", _) = step else { return }
                let row = "INSERT INTO store_metadata (key, value) VALUES ('late', ?)"
                _ = try original.write { try $0.execute(row, [.blob([1])]) }
            }
        }
        #expect(try StoreCopy.isUnfinished(other))
    }

    @Test(arguments: zip(TestDatabase.allCases, TestDatabase.allCases.reversed()))
    func logosComeWholeOrNotAtAll(source: TestDatabase, target: TestDatabase) throws {
        let original = try filled(source)
        let other = try target.make().store
        let (lost, damaged) = (Self.logo(1), Self.logo(2))
        // Content that does not match its name.
        let wrong = LogoFile(damaged.bytes.reversed() + [1], format: .webp)
        try original.write { try logos(original).remove(lost.name, in: $0) }
        #expect(throws: StoreCopy.Failure.logosMissing(1, of: 3, first: lost.name)) {
            try copy(original, other).run()
        }
        #expect(try StoreCopy.isUnfinished(other), "its schema is there")
        try replace(damaged.name, by: wrong.bytes, original)
        #expect(throws: StoreCopy.Failure.damagedLogo(damaged.name)) {
            try copy(original, other, skipsMissingLogos: true).run()
        }
        #expect(try StoreCopy.isUnfinished(other))
        try replace(damaged.name, by: damaged.bytes, original)
        // Existing logos of the target are identified by their content, not only by their name.
        try logos(other).prepare(Self.logo(0))
        try other.write { try logos(other).keep(Self.logo(0), in: $0) }
        try replace(Self.logo(0).name, by: wrong.bytes, other)
        #expect(throws: StoreCopy.Failure.differentLogo(Self.logo(0).name)) {
            try copy(original, other, skipsMissingLogos: true).run()
        }
        try other.write { try logos(other).remove(Self.logo(0).name, in: $0) }
        let outcome = try copy(original, other, skipsMissingLogos: true).run()
        #expect(outcome.logos == 2)
        #expect(outcome.missingLogos == [lost.name])
        #expect(try logos(other).names() == [Self.logo(0).name, damaged.name].sorted())
    }

    private func replace(_ name: String, by bytes: [UInt8], _ store: any SchemaStore) throws {
        if let folder = logos(store) as? LogoFolder {
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        } else {
            _ = try store.write {
                try $0.execute(
                    "UPDATE catalogue_logo_contents SET content = ? WHERE file_name = ?", [.blob(bytes), .text(name)])
            }
        }
    }

    @Test func refusesASourceThatIsNotWhole() throws {
        let (original, middle) = (try filled(.sqlite), try TestDatabase.sqlite.make().store)
        struct Stop: Error {}
        #expect(throws: Stop.self) { try copy(original, middle).run { _ throws in throw Stop() } }
        #expect(throws: StoreCopy.Failure.sourceUnfinished) {
            try copy(middle, try TestDatabase.sqlite.make().store).run()
        }
    }

    @Test func refusesATargetInWhichSomethingIs() throws {
        let original = try filled(.sqlite)
        let used = try filled(.sqlite)
        let before = try content(used)
        #expect(throws: StoreCopy.Failure.targetNotEmpty(table: "event_blocks")) {
            try copy(original, used).run()
        }
        #expect(try content(used) == before)
    }
}

/// A database that a process is killed on, after some transactions.
private final class KilledStore: SchemaStore {
    struct Kill: Error {}

    private let store: any SchemaStore
    private let left: Mutex<Int>

    init(store: any SchemaStore, transactions: Int) {
        self.store = store
        left = Mutex(transactions)
    }

    private func spend() throws {
        try left.withLock { left in
            guard left > 0 else { throw Kill() }
            left -= 1
        }
    }

    var dialect: SQLDialect { store.dialect }

    func read<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result { try store.read(body) }

    func write<Result>(_ body: (any SQLTransaction) throws -> Result) throws -> Result {
        try spend()
        return try store.write(body)
    }

    func alterSchema<Result>(lockTimeout: Duration, _ body: (any SchemaSession) throws -> Result) throws -> Result {
        try spend()
        return try store.alterSchema(lockTimeout: lockTimeout, body)
    }

    func keepCopy(beforeMigration number: Int) throws {}

    func close() throws { try store.close() }
}
