import Foundation
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

@Suite struct MigrationSnapshotsTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder["store.sqlite"])
    }

    private func migrate(upTo last: Int) throws {
        let migrations = (1...last).map { Migration(number: $0, slug: "step", sql: "CREATE TABLE t\($0) (a INTEGER)") }
        try Migrator(migrations: migrations).migrate(store, now: MigratorTests.now)
    }

    private func copies() throws -> [String] {
        try folder.names().filter { !["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"].contains($0) }
    }

    @Test func copiesNoNewStore() throws {
        try migrate(upTo: 3)
        #expect(try copies() == [])
    }

    @Test func copiesAStoreAsItWasBeforeTheFirstPendingMigration() throws {
        try migrate(upTo: 2)
        try migrate(upTo: 5)
        #expect(try copies() == ["store.sqlite.before-3"])
        #expect(try folder.mode(of: "store.sqlite.before-3") == 0o600)
        let copy = try SQLiteStore(path: folder["store.sqlite.before-3"])
        let tables = try copy.read { session in
            try session.query("SELECT name FROM sqlite_schema WHERE name LIKE 't_' ORDER BY name") { try $0.text(0) }
        }
        #expect(tables == ["t1", "t2"])
        #expect(try copy.integrityCheck() == [])
        try copy.close()
    }

    @Test func keepsTheNewestThreeByNumber() throws {
        try folder.write([1], to: "store.sqlite.before-note")
        for last in 7...12 { try migrate(upTo: last) }
        #expect(
            try copies() == [
                "store.sqlite.before-10", "store.sqlite.before-11", "store.sqlite.before-12",
                "store.sqlite.before-note",
            ])
    }

    @Test func replacesTheCopyOfAnEarlierAttempt() throws {
        try migrate(upTo: 1)
        let first = Migration(number: 1, slug: "step", sql: "CREATE TABLE t1 (a INTEGER)")
        let broken = Migration(number: 2, slug: "step", sql: "CREATE TABLE t1 (a INTEGER)")
        #expect(throws: MigrationError.self) {
            try Migrator(migrations: [first, broken]).migrate(store, now: MigratorTests.now)
        }
        #expect(try copies() == ["store.sqlite.before-2"])
        try store.write { try $0.execute("INSERT INTO t1 VALUES (1234)") }
        try migrate(upTo: 2)
        let copy = try SQLiteStore(path: folder["store.sqlite.before-2"])
        #expect(try copy.read { try $0.first("SELECT a FROM t1") { try $0.integer(0) } } == 1234)
        try copy.close()
        #expect(try copies() == ["store.sqlite.before-2"])
    }

    @Test func migratesNothingWhenTheCopyFails() throws {
        try migrate(upTo: 1)
        // A file cannot replace a folder that is not empty.
        try FileManager.default.createDirectory(
            atPath: folder["store.sqlite.before-2/x"], withIntermediateDirectories: true)
        let error = #expect(throws: MigrationError.self) { try migrate(upTo: 2) }
        guard case .snapshotFailed(2, let cause) = error else { Issue.record("\(String(describing: error))"); return }
        #expect(cause.code == .cannotOpen)
        let second = try store.read { session in
            try session.first("SELECT name FROM sqlite_schema WHERE name = 't2'") { try $0.text(0) }
        }
        #expect(second == nil)
        #expect(try copies() == ["store.sqlite.before-2"])
    }
}
