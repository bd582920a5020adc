import Foundation
import PostgresDatabase
package import SQLDatabase
import SQLiteDatabase
import Synchronization

/// An empty database of each kind, for what must hold on both.
package enum TestDatabase: String, CaseIterable, Sendable {
    case sqlite
    case postgres

    /// The database on which tests of features run: `SUBGUARD_TEST_DATABASE`, else SQLite. `make test` runs them on SQLite,
    /// `make check` on PostgreSQL.
    package static let chosen =
        ProcessInfo.processInfo.environment["SUBGUARD_TEST_DATABASE"].flatMap(TestDatabase.init) ?? .sqlite

    /// For tests that run on each database: SQLite alone, unless PostgreSQL is the chosen one.
    package static let allCases: [TestDatabase] = chosen == .sqlite ? [.sqlite] : [.sqlite, .postgres]

    /// A store of its own; what is needed to open it once more comes with it.
    ///
    /// - Parameter prepare: what every store of these tests begins with. PostgreSQL does it once, on a database that the
    ///   others are copied from: tables are made far more slowly there.
    package func make(
        preparedBy prepare: ((any SchemaStore) throws -> Void)? = nil
    ) throws -> (store: any SchemaStore, reopen: @Sendable () throws -> any SchemaStore) {
        switch self {
        case .sqlite:
            let store = try SQLiteStore.temporary()
            let path = store.path
            try prepare?(store)
            return (store, { try SQLiteStore(path: path) })
        case .postgres:
            let url = try Self.makePostgresDatabase(preparedBy: prepare)
            // Few connections: many tests share the server.
            var options = PostgresOptions()
            options.connectionCount = 4
            return (try PostgresStore(url: url, options: options), { try PostgresStore(url: url) })
        }
    }

    /// The URL of a new database on `server`, or on the one that all tests share.
    package static func makePostgresDatabase(
        on server: PostgresServer? = nil, preparedBy prepare: ((any SchemaStore) throws -> Void)? = nil
    ) throws -> String {
        let server = try server ?? .shared()
        let name = "t\(UUID().uuidString.replacing("-", with: "").lowercased())"
        let main = try PostgresStore(url: server.url)
        defer { try? main.close() }
        // File by file, as nothing of it has to be in the server's own log.
        let copy = try prepare.map { " TEMPLATE \(try template($0)) STRATEGY file_copy" } ?? ""
        try main.outsideTransaction("CREATE DATABASE \(name)\(copy)")
        return server.url(ofDatabase: name)
    }

    private static let template = Mutex<String?>(nil)

    /// The name of the prepared database; made by the first who asks. All tests of a process prepare theirs alike.
    private static func template(_ prepare: (any SchemaStore) throws -> Void) throws -> String {
        try template.withLock { template in
            if let template { return template }
            let url = try makePostgresDatabase()
            let store = try PostgresStore(url: url)
            // Nobody may be connected to a database that is copied.
            defer { try? store.close() }
            try prepare(store)
            let name = String(url.split(separator: "/").last ?? "")
            template = name
            return name
        }
    }
}

extension SeededRandom {
    /// The seeds of a test over random histories: `few` of them, or all of `many` where `SUBGUARD_TEST_THOROUGH` is set, as
    /// in `make check`.
    package static func seeds(_ few: UInt64, of many: UInt64) -> ClosedRange<UInt64> {
        1...(ProcessInfo.processInfo.environment["SUBGUARD_TEST_THOROUGH"] == nil ? few : many)
    }
}
