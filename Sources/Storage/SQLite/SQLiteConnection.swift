import CSQLite
import SQLDatabase

/// One connection to an SQLite file, with its prepared statements.
///
/// Opened without SQLite's own locks, so it allows one caller at a time (https://www.sqlite.org/threadsafe.html).
// proof: the compiler cannot see it, but the store's queue and its readers lend a connection to one caller at a time.
final class SQLiteConnection: @unchecked Sendable {
    /// How a file is opened.
    enum Access {
        /// For reading and writing; creates a missing file.
        case full
        case reading
        /// For reading, without locks and auxiliary files. Nothing may write to the file meanwhile.
        case readingUnchanged

        fileprivate var flags: CInt {
            switch self {
            case .full: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .reading: SQLITE_OPEN_READONLY
            case .readingUnchanged: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        }

        fileprivate func name(of path: String) -> String {
            guard case .readingUnchanged = self else { return path }
            // `#`, `%` and `?` are special in a URI (https://www.sqlite.org/uri.html).
            let plain = path.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("#", with: "%23")
            return "file://\(plain)?immutable=1"
        }
    }

    let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    private var isOpen = true

    /// Never reached while callers pass constants; bounds memory otherwise.
    private static let maximumStatementCount = 500

    /// - Parameter busyTimeout: how long to wait for locks of other connections. Default 5 s.
    init(path: String, _ access: Access, busyTimeout: Duration = .seconds(5), context: String) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            access.name(of: path), &opened, access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close(opened)
            throw SQLError(sqliteCode: code, context: context)
        }
        handle = opened
        sqlite3_busy_timeout(handle, busyTimeout.sqliteMilliseconds)
        sqlite3_refuse_texts_in_double_quotes(handle)
    }

    deinit { try? close() }

    /// Closes the connection. A second call does nothing.
    func close() throws {
        guard isOpen else { return }
        statements = [:]
        let code = sqlite3_close(handle)
        guard code == SQLITE_OK else { throw SQLError(sqliteCode: code, context: "close") }
        isOpen = false
    }

    /// The cached statement, or a new one if the cached one is in use by an enclosing call.
    func statement(_ sql: String) throws -> SQLiteStatement {
        let cached = statements[sql]
        if let cached, !cached.isBusy { return cached }
        let (statement, rest) = try prepare(sql, flags: cached == nil ? SQLITE_PREPARE_PERSISTENT : 0)
        guard let statement, try prepare(rest, flags: 0).statement == nil else {
            throw SQLError(sqliteCode: SQLITE_MISUSE, context: "prepare: exactly one statement")
        }
        if cached == nil {
            if statements.count >= Self.maximumStatementCount { statements = [:] }
            statements[sql] = statement
        }
        return statement
    }

    /// Prepares the first statement of a text and returns the rest. Nil if only blanks and comments are left.
    private func prepare(
        _ sql: String, flags: CInt, context: String = "prepare"
    ) throws -> (statement: SQLiteStatement?, rest: String) {
        guard !sql.isEmpty else { return (nil, "") }
        var statement: OpaquePointer?
        var text = sql
        let (code, length) = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                var end: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    handle, characters.baseAddress, CInt(clamping: characters.count), UInt32(flags), &statement, &end)
                return (code, characters.baseAddress.flatMap { start in end.map { $0 - start } } ?? 0)
            }
        }
        guard code == SQLITE_OK else { throw SQLError(sqliteCode: code, context: context) }
        return (statement.map(SQLiteStatement.init), String(text.utf8.dropFirst(length)) ?? "")
    }

    /// Calls `visit` with each statement of a text and its own text, in order. Each is prepared after the previous one
    /// was visited, because it may depend on it.
    func forEachStatement(_ text: String, _ visit: (SQLiteStatement, String) throws -> Void) throws {
        var rest = text
        while true {
            let (statement, following) = try prepare(rest, flags: 0, context: "prepare script")
            guard let statement else { return }
            try visit(statement, String(rest.utf8.dropLast(following.utf8.count)) ?? "")
            rest = following
        }
    }

    /// Runs one statement without arguments and returns whether it has a result row.
    @discardableResult
    func run(_ sql: String, context: String) throws -> Bool {
        let statement = try statement(sql)
        defer { statement.reset() }
        let hasRow = try statement.step(context: context)
        if hasRow { while try statement.step(context: context) {} }
        return hasRow
    }

    /// Overwrites another database with a consistent snapshot of this one.
    func copy(to target: SQLiteConnection) throws {
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw SQLError(sqliteCode: sqlite3_extended_errcode(target.handle), context: "copy")
        }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw SQLError(sqliteCode: code, context: "copy") }
    }
}
