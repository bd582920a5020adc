package import EventLog
import Operations
package import SQLDatabase
package import SQLiteDatabase
package import ServerAccess
package import SubGuardDomain
import Synchronization
import Telemetry
package import TestKit

/// A new migrated database of the kind ``TestDatabase/chosen``, with a clock that only tests move, and deterministic
/// randomness.
package final class BackendFixture: Sendable {
    package let store: any SchemaStore
    private let reopen: @Sendable () throws -> any SchemaStore
    private let clock: ManualClock
    package let context: BackendContext

    package convenience init(
        on database: TestDatabase = .chosen, now: String = "2026-11-20T10:00:00Z", seed: UInt64 = 1
    ) throws {
        let (store, reopen) = try database.make { try Migrator.backend($0.dialect).migrate($0, now: now) }
        try self.init(store, reopen, now: now, seed: seed)
    }

    /// Uses the SQLite file at `path`, whichever database the other tests use.
    package convenience init(path: String, now: String = "2026-11-20T10:00:00Z", seed: UInt64 = 1) throws {
        try self.init(try SQLiteStore(path: path), { try SQLiteStore(path: path) }, now: now, seed: seed)
    }

    private init(
        _ store: any SchemaStore, _ reopen: @escaping @Sendable () throws -> any SchemaStore, now: String, seed: UInt64
    ) throws {
        try Migrator.backend(store.dialect).migrate(store, now: now)
        let clock = ManualClock(now: try instant(now).millisecondsSinceEpoch)
        let random = Mutex(SeededRandom(seed: seed))
        self.store = store
        self.reopen = reopen
        self.clock = clock
        context = BackendContext(
            store: store, now: { UTCInstant(millisecondsSinceEpoch: clock.now) },
            random: { random.withLock { $0.next() } })
    }

    package var now: UTCInstant {
        get { UTCInstant(millisecondsSinceEpoch: clock.now) }
        set { clock.now = newValue.millisecondsSinceEpoch }
    }

    /// The same database, opened again as by another process.
    package func reopened(seed: UInt64 = 2) throws -> BackendFixture {
        try BackendFixture(try reopen(), reopen, now: now.rfc3339, seed: seed)
    }

    /// The SQLite store; throws on other databases.
    package var file: SQLiteStore {
        get throws {
            guard let store = store as? SQLiteStore else { throw MalformedTestData() }
            return store
        }
    }

    /// All raw events in the order of arrival.
    package func events() throws -> [LoggedEvent] {
        var events: [LoggedEvent] = []
        try store.read { try EventLogReader.forEach(in: $0) { events.append($0) } }
        return events
    }

    /// The first number of the result, or 0, once all events are in the figures.
    package func count(_ sql: String, _ arguments: [SQLValue] = []) throws -> Int64 {
        try EventLog(context: context).settle()
        return try store.read { try $0.first(sql, arguments) { try $0.integer(0) } ?? 0 }
    }

    /// The texts of the result, once all events are in the figures.
    package func texts(_ sql: String) throws -> [String] {
        try EventLog(context: context).settle()
        return try store.read { try $0.query(sql) { try $0.text(0) } }
    }
}

package struct MalformedTestData: Error {
    package init() {}
}

package func instant(_ text: String) throws -> UTCInstant {
    guard let instant = UTCInstant(rfc3339: text) else { throw MalformedTestData() }
    return instant
}
