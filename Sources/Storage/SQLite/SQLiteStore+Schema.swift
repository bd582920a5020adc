import CSQLite
import Foundation
package import SQLDatabase

extension SQLiteStore: SchemaStore {
    /// Runs `body` in one write transaction with foreign keys disabled, and checks them before the commit.
    ///
    /// This is SQLite's procedure for changing tables (https://www.sqlite.org/lang_altertable.html#otheralter): with
    /// foreign keys enabled, dropping a table to rebuild it deletes the rows that refer to it.
    package func alterSchema<Result>(
        lockTimeout: Duration, _ body: (any SchemaSession) throws -> Result
    ) throws -> Result {
        try withWriter("migrate") { connection in
            sqlite3_busy_timeout(connection.handle, lockTimeout.sqliteMilliseconds)
            try connection.run("PRAGMA foreign_keys = OFF", context: "migrate")
            let outcome = Swift.Result {
                try SQLiteSession.run(.write, on: connection) { session in
                    let result = try body(session)
                    try requireNoOrphans(session)
                    return result
                }
            }
            // Foreign keys cannot be switched inside a transaction, and the setting belongs to the connection.
            try connection.run("PRAGMA foreign_keys = ON", context: "migrate")
            sqlite3_busy_timeout(connection.handle, options.busyTimeout.sqliteMilliseconds)
            return try outcome.get()
        }
    }

    /// Written to `<file>.before-<number>`; the newest three copies are kept.
    package func keepCopy(beforeMigration number: Int) throws { try MigrationSnapshots(self).take(before: number) }

    private func requireNoOrphans(_ session: SQLiteSession) throws {
        guard try session.first("PRAGMA foreign_key_check", [], { _ in true }) == nil else {
            throw SQLError(sqliteCode: SQLITE_CONSTRAINT | 3 << 8, context: "check foreign keys")
        }
    }
}

/// The copies of a database made before migrations: `<file>.before-<number>`.
struct MigrationSnapshots {
    private static let kept = 3
    private let store: SQLiteStore

    init(_ store: SQLiteStore) {
        self.store = store
    }

    /// Replaces the copy of an earlier attempt at the same migration, then deletes all but the newest three copies.
    func take(before number: Int) throws {
        do {
            try store.copy(to: SQLiteFile(path: store.path + ".before-\(number)"), replaces: true)
        } catch let error as SQLError {
            throw MigrationError.snapshotFailed(number: number, cause: error)
        }
        removeOld()
    }

    /// A copy that cannot be deleted only takes space, so it does not stop the migration.
    private func removeOld() {
        let file = URL(fileURLWithPath: store.path)
        let prefix = file.lastPathComponent + ".before-"
        let folder = file.deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let numbers = names.compactMap { $0.hasPrefix(prefix) ? Int($0.dropFirst(prefix.count)) : nil }
        for number in numbers.sorted(by: >).dropFirst(Self.kept) {
            // Deletes only the entry itself, not a folder or the target of a link.
            unlink(store.path + ".before-\(number)")
        }
    }
}
