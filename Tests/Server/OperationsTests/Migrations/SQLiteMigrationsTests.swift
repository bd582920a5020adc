import BackendTestKit
import Foundation
import Operations
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

struct SQLiteMigrationsTests {
    @Test func areTheFilesOfTheRepository() throws {
        let files = try RepositoryFile.names(in: "Migrations/sqlite")
        #expect(files == SQLiteMigrations.all.map { String(format: "%04d", $0.number) + "-\($0.slug).sql" })
        for (file, migration) in zip(files, SQLiteMigrations.all) {
            let text = try RepositoryFile.text("Migrations/sqlite/\(file)")
            #expect(text == migration.sql, "\(file) is not embedded; run Scripts/generate")
            #expect(Migration.checksum(of: text) == migration.checksum)
        }
    }

    @Test(.onSQLite) func everyTableIsStrict() throws {
        let fixture = try BackendFixture()
        let loose = try fixture.texts(
            """
            SELECT name FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'
                AND name <> 'schema_migrations'
            """)
        #expect(loose.isEmpty)
        #expect(
            try fixture.texts("SELECT name FROM pragma_table_list WHERE name = 'event_blocks' AND strict = 1")
                == ["event_blocks"])
    }

    @Test func leaveASoundStore() throws {
        let folder = try TemporaryFolder()
        #expect(try BackendFixture(path: folder.file("store.sqlite")).file.integrityCheck().isEmpty)
    }
}
