import Foundation
import PostgresDatabase
package import SQLDatabase
import SQLiteDatabase
import Synchronization

/// An empty database of each kind, for behaviour common to both.
package enum TestDatabase: String, CaseIterable, Sendable {
    case sqlite
    case postgres

    /// The database for tests of features: `SUBGUARD_TEST_DATABASE`, else SQLite. `make test` uses SQLite, `make check`
    /// PostgreSQL.
    package static let chosen =
        ProcessInfo.processInfo.environment["SUBGUARD_TEST_DATABASE"].flatMap(TestDatabase.init) ?? .sqlite

    /// For tests that run on each database: only SQLite, unless PostgreSQL is chosen.
    package static let allCases: [TestDatabase] = chosen == .sqlite ? [.sqlite] : [.sqlite, .postgres]

    /// A new database, together with what is needed to open it again.
    ///
    /// - Parameter prepare: makes the server's schema. It runs once, on a template that the others are copied from.
    package func make(
        preparedBy prepare: ((any SchemaStore) throws -> Void)? = nil
    ) throws -> (store: any SchemaStore, reopen: @Sendable () throws -> any SchemaStore) {
        switch self {
        case .sqlite:
            guard let prepare else {
                let store = try SQLiteStore.temporary()
                let path = store.path
                return (store, { try SQLiteStore(path: path) })
            }
            // Lives as long as someone can open the database.
            let folder = try TemporaryFolder()
            try StoreTemplate.server.place(at: folder.file("store.sqlite")) { path in
                let store = try SQLiteStore(path: path)
                try prepare(store)
                try store.close()
            }
            return (
                try SQLiteStore(path: folder.file("store.sqlite")),
                { try SQLiteStore(path: folder.file("store.sqlite")) }
            )
        case .postgres:
            let url = try Self.makePostgresDatabase(preparedBy: prepare)
            // Few connections, because many tests share the server.
            var options = PostgresOptions()
            options.connectionCount = 4
            return (try PostgresStore(url: url, options: options), { try PostgresStore(url: url) })
        }
    }

    /// The URL of a new database on `server`, or on the shared one.
    package static func makePostgresDatabase(
        on server: PostgresServer? = nil, preparedBy prepare: ((any SchemaStore) throws -> Void)? = nil
    ) throws -> String {
        let server = try server ?? .shared()
        let name = "t\(UUID().uuidString.replacing("-", with: "").lowercased())"
        let main = try PostgresStore(url: server.url)
        defer { try? main.close() }
        // By file copy, because the data need not be in the server's write-ahead log.
        let copy = try prepare.map { " TEMPLATE \(try template($0)) STRATEGY file_copy" } ?? ""
        try main.outsideTransaction("CREATE DATABASE \(name)\(copy)")
        return server.url(ofDatabase: name)
    }

    private static let template = Mutex<String?>(nil)

    /// The name of the template database, created on first use. All tests of a process prepare theirs alike.
    private static func template(_ prepare: (any SchemaStore) throws -> Void) throws -> String {
        try template.withLock { template in
            if let template { return template }
            let url = try makePostgresDatabase()
            let store = try PostgresStore(url: url)
            // A database can only be copied while no connection to it is open.
            defer { try? store.close() }
            try prepare(store)
            let name = String(url.split(separator: "/").last ?? "")
            template = name
            return name
        }
    }
}

extension SeededRandom {
    /// Whether all seeds are wanted: `SUBGUARD_TEST_THOROUGH` is set, as in `make check-all`.
    package static let isThorough = ProcessInfo.processInfo.environment["SUBGUARD_TEST_THOROUGH"] != nil

    /// The seeds of a test over random histories: `few` of them, or all of `many` if ``isThorough``.
    package static func seeds(_ few: UInt64, of many: UInt64) -> ClosedRange<UInt64> { 1...(isThorough ? many : few) }
}
