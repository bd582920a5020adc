import Dispatch
import PostgresDatabase
import SQLDatabase
import Synchronization
import TestKit
import Testing

/// Migrations while other programs use the tables.
struct PostgresMigratorTests {
    private static let now = "2024-02-29T23:59:59Z"
    private static let table = Migration(number: 1, slug: "table", sql: "CREATE TABLE pets (name TEXT)")
    private static let column = Migration(
        number: 2, slug: "column", sql: "-- Oldest reader: 1\nALTER TABLE pets ADD COLUMN age BIGINT")

    /// A query that began earlier keeps the migration waiting. Later queries must not wait behind the migration.
    @Test func givesWayToQueriesWhileItWaitsForATable() throws {
        let url = try TestDatabase.makePostgresDatabase()
        let (first, second, third) = (
            try PostgresStore(url: url), try PostgresStore(url: url), try PostgresStore(url: url)
        )
        try Migrator(migrations: [Self.table]).migrate(first, now: Self.now)
        let (isReading, mayEnd, hasMigrated) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup()
        )
        let applied = Mutex(0)
        DispatchQueue.global().async {
            try? first.read { session in
                _ = try session.query("SELECT name FROM pets") { try $0.text(0) }
                isReading.signal()
                mayEnd.wait()
            }
        }
        isReading.wait()
        DispatchQueue.global().async(group: hasMigrated) {
            let done = try? Migrator(migrations: [Self.table, Self.column]).migrate(second, now: Self.now)
            applied.withLock { $0 = done?.count ?? -1 }
        }
        var longest = Duration.zero
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(5) {
            longest = max(
                longest,
                try ContinuousClock().measure {
                    _ = try third.read { try $0.query("SELECT name FROM pets") { try $0.text(0) } }
                    try third.write { _ = try $0.execute("INSERT INTO pets (name) VALUES ('Zoë')") }
                })
        }
        #expect(longest < .seconds(4), "behind the migration: \(longest)")
        #expect(applied.withLock { $0 } == 0)
        mayEnd.signal()
        hasMigrated.wait()
        #expect(applied.withLock { $0 } == 1)
        #expect(try Migrator(migrations: [Self.table, Self.column]).status(of: third).isUpToDate)
    }
}
