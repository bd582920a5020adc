import Foundation
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

/// Files are inspected and copied without being changed.
@Suite struct SQLiteReadingTests {
    private static let migrator = Migrator(migrations: [MigratorTests.people])

    /// A database with another program's table, in the default journal mode.
    private func makeForeign(_ folder: TemporaryFolder, inWAL: Bool) throws {
        let store = try SQLiteStore(path: folder["other.db"])
        try store.write { session in
            try session.execute("CREATE TABLE notes (body TEXT)")
            try session.execute("INSERT INTO notes VALUES ('12.34 €')")
        }
        try store.close()
        guard !inWAL else { return }
        // Bytes 18 and 19 of the header give the journal mode: 2 is the write-ahead log, 1 is any other.
        var bytes = [UInt8](try folder.bytes(of: "other.db"))
        #expect(bytes[18...19] == [2, 2])
        bytes.replaceSubrange(18...19, with: [1, 1])
        try folder.write(bytes, to: "other.db")
    }

    @Test(arguments: [false, true])
    func anotherProgramsDatabaseStaysAsItIs(_ inWAL: Bool) throws {
        let folder = try TemporaryFolder()
        try makeForeign(folder, inWAL: inWAL)
        let before = try folder.bytes(of: "other.db")
        #expect(throws: MigrationError.foreignStore) { try SQLiteStore.requireOwn(path: folder["other.db"]) }
        #expect(try folder.bytes(of: "other.db") == before)
        #expect(try folder.names() == ["other.db"])
    }

    @Test func anotherProgramsOpenDatabaseIsToldFromItsLog() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder["other.db"])
        try store.write { try $0.execute("CREATE TABLE notes (body TEXT)") }
        // The table is only in the log.
        #expect(throws: MigrationError.foreignStore) { try SQLiteStore.requireOwn(path: folder["other.db"]) }
        #expect(try store.read { try $0.query("SELECT body FROM notes") { try $0.text(0) } } == [])
    }

    @Test func ownFilesAndEmptyOnesPass() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore.requireOwn(path: folder["missing"])
        try folder.write([], to: "empty")
        try SQLiteStore.requireOwn(path: folder["empty"])
        let store = try SQLiteStore(path: folder["own"])
        try SQLiteStore.requireOwn(path: folder["own"])
        try Self.migrator.migrate(store, now: MigratorTests.now)
        // While open, with all data in the log, and after closing.
        try SQLiteStore.requireOwn(path: folder["own"])
        try store.close()
        try SQLiteStore.requireOwn(path: folder["own"])
        #expect(try folder.names() == ["empty", "own"])
        // A file that is not a database is left to the opening.
        try folder.write(Array(repeating: 7, count: 5000), to: "noise")
        try SQLiteStore.requireOwn(path: folder["noise"])
    }

    @Test(arguments: [false, true])
    func aCopyHasWhatTheFileHas(_ isOpen: Bool) throws {
        let folder = try TemporaryFolder()
        let name = "é #%?=.db"
        let store = try SQLiteStore(path: folder[name])
        try Self.migrator.migrate(store, now: MigratorTests.now)
        if !isOpen { try store.close() }
        let (before, names) = (try folder.bytes(of: name), try folder.names())
        let copy = try SQLiteStore.temporary(copyOf: folder[name])
        #expect(try Self.migrator.status(of: copy).isUpToDate)
        try copy.write { try $0.execute("CREATE TABLE mine (x)") }
        try copy.close()
        #expect(try folder.bytes(of: name) == before)
        #expect(try folder.names() == names)
        #expect(!FileManager.default.fileExists(atPath: copy.path))
    }

    @Test func aCopyOfAMissingFileIsEmptyAndMakesNone() throws {
        let folder = try TemporaryFolder()
        let copy = try SQLiteStore.temporary(copyOf: folder["missing"])
        #expect(try copy.read { try $0.query("SELECT name FROM sqlite_schema") { try $0.text(0) } } == [])
        #expect(try folder.names() == [])
    }
}
