package import Backend
import Foundation
import SQLDatabase
import SubGuardDomain

/// Moves a store that is not being served to another place.
package struct StoreMove {
    private let source: any SchemaStore
    private let target: any SchemaStore
    // Held until the end, so that no server starts on either.
    private let locks: [StoreLock]

    /// - Parameters: URLs as `database_url` takes them.
    ///
    /// Throws ``StartError``, `SQLDatabaseURLError` or `SQLError`.
    package init(from source: String, to target: String) throws {
        let (source, target) = (try SQLDatabaseURL(source), try SQLDatabaseURL(target))
        if case .sqlite(let path) = source.location, !FileManager.default.fileExists(atPath: path) {
            throw StartError.noStore(path: path)
        }
        var locks: [StoreLock] = []
        for url in [source, target] {
            guard case .sqlite(let path) = url.location else { continue }
            guard let lock = try StoreLock(store: path, alone: true) else { throw StartError.storeIsServed(path: path) }
            locks.append(lock)
            try SQLiteStore.requireOwn(path: path)
        }
        self.locks = locks
        self.source = try Self.open(source)
        self.target = try Self.open(target)
    }

    /// Copies and compares; see ``StoreCopy``. Returns the number of rows.
    package func run(_ progress: (StoreCopy.Step) -> Void) throws -> Int {
        defer {
            try? source.close()
            try? target.close()
        }
        return try StoreCopy(from: source, to: target, now: OpenStore.now().rfc3339).run(progress)
    }

    private static func open(_ url: SQLDatabaseURL) throws -> any SchemaStore {
        var options = PostgresOptions()
        // Whole tables are counted and read.
        options.statementTimeout = .seconds(3600)
        options.idleInTransactionTimeout = .seconds(3600)
        do {
            return try url.open(postgres: options)
        } catch let error as SQLError {
            throw StartError.databaseCannotBeReached(url, error)
        }
    }
}
