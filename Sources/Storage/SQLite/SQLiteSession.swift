import CSQLite
import SQLDatabase

/// One snapshot or one transaction on one SQLite connection.
struct SQLiteSession: SQLTransaction {
    /// How a transaction begins.
    enum Start: String {
        /// The first statement takes the snapshot.
        case read = "BEGIN DEFERRED"
        /// Takes the write lock at once, so that a transaction that reads before it writes cannot fail halfway.
        case write = "BEGIN IMMEDIATE"
    }

    let connection: SQLiteConnection

    /// Runs `body` in one transaction: commits, or rolls back if `body` throws.
    static func run<Result>(
        _ start: Start, on connection: SQLiteConnection, _ body: (SQLiteSession) throws -> Result
    ) throws -> Result {
        let session = SQLiteSession(connection: connection)
        try connection.run(start.rawValue, context: "begin")
        do {
            let result = try body(session)
            try session.requireTransaction()
            try connection.run("COMMIT", context: "commit")
            return result
        } catch {
            if session.isInTransaction { _ = try? connection.run("ROLLBACK", context: "roll back") }
            throw error
        }
    }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        try requireTransaction()
        try withStatement(sql, arguments) { statement in
            let row = SQLiteRow(statement: statement.handle)
            while try statement.step(context: "step") { try visit(row) }
        }
    }

    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try requireTransaction()
        return try withStatement(sql, arguments) { statement in
            let changesBefore = sqlite3_total_changes(connection.handle)
            while try statement.step(context: "step") {}
            // Unless this was an INSERT, UPDATE or DELETE, `sqlite3_changes` still refers to the previous statement.
            return sqlite3_total_changes(connection.handle) == changesBefore
                ? 0 : Int(sqlite3_changes(connection.handle))
        }
    }

    private var isInTransaction: Bool { sqlite3_get_autocommit(connection.handle) == 0 }

    /// SQLite may roll back on its own, for example if the disk is full. If a caller ignored that error, each further
    /// statement would be committed separately.
    private func requireTransaction() throws {
        guard isInTransaction else { throw SQLError(sqliteCode: SQLITE_ABORT, context: "transaction has ended") }
    }

    private func withStatement<Result>(
        _ sql: String, _ arguments: [SQLValue], _ body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(arguments)
        return try body(statement)
    }
}

extension SQLiteSession: SchemaSession {
    /// Runs every statement of a text, split by SQLite itself.
    ///
    /// Rejects statements that would end the transaction, access other files, or change settings of ``SQLiteOptions``.
    package func runScript(_ text: String) throws {
        // SQLite would silently stop at a NUL.
        guard !text.utf8.contains(0) else { throw ScriptError.forbidden(statement: 1, keyword: "NUL") }
        var number = 1
        do {
            try connection.forEachStatement(text) { statement, text in
                let keyword = SQLKeyword.first(of: text)
                guard !Self.forbiddenKeywords.contains(keyword) else {
                    throw ScriptError.forbidden(statement: number, keyword: keyword)
                }
                try statement.bind([])
                while try statement.step(context: "script") {}
                number += 1
            }
        } catch let cause as SQLError {
            throw ScriptError.failed(statement: number, cause: cause)
        }
    }

    private static let forbiddenKeywords: Set<String> = [
        "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ATTACH", "DETACH", "VACUUM", "PRAGMA",
    ]
}
