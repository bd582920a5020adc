import Foundation
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

/// Databases that do not match the program's list are rejected and their files left unchanged.
@Suite struct MigratorRefusalTests {
    private static let list = [
        MigratorTests.people, MigratorTests.pets, MigratorTests.names,
    ]

    /// Creates a database with `applied`, changes it with `tampering`, and expects `migrations` to be rejected.
    private func expectRefusal(
        of applied: [Migration], tampering: String? = nil, by migrations: [Migration], _ expected: MigrationError,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder["store.sqlite"])
        try Migrator(migrations: applied).migrate(store, now: MigratorTests.now)
        if let tampering { try store.write { try $0.execute(tampering) } }
        try store.close()
        let before = try folder.bytes(of: "store.sqlite")

        let again = try SQLiteStore(path: folder["store.sqlite"])
        let migrator = Migrator(migrations: migrations)
        #expect(throws: expected, sourceLocation: sourceLocation) { try migrator.status(of: again) }
        #expect(throws: expected, sourceLocation: sourceLocation) {
            try migrator.migrate(again, now: MigratorTests.now)
        }
        // Neither the file nor a log beside it may show traces of the attempt, while the database is open and after it
        // is closed.
        let log = folder["store.sqlite-wal"]
        let logSize = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        #expect(logSize == 0, sourceLocation: sourceLocation)
        #expect(try folder.bytes(of: "store.sqlite") == before, sourceLocation: sourceLocation)
        try again.close()
        #expect(try folder.bytes(of: "store.sqlite") == before, sourceLocation: sourceLocation)
        #expect(try folder.names() == ["store.sqlite"], sourceLocation: sourceLocation)
    }

    @Test func refusesTheDatabaseOfAnotherProgram() throws {
        let folder = try TemporaryFolder()
        let foreign = try SQLiteStore(path: folder["store.sqlite"])
        try foreign.write { session in
            try session.execute("CREATE TABLE notes (body TEXT)")
            try session.execute("INSERT INTO notes VALUES ('12.34 €')")
        }
        try foreign.close()
        let before = try folder.bytes(of: "store.sqlite")
        let store = try SQLiteStore(path: folder["store.sqlite"])
        #expect(throws: MigrationError.foreignStore) {
            try Migrator(migrations: Self.list).migrate(store, now: MigratorTests.now)
        }
        try store.close()
        #expect(try folder.bytes(of: "store.sqlite") == before)
        #expect(try folder.names() == ["store.sqlite"])
    }

    /// Whatever else is wrong with it: its first migration has another name.
    @Test func refusesAStoreOfABuildBeforeTheFirstRelease() throws {
        let own = Migration(number: 1, slug: "beasts", sql: "CREATE TABLE beasts (id INTEGER PRIMARY KEY) STRICT;\n")
        for tampering in [nil, "UPDATE schema_migrations SET checksum = 'x'"] {
            for list in [[own], [own, MigratorTests.pets, MigratorTests.names]] {
                try expectRefusal(of: Self.list, tampering: tampering, by: list, .earlierBuild(advice: ""))
            }
        }
    }

    @Test func refusesAStoreFromTheFuture() throws {
        try expectRefusal(
            of: Self.list, by: Array(Self.list.prefix(2)), .storeFromTheFuture(number: 3, slug: "pet-names"))
        try expectRefusal(of: Self.list, by: [], .storeFromTheFuture(number: 1, slug: "people"))
    }

    @Test func saysThatAStoreIsFromTheFutureBeforeAnythingElse() throws {
        try expectRefusal(
            of: Self.list, tampering: "UPDATE schema_migrations SET checksum = 'x' WHERE number = 1",
            by: Array(Self.list.prefix(2)), .storeFromTheFuture(number: 3, slug: "pet-names"))
    }

    @Test func refusesAnUnknownNumberBelowTheFirst() throws {
        try expectRefusal(
            of: [], tampering: nil, by: [MigratorTests.pets], .invalidList(number: 2))
        try expectRefusal(
            of: Self.list, tampering: "UPDATE schema_migrations SET number = 0 WHERE number = 1", by: Self.list,
            .storeFromTheFuture(number: 0, slug: "people"))
    }

    @Test func refusesATamperedChecksum() throws {
        try expectRefusal(
            of: Array(Self.list.prefix(2)), tampering: "UPDATE schema_migrations SET checksum = 'x' WHERE number = 1",
            by: Self.list, .checksumMismatch(number: 1, slug: "people"))
    }

    @Test func refusesAnEditedMigration() throws {
        let edited = Migration(number: 2, slug: "pets", sql: MigratorTests.pets.sql + " ")
        try expectRefusal(
            of: Array(Self.list.prefix(2)), by: [MigratorTests.people, edited, MigratorTests.names],
            .checksumMismatch(number: 2, slug: "pets"))
    }

    @Test func refusesAStoreWithAGap() throws {
        try expectRefusal(
            of: Self.list, tampering: "DELETE FROM schema_migrations WHERE number = 2", by: Self.list,
            .missingInStore(number: 2))
        try expectRefusal(
            of: Array(Self.list.prefix(2)), tampering: "DELETE FROM schema_migrations WHERE number = 1", by: Self.list,
            .missingInStore(number: 1))
    }

    @Test func refusesAListOutOfOrder() throws {
        let (first, second, third) = (MigratorTests.people, MigratorTests.pets, MigratorTests.names)
        for (list, number) in [
            ([second, first], 2), ([first, third], 3), ([first, first], 1), ([first, third, second], 3),
        ] {
            try expectRefusal(of: [first], by: list, .invalidList(number: number))
        }
    }
}
