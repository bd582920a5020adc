import CSQLite
import SQLDatabase

/// One snapshot or one transaction on one SQLite connection.
struct SQLiteSession: SQLTransaction {
    /// How a transaction begins.
    enum Start: String {
        /// The first statement takes the snapshot.
        case read = "BEGIN DEFERRED"
        /// Takes the write lock at once, so that a transaction which reads before it writes never fails half-way.
        case write = "BEGIN IMMEDIATE"
    }

    let connection: SQLiteConnection

    /// Runs `body` in one transaction: commits, or rolls back when anything throws.
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
            // `sqlite3_changes` still counts for the statement before when this one was no INSERT, UPDATE or DELETE.
            return sqlite3_total_changes(connection.handle) == changesBefore
                ? 0 : Int(sqlite3_changes(connection.handle))
        }
    }

    private var isInTransaction: Bool { sqlite3_get_autocommit(connection.handle) == 0 }

    /// SQLite may roll back by itself, for example when the disk is full. A caller that swallowed the error would from
    /// then on commit each statement alone.
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
    /// Runs every statement of a text; SQLite itself finds where each one ends.
    ///
    /// Refuses statements that would end the transaction, leave the file, or set what belongs to ``SQLiteOptions``.
    package func runScript(_ text: String) throws {
        // SQLite would stop at a NUL in silence, as if the text ended there.
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
