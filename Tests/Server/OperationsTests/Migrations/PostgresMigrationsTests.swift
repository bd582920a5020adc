import Operations
import SQLDatabase
import TestKit
import Testing

struct PostgresMigrationsTests {
    @Test func bearTheNumbersAndNamesOfSQLites() {
        #expect(PostgresMigrations.all.map(\.number) == SQLiteMigrations.all.map(\.number))
        #expect(PostgresMigrations.all.map(\.slug) == SQLiteMigrations.all.map(\.slug))
    }

    /// docs/architecture.md has the rule. Before those of 0.1.0 there was no program.
    @Test func declareTheirOldestReader() throws {
        let firstRelease = 13
        for (sqlite, postgres) in zip(SQLiteMigrations.all, PostgresMigrations.all).dropFirst(firstRelease) {
            let declared = try #require(
                Migration.declaredReader(in: postgres.sql),
                "\(postgres.number)-\(postgres.slug) does not begin with -- Oldest reader: N")
            #expect(Migration.declaredReader(in: sqlite.sql) == declared, "\(sqlite.number) on SQLite")
            #expect((1...postgres.number).contains(declared), "\(postgres.number): \(declared)")
        }
    }

    /// The privacy page, `migrate-store` and every statement rest on it.
    @Test func makeTheSameTablesWithTheSameColumns() throws {
        let schemas = try [TestDatabase.sqlite, .postgres].map { database in
            let store = try database.make().store
            try Migrator.backend(store.dialect).migrate(store, now: "2026-11-20T10:00:00Z")
            return try store.read { session throws in
                try session.tableNames(store.dialect).reduce(into: [String: [String]]()) { schema, table in
                    schema[table] = try session.columns(ofTable: table, store.dialect).map { "\($0.name) \($0.type)" }
                        .sorted()
                }
            }
        }
        #expect(schemas[1] == schemas[0])
    }

    @Test func tenServersThatStartTogetherMigrateOnce() throws {
        let (store, reopen) = try TestDatabase.postgres.make()
        let migrator = Migrator.backend(.postgres)
        let applied = try OwnThread<Int>.each(of: 10) { _ in
            let store = try reopen()
            defer { try? store.close() }
            return try migrator.migrate(store, now: "2026-11-20T10:00:00Z").count
        }.map { try $0.get() }
        #expect(applied.reduce(0, +) == migrator.migrations.count)
        #expect(try migrator.status(of: store).isUpToDate)
    }

    @Test func aMigrationThatFailsLeavesNothing() throws {
        let store = try TestDatabase.postgres.make().store
        let good = Migration(number: 1, slug: "good", sql: "CREATE TABLE a (id BIGINT); -- it's ; $$ fine\n")
        let bad = Migration(
            number: 2, slug: "bad",
            sql: """
                CREATE TABLE b (name TEXT DEFAULT 'a;''b');
                /* ; */ CREATE FUNCTION f() RETURNS BIGINT LANGUAGE sql AS $body$ SELECT 1; SELECT 2 $body$;
                CREATE TABLE a (id BIGINT);
                """)
        #expect {
            try Migrator(migrations: [good, bad]).migrate(store, now: "2026-11-20T10:00:00Z")
        } throws: { error in
            guard case MigrationError.failed(2, "bad", 3, _) = error else { return false }
            return true
        }
        #expect(try store.read { try $0.tableNames(.postgres) } == ["a", "schema_migrations"])
        let ending = Migration(
            number: 2, slug: "ends", sql: "CREATE TABLE c (id BIGINT); commit; CREATE TABLE d (id BIGINT)")
        #expect(
            throws: MigrationError.forbiddenStatement(number: 2, slug: "ends", statement: 2, keyword: "COMMIT")
        ) { try Migrator(migrations: [good, ending]).migrate(store, now: "2026-11-20T10:00:00Z") }
        #expect(try store.read { try $0.tableNames(.postgres) } == ["a", "schema_migrations"])
    }

    @Test func refusesTheDatabaseOfABuildBeforeTheFirstRelease() throws {
        let store = try TestDatabase.postgres.make().store
        let first = Migration(number: 1, slug: "store-metadata", sql: "CREATE TABLE store_metadata (key TEXT)")
        try Migrator(migrations: [first]).migrate(store, now: "2026-11-20T10:00:00Z")
        let error = #expect(throws: MigrationError.self) {
            try Migrator.backend(.postgres).migrate(store, now: "2026-11-20T10:00:00Z")
        }
        #expect(error?.description.contains("build before 0.1.0") == true)
        #expect(error?.description.contains("`subguardd catalogue export`") == true)
        #expect(try store.read { try $0.tableNames(.postgres) } == ["schema_migrations", "store_metadata"])
    }

    @Test func refusesTheDatabaseOfAnotherProgram() throws {
        let store = try TestDatabase.postgres.make().store
        try store.write { try $0.execute("CREATE TABLE theirs (id BIGINT)") }
        #expect(throws: MigrationError.foreignStore) {
            try Migrator.backend(.postgres).migrate(store, now: "2026-11-20T10:00:00Z")
        }
    }
}
