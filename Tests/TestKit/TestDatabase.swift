import Foundation
package import SQLDatabase

/// An empty database of each kind, for what must hold on both.
package enum TestDatabase: String, CaseIterable, Sendable {
    case sqlite
    case postgres

    /// The one on which tests of features run: `SUBGUARD_TEST_DATABASE`, else SQLite. The tests run once on each.
    package static let chosen =
        ProcessInfo.processInfo.environment["SUBGUARD_TEST_DATABASE"].flatMap(TestDatabase.init) ?? .sqlite

    /// A store of its own; what is needed to open it once more comes with it.
    package func make() throws -> (store: any SchemaStore, reopen: @Sendable () throws -> any SchemaStore) {
        switch self {
        case .sqlite:
            let store = try SQLiteStore.temporary()
            let path = store.path
            return (store, { try SQLiteStore(path: path) })
        case .postgres:
            let url = try Self.makePostgresDatabase()
            // Few connections: many tests share the server.
            var options = PostgresOptions()
            options.connectionCount = 4
            return (try PostgresStore(url: url, options: options), { try PostgresStore(url: url) })
        }
    }

    /// The URL of a new database on `server`, or on the one that all tests share.
    package static func makePostgresDatabase(on server: PostgresServer? = nil) throws -> String {
        let server = try server ?? .shared()
        let name = "t\(UUID().uuidString.replacing("-", with: "").lowercased())"
        let main = try PostgresStore(url: server.url)
        defer { try? main.close() }
        try main.outsideTransaction("CREATE DATABASE \(name)")
        return server.url(ofDatabase: name)
    }
}
