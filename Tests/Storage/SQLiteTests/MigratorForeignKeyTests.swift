import SQLDatabase
import SQLiteDatabase
import Testing

@Suite struct MigratorForeignKeyTests {
    private static let base = Migration(
        number: 1, slug: "base",
        sql: """
            CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE child (parent INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE);
            INSERT INTO parent VALUES (1, 'é');
            INSERT INTO child VALUES (1);
            """)

    private let store: SQLiteStore

    init() throws {
        store = try SQLiteStore.temporary()
        try Migrator(migrations: [Self.base]).migrate(store, now: MigratorTests.now)
    }

    private func migrate(_ sql: String) throws {
        let next = Migration(number: 2, slug: "next", sql: sql)
        try Migrator(migrations: [Self.base, next]).migrate(store, now: MigratorTests.now)
    }

    private func children() throws -> [Int64] {
        try store.read { try $0.query("SELECT parent FROM child") { try $0.integer(0) } }
    }

    @Test func rebuildsATableWithoutLosingTheRowsThatReferToIt() throws {
        try migrate(
            """
            CREATE TABLE parent_new (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            INSERT INTO parent_new SELECT id, name FROM parent;
            DROP TABLE parent;
            ALTER TABLE parent_new RENAME TO parent;
            """)
        #expect(try children() == [1])
        #expect(try store.integrityCheck() == [])
    }

    @Test func refusesAMigrationThatLeavesOrphans() throws {
        let error = #expect(throws: MigrationError.self) { try migrate("DELETE FROM parent") }
        let cause = SQLError(code: .foreignKeyViolation, number: 787, context: "check foreign keys")
        #expect(error == .failed(number: 2, slug: "next", statement: 0, cause: cause))
        #expect(try store.read { try $0.first("SELECT name FROM parent") { try $0.text(0) } } == "é")
    }

    @Test func switchesForeignKeysOnAgain() throws {
        try migrate("CREATE TABLE other (id INTEGER PRIMARY KEY)")
        let error = #expect(throws: SQLError.self) {
            try store.write { try $0.execute("INSERT INTO child VALUES (9)") }
        }
        #expect(error?.code == .foreignKeyViolation)
        try store.write { try $0.execute("DELETE FROM parent") }
        #expect(try children() == [])
    }

    @Test func switchesForeignKeysOnAgainAfterAFailure() throws {
        #expect(throws: MigrationError.self) { try migrate("CREATE TABLE parent (id INTEGER)") }
        let error = #expect(throws: SQLError.self) {
            try store.write { try $0.execute("INSERT INTO child VALUES (9)") }
        }
        #expect(error?.code == .foreignKeyViolation)
    }
}
