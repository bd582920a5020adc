import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

/// Programs of the release before on a schema that a newer one has migrated.
@Suite struct MigratorReadersTests {
    private static let older = [MigratorTests.people, MigratorTests.pets]
    private let store: SQLiteStore

    init() throws { store = try SQLiteStore.temporary() }

    private func migrate(adding sql: String...) throws {
        var list = Self.older
        for text in sql { list.append(Migration(number: list.count + 1, slug: "step", sql: text)) }
        try Migrator(migrations: list).migrate(store, now: MigratorTests.now)
    }

    private func olderStatus() throws -> MigrationStatus {
        var migrator = Migrator(migrations: Self.older)
        migrator.acceptsNewer = true
        #expect(try migrator.migrate(store, now: MigratorTests.now).isEmpty)
        return try migrator.status(of: store)
    }

    @Test func readsTheDeclaration() {
        func reader(_ sql: String) -> Int { Migration(number: 7, slug: "step", sql: sql).oldestReader }
        #expect(reader("-- Oldest reader: 6\nCREATE TABLE a (b INTEGER)") == 6)
        #expect(reader("-- Oldest reader: 5") == 5)
        #expect(reader("-- oldest reader 6\nSELECT 1") == 7)
        #expect(reader("-- Oldest reader: six\nSELECT 1") == 7)
        #expect(reader("CREATE TABLE a (b INTEGER)\n-- Oldest reader: 6") == 7)
    }

    @Test func goesOnWhereEachNewerMigrationLetsIt() throws {
        try migrate(adding: "-- Oldest reader: 2\nCREATE TABLE a (b INTEGER)", "-- Oldest reader: 1\nSELECT 1")
        let status = try olderStatus()
        #expect(status.isUpToDate)
        #expect(status.newer.map(\.number) == [3, 4])
        #expect(status.newer.map(\.oldestReader) == [2, 1])
        #expect(throws: MigrationError.storeFromTheFuture(number: 3, slug: "step")) {
            try Migrator(migrations: Self.older).status(of: store)
        }
    }

    /// The last one removes what only the release in between can do without.
    @Test func isRefusedByTheFirstMigrationThatExcludesIt() throws {
        try migrate(
            adding: "-- Oldest reader: 2\nCREATE TABLE a (b INTEGER)", "-- Oldest reader: 3\nDROP TABLE a", "SELECT 1")
        #expect(throws: MigrationError.storeFromTheFuture(number: 4, slug: "step")) { try olderStatus() }
    }

    @Test func isRefusedByAMigrationWithoutADeclaration() throws {
        try migrate(adding: "CREATE TABLE a (b INTEGER)")
        #expect(throws: MigrationError.storeFromTheFuture(number: 3, slug: "step")) { try olderStatus() }
    }

    /// Programs that did not know of declarations made a table without the column.
    @Test func addsTheColumnToAnOlderTable() throws {
        try migrate()
        try store.write { try $0.execute("ALTER TABLE schema_migrations DROP COLUMN oldest_reader") }
        #expect(try olderStatus().isUpToDate)
        try migrate(adding: "-- Oldest reader: 2\nCREATE TABLE a (b INTEGER)")
        #expect(try olderStatus().applied.map(\.oldestReader) == [nil, nil, 2])
    }

    @Test func othersMustStillFit() throws {
        try migrate(adding: "-- Oldest reader: 2\nSELECT 1")
        try store.write { try $0.execute("UPDATE schema_migrations SET checksum = 'x' WHERE number = 2") }
        #expect(throws: MigrationError.checksumMismatch(number: 2, slug: "pets")) { try olderStatus() }
        try store.write { try $0.execute("DELETE FROM schema_migrations WHERE number = 2") }
        #expect(throws: MigrationError.missingInStore(number: 2)) { try olderStatus() }
    }
}
