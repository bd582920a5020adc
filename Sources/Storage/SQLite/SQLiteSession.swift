import GRDB
import GRDBSQLite

/// One snapshot or one transaction on one SQLite connection.
///
/// GRDB opens the connection, keeps it on its queue and caches the statements. Binding and stepping go straight to the C
/// interface: for a row of a few columns, argument dictionaries and the bookkeeping for observers cost as much as SQLite.
struct SQLiteSession: SQLTransaction {
    /// How a transaction begins.
    enum Start: String {
        /// The first statement takes the snapshot.
        case read = "BEGIN DEFERRED"
        /// Takes the write lock at once, so that a transaction which reads before it writes never fails half-way.
        case write = "BEGIN IMMEDIATE"
    }

    let database: Database

    /// Runs `body` in one transaction: commits, or rolls back when anything throws.
    static func run<Result>(
        _ start: Start, on database: Database, _ body: (SQLiteSession) throws -> Result
    ) throws -> Result {
        let session = SQLiteSession(database: database)
        try session.control(start.rawValue, context: "begin")
        do {
            let result = try body(session)
            try session.requireTransaction()
            try session.control("COMMIT", context: "commit")
            return result
        } catch {
            if session.isInTransaction { try? session.control("ROLLBACK", context: "roll back") }
            throw error
        }
    }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        try requireTransaction()
        try withStatement(sql, arguments) { statement in
            let row = SQLiteRow(statement: statement)
            while try step(statement, context: "step") { try visit(row) }
        }
    }

    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try requireTransaction()
        return try withStatement(sql, arguments) { statement in
            let connection = database.sqliteConnection
            let changesBefore = sqlite3_total_changes(connection)
            while try step(statement, context: "step") {}
            // `sqlite3_changes` keeps the last statement's figure when this one was no INSERT, UPDATE or DELETE.
            return sqlite3_total_changes(connection) == changesBefore ? 0 : Int(sqlite3_changes(connection))
        }
    }

    private var isInTransaction: Bool { sqlite3_get_autocommit(database.sqliteConnection) == 0 }

    /// SQLite may roll back by itself, for example when the disk is full. A caller that swallowed the error would from
    /// then on commit each statement alone.
    private func requireTransaction() throws {
        guard isInTransaction else { throw SQLError(sqliteCode: SQLITE_ABORT, context: "transaction has ended") }
    }

    private func control(_ sql: String, context: String) throws {
        try withStatement(sql, []) { statement in
            while try step(statement, context: context) {}
        }
    }

    func withStatement<Result>(
        _ sql: String, _ arguments: [SQLValue], _ body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        let statement = try preparedStatement(sql)
        return try withExtendedLifetime(statement) {
            let handle = statement.sqliteStatement
            defer {
                sqlite3_reset(handle)
                sqlite3_clear_bindings(handle)
            }
            try SQLiteBinding.bind(arguments, to: handle)
            return try body(handle)
        }
    }

    /// The cached statement, or a fresh one for a call made from within the rows of that same statement.
    private func preparedStatement(_ sql: String) throws -> Statement {
        do {
            let cached = try database.cachedStatement(sql: sql)
            return sqlite3_stmt_busy(cached.sqliteStatement) == 0 ? cached : try database.makeStatement(sql: sql)
        } catch {
            throw SQLError.mapped(error, context: "prepare")
        }
    }

    /// Whether there is a row.
    func step(_ statement: SQLiteStatement, context: String) throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLError(sqliteCode: code, context: context)
        }
    }
}
