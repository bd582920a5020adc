import Foundation
import SQLDatabase
import TestKit

/// An empty database of each kind, for what must hold on both.
enum TestDatabase: String, CaseIterable, Sendable {
    case sqlite
    case postgres

    /// A store of its own; what is needed to open it once more comes with it.
    func make() throws -> (store: any SQLStore, reopen: @Sendable () throws -> any SQLStore) {
        switch self {
        case .sqlite:
            let store = try SQLiteStore.temporary()
            let path = store.path
            return (store, { try SQLiteStore(path: path) })
        case .postgres:
            let url = try Self.makePostgresDatabase()
            return (try PostgresStore(url: url), { try PostgresStore(url: url) })
        }
    }

    static func makePostgresDatabase(on server: PostgresServer? = nil) throws -> String {
        let server = try server ?? .shared()
        let name = "t\(UUID().uuidString.replacing("-", with: "").lowercased())"
        let main = try PostgresStore(url: server.url)
        defer { try? main.close() }
        try main.outsideTransaction("CREATE DATABASE \(name)")
        return server.url(ofDatabase: name)
    }
}
