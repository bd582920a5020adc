import PostgresDatabase
import SQLDatabase
import SQLiteDatabase
import Synchronization
import TestKit
import Testing

struct PostgresListenerTests {
    private static func others(_ store: PostgresStore) throws -> Int64 {
        try store.read { session in
            try session.first(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND datname = current_database()
                """
            ) { try $0.integer(0) } ?? 0
        }
    }

    @Test func hearsWhatIsCommittedAlsoAfterItsConnectionWasLost() throws {
        let url = try TestDatabase.makePostgresDatabase()
        let store = try PostgresStore(url: url)
        let count = Atomic<Int>(0)
        let listener = try #require(store.listen(to: "subguard_test") { count.add(1, ordering: .relaxed) })
        func heard(_ least: Int) -> Bool { eventually { count.load(ordering: .relaxed) >= least } }
        #expect(heard(1))
        try store.write { try $0.execute("SELECT pg_notify('subguard_test', 'x')") }
        #expect(heard(2))
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.write { transaction throws in
                try transaction.execute("SELECT pg_notify('subguard_test', 'never')")
                throw Stop()
            }
        }
        let before = count.load(ordering: .relaxed)
        // After a reconnection notifications may have been missed, so the listener is called at once.
        _ = try Self.others(PostgresStore(url: url))
        #expect(heard(before + 1))
        try store.write { try $0.execute("SELECT pg_notify('subguard_test', 'y')") }
        #expect(heard(before + 2))
        listener.stop()
        let last = count.load(ordering: .relaxed)
        try store.write { try $0.execute("SELECT pg_notify('subguard_test', 'z')") }
        #expect(count.load(ordering: .relaxed) == last)
    }

    @Test func sqliteHasNoSuchThing() throws {
        #expect(try SQLiteStore.temporary().listen(to: "a") {} == nil)
    }
}
