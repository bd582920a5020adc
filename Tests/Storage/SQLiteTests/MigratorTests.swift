import Foundation
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

@Suite struct MigratorTests {
    static let now = "2024-02-29T23:59:59Z"
    static let people = Migration(
        number: 1, slug: "people",
        sql: """
            -- Semicolons; in 'comments' and in texts end no statement.
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'a;b') STRICT;; /* ; */
            INSERT INTO people VALUES (1, 'Zoë; O''Hara 👩‍👩‍👧');
            CREATE TRIGGER people_kept BEFORE DELETE ON people BEGIN
                SELECT RAISE(ABORT, 'kept; for ever');
            END;
            -- The end.
            """)
    static let pets = Migration(
        number: 2, slug: "pets",
        sql: "CREATE TABLE pets (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES people (id));")
    static let names = Migration(number: 3, slug: "pet-names", sql: "ALTER TABLE pets ADD COLUMN name TEXT")

    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder["store.sqlite"])
    }

    private func tables() throws -> [String] {
        try store.read { session in
            try session.query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") { try $0.text(0) }
        }
    }

    @Test func appliesInOrderAndRemembers() throws {
        let migrator = Migrator(migrations: [Self.people, Self.pets])
        #expect(try migrator.status(of: store).applied == [])
        #expect(try migrator.status(of: store).pending == [Self.people, Self.pets])
        #expect(try migrator.migrate(store, now: Self.now) == [Self.people, Self.pets])

        let status = try migrator.status(of: store)
        #expect(status.isUpToDate)
        #expect(status.applied.map(\.number) == [1, 2])
        #expect(status.applied.map(\.slug) == ["people", "pets"])
        #expect(status.applied.map(\.checksum) == [Self.people.checksum, Self.pets.checksum])
        #expect(status.applied.map(\.appliedAt) == [Self.now, Self.now])
        #expect(try tables() == ["people", "pets", "schema_migrations"])
        let name = try store.read { try $0.first("SELECT name FROM people") { try $0.text(0) } }
        #expect(name == "Zoë; O'Hara 👩‍👩‍👧")
        // The trigger's body was not split.
        let error = #expect(throws: SQLError.self) { try store.write { try $0.execute("DELETE FROM people") } }
        #expect(error?.code == .checkViolation)
    }

    @Test func doesNothingWhenUpToDate() throws {
        let migrator = Migrator(migrations: [Self.people])
        try migrator.migrate(store, now: Self.now)
        try store.close()
        let before = try folder.bytes(of: "store.sqlite")
        let again = try SQLiteStore(path: folder["store.sqlite"])
        #expect(try migrator.migrate(again, now: "2025-12-31T00:00:00Z") == [])
        try again.close()
        #expect(try folder.bytes(of: "store.sqlite") == before)
        #expect(try folder.names() == ["store.sqlite"])
    }

    @Test func appliesOnlyWhatIsPending() throws {
        try Migrator(migrations: [Self.people]).migrate(store, now: Self.now)
        let migrator = Migrator(migrations: [Self.people, Self.pets, Self.names])
        #expect(try migrator.status(of: store).pending == [Self.pets, Self.names])
        #expect(try migrator.migrate(store, now: "2025-12-31T23:00:00Z") == [Self.pets, Self.names])
        #expect(
            try migrator.status(of: store).applied.map(\.appliedAt) == [
                Self.now, "2025-12-31T23:00:00Z", "2025-12-31T23:00:00Z",
            ])
    }

    @Test func rollsAFailedMigrationBackWholeAndKeepsThoseBefore() throws {
        let broken = Migration(
            number: 2, slug: "broken",
            sql:
                """
                CREATE TABLE half (a INTEGER); INSERT INTO half VALUES (1); \
                INSERT INTO people VALUES (1, 'twice'); CREATE TABLE rest (a)
                """
        )
        let error = #expect(throws: MigrationError.self) {
            try Migrator(migrations: [Self.people, broken, Self.names]).migrate(store, now: Self.now)
        }
        let cause = SQLError(code: .uniqueViolation, number: 1555, context: "script")
        #expect(error == .failed(number: 2, slug: "broken", statement: 3, cause: cause))
        #expect(try tables() == ["people", "schema_migrations"])
        #expect(try Migrator(migrations: [Self.people]).status(of: store).isUpToDate)
        // The corrected list continues from there.
        #expect(try Migrator(migrations: [Self.people, Self.pets]).migrate(store, now: Self.now) == [Self.pets])
    }

    @Test func reportsAStatementThatIsNoSQL() throws {
        let migration = Migration(number: 1, slug: "typo", sql: "CREATE TABLE a (x);\nCREATE TABEL b (x);")
        let error = #expect(throws: MigrationError.self) {
            try Migrator(migrations: [migration]).migrate(store, now: Self.now)
        }
        let cause = SQLError(code: .other, number: 1, context: "prepare script")
        #expect(error == .failed(number: 1, slug: "typo", statement: 2, cause: cause))
        #expect(try tables() == [])
    }

    @Test(arguments: [
        ("COMMIT", "COMMIT"), ("  -- c\n/* d */ end transaction", "END"), ("BEGIN", "BEGIN"), ("rollback", "ROLLBACK"),
        ("SAVEPOINT s", "SAVEPOINT"), ("RELEASE s", "RELEASE"), ("ATTACH 'x' AS y", "ATTACH"), ("DETACH y", "DETACH"),
        ("VACUUM", "VACUUM"), ("PRAGMA foreign_keys = OFF", "PRAGMA"),
    ])
    func refusesStatementsThatLeaveTheTransaction(_ statement: String, _ keyword: String) throws {
        let migration = Migration(
            number: 1, slug: "bad", sql: "CREATE TABLE a (x);\n\(statement);\nCREATE TABLE b (x);")
        let error = #expect(throws: MigrationError.self) {
            try Migrator(migrations: [migration]).migrate(store, now: Self.now)
        }
        #expect(error == .forbiddenStatement(number: 1, slug: "bad", statement: 2, keyword: keyword))
        #expect(try tables() == [])
    }

    @Test func refusesATextThatSQLiteWouldCutShort() throws {
        let migration = Migration(number: 1, slug: "cut", sql: "CREATE TABLE a (x);\u{0} CREATE TABLE b (x);")
        #expect(throws: MigrationError.forbiddenStatement(number: 1, slug: "cut", statement: 1, keyword: "NUL")) {
            try Migrator(migrations: [migration]).migrate(store, now: Self.now)
        }
    }

    @Test func refusesAStatementWithAPlaceholder() throws {
        let migration = Migration(number: 1, slug: "open", sql: "CREATE TABLE a (x); INSERT INTO a VALUES (?)")
        let error = #expect(throws: MigrationError.self) {
            try Migrator(migrations: [migration]).migrate(store, now: Self.now)
        }
        guard case .failed(1, "open", 2, _) = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test func namesNumberAndSlugInWords() {
        let cause = SQLError(code: .diskFull, number: 13, context: "script")
        let error = MigrationError.failed(number: 7, slug: "add-prices", statement: 2, cause: cause)
        #expect(
            "\(error)"
                == """
                migration 7 (add-prices) failed at statement 2 and was rolled back: the disk is full (SQLite error \
                13, script)
                """
        )
    }
}
