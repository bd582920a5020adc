import GRDB
import GRDBSQLite

extension SQLiteStore: SchemaStore {
    /// Runs `body` in one write transaction with foreign keys switched off, and checks them before the commit.
    ///
    /// That is SQLite's own recipe for changing tables (https://www.sqlite.org/lang_altertable.html#otheralter): with
    /// foreign keys on, dropping a table that is to be rebuilt deletes the rows that refer to it.
    package func alterSchema<Result>(
        lockTimeout: Duration, _ body: (any SchemaSession) throws -> Result
    ) throws -> Result {
        try withWriter("migrate") { database in
            let connection = database.sqliteConnection
            sqlite3_busy_timeout(connection, lockTimeout.sqliteMilliseconds)
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            let outcome = Swift.Result {
                try SQLiteSession.run(.write, on: database) { session in
                    let result = try body(session)
                    try requireNoOrphans(session)
                    return result
                }
            }
            // Neither can be done inside a transaction, and both hold for the connection.
            try database.execute(sql: "PRAGMA foreign_keys = ON")
            sqlite3_busy_timeout(connection, options.busyTimeout.sqliteMilliseconds)
            return try outcome.get()
        }
    }

    /// As `<file>.before-<number>`; the newest three are kept.
    package func keepCopy(beforeMigration number: Int) throws { try MigrationSnapshots(self).take(before: number) }

    private func requireNoOrphans(_ session: SQLiteSession) throws {
        guard try session.first("PRAGMA foreign_key_check", [], { _ in true }) == nil else {
            throw SQLError(sqliteCode: SQLITE_CONSTRAINT | 3 << 8, context: "check foreign keys")
        }
    }
}
