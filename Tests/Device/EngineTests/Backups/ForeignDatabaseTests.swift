import Foundation
import JSONWire
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Databases in place of backups, which others may have made.
@Suite struct ForeignDatabaseTests {
    private let fixture: EngineFixture
    private let path: String

    init() throws {
        fixture = try EngineFixture()
        path = fixture.folder.file("other.sqlite")
    }

    private func make(migrations: Int = EngineMigrations.all.count, _ statements: [String]) throws {
        let store = try SQLiteStore(path: path)
        defer { try? store.close() }
        try Migrator(migrations: Array(EngineMigrations.all.prefix(migrations)))
            .migrate(store, now: "2026-01-01T00:00:00Z")
        for statement in statements { try store.write { _ = try $0.execute(statement) } }
    }

    @Test(
        "What another program put into it does not run before it is refused",
        arguments: [
            // Run by the migrations that are missing.
            (
                EngineMigrations.all.count - 1,
                ["CREATE TRIGGER z AFTER INSERT ON schema_migrations BEGIN SELECT RAISE(ABORT, 'it ran'); END"],
                #"trigger "z" is not part of it"#
            ),
            // Computed when the migrations are listed.
            (
                EngineMigrations.all.count,
                [
                    "ALTER TABLE schema_migrations DROP COLUMN applied_at",
                    "ALTER TABLE schema_migrations ADD COLUMN applied_at TEXT AS (abs(-9223372036854775807 - 1))",
                ],
                #"table "schema_migrations" differs"#
            ),
        ])
    func nothingForeignRuns(migrations: Int, statements: [String], named: String) throws {
        try make(migrations: migrations, statements)
        let error = #expect(throws: DeviceStoreError.self) {
            try fixture.store.backups.bytes(ofDatabase: path, at: fixture.moment)
        }
        #expect(String(describing: error).contains("Another program has changed this database: \(named)"))
    }

    @Test func anOlderOneIsMigrated() throws {
        try make(migrations: EngineMigrations.all.count - 1, [])
        #expect(try !fixture.store.backups.bytes(ofDatabase: path, at: fixture.moment).isEmpty)
    }

    /// A small file can stand for charges without end; restoring and merging have limits for them.
    @Test func noChargesArePostedInTheCopy() throws {
        let other = try EngineFixture("2020-01-01")
        try other.add("Netflix", [.nextBillingOn: "2020-01-25"])
        let bytes = try fixture.store.backups.bytes(ofDatabase: other.store.path, at: fixture.moment)
        let tables = try JSONValue.parse(bytes)["tables"]?.arrayValue ?? []
        let ledger = try #require(tables.first { $0["name"]?.stringValue == "ledger" })
        #expect(ledger["rows"]?.arrayValue?.isEmpty == true)
        try fixture.store.backups.restore(bytes, at: fixture.moment)
        try other.go(to: "2026-11-20")
        #expect(try fixture.backup() == other.backup())
    }
}
