import Dispatch
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

@Suite struct MigratorConcurrencyTests {
    private static let migrations = (1...20).map { number in
        Migration(
            number: number, slug: "step-\(number)",
            sql: "CREATE TABLE t\(number) (a INTEGER); INSERT INTO t\(number) VALUES (1)")
    }

    /// Opens one file from several threads at once and migrates it through each store.
    private func migrateFromFourStores(_ path: String) async throws -> [[Migration]] {
        try await withThrowingTaskGroup(of: [Migration].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let store = try SQLiteStore(path: path)
                    let applied = try Migrator(migrations: Self.migrations).migrate(store, now: MigratorTests.now)
                    #expect(try Migrator(migrations: Self.migrations).status(of: store).isUpToDate)
                    try store.close()
                    return applied
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func appliesEachMigrationOnceToANewFile() async throws {
        let folder = try TemporaryFolder()
        let applied = try await migrateFromFourStores(folder["store.sqlite"])
        #expect(applied.flatMap(\.self).map(\.number).sorted() == Array(1...20))
        let store = try SQLiteStore(path: folder["store.sqlite"])
        for number in 1...20 {
            #expect(try store.read { try $0.query("SELECT a FROM t\(number)") { try $0.integer(0) } } == [1])
        }
        #expect(try store.integrityCheck() == [])
        try store.close()
    }

    @Test func copiesTheOldStateOnlyOnce() async throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteStore(path: folder["store.sqlite"])
        try Migrator(migrations: Array(Self.migrations.prefix(4))).migrate(first, now: MigratorTests.now)
        try first.close()
        let applied = try await migrateFromFourStores(folder["store.sqlite"])
        #expect(applied.flatMap(\.self).map(\.number).sorted() == Array(5...20))

        // A process that started halfway copied the current state under the number of the migration that it was about
        // to apply.
        let copies = try folder.names().filter { $0.hasPrefix("store.sqlite.before-") }
        #expect(copies.contains("store.sqlite.before-5") || copies.count == 3)
        for name in copies {
            let number = try #require(Int(name.dropFirst("store.sqlite.before-".count)))
            let copy = try SQLiteStore(path: folder[name])
            #expect(try Migrator(migrations: Self.migrations).status(of: copy).applied.count == number - 1)
            try copy.close()
        }
    }

    @Test func waitsForAnotherProcessLongerThanItsBusyTimeout() throws {
        var options = SQLiteOptions()
        options.busyTimeout = .zero
        let store = try SQLiteStore.temporary(options: options)
        try Migrator(migrations: [Self.migrations[0]]).migrate(store, now: MigratorTests.now)
        let other = try SQLiteStore(path: store.path, options: options)
        let (locked, migrating) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let holding = OwnThread {
            try store.write { session in
                try session.execute("CREATE TABLE held (a INTEGER)")
                locked.signal()
                migrating.wait()
                // Long enough for the migrator to meet the lock; the outcome is the same if it does not.
                for _ in 0..<200_000 { try session.execute("INSERT INTO held VALUES (1)") }
            }
        }
        locked.wait()
        migrating.signal()
        #expect(try Migrator(migrations: Self.migrations).migrate(other, now: MigratorTests.now).count == 19)
        try holding.value()
        // Its own writes use the configured timeout again.
        try store.write { _ in
            #expect(throws: SQLError.self) { try other.write { try $0.execute("DELETE FROM held") } }
        }
        try other.close()
        try store.close()
    }

    @Test func needsNoLockWhenUpToDate() throws {
        let store = try SQLiteStore.temporary()
        var migrator = Migrator(migrations: Self.migrations)
        migrator.lockTimeout = .zero
        try migrator.migrate(store, now: MigratorTests.now)
        let other = try SQLiteStore(path: store.path)
        try store.write { session in
            try session.execute("CREATE TABLE held (a INTEGER)")
            #expect(try migrator.migrate(other, now: MigratorTests.now) == [])
        }
        try other.close()
        try store.close()
    }
}
