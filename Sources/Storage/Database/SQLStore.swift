/// The SQL dialect of a database. Statements are written once if both dialects agree, else side by side.
package enum SQLDialect: String, Sendable {
    case sqlite
    case postgres
}

/// A database: concurrent readers, and on SQLite one transaction at a time.
///
/// Calls block the thread until they are done, so never make them on an event loop.
package protocol SQLStore: Sendable {
    var dialect: SQLDialect { get }

    /// Runs `body` on one consistent snapshot. Writing in it is a programming error.
    func read<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result

    /// The same, on a standby if there is one that has everything committed before the call, so that the result is as
    /// current. For reads of many rows: finding out costs two round trips.
    func readOnStandby<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result

    /// What became of such reads so far. Nil without a standby.
    var standbyReads: StandbyReads? { get }

    /// Runs `body` in one transaction: committed and on disk on return, rolled back completely if `body` throws.
    @discardableResult
    func write<Result>(_ body: (any SQLTransaction) throws -> Result) throws -> Result

    /// The same in another write lane, if the database has several.
    @discardableResult
    func write<Result>(in lane: SQLWriteLane, _ body: (any SQLTransaction) throws -> Result) throws -> Result

    /// Calls `heard` on each notification of the channel, once at the start, and again after a lost connection, because
    /// notifications may have been missed. Never calls it concurrently. Returns nil if the database has no
    /// notifications.
    func listen(to channel: String, _ heard: @escaping @Sendable () -> Void) -> (any SQLListener)?

    /// Checkpoints and closes. Later calls throw ``SQLError/Code/closed``.
    func close() throws
}

extension SQLStore {
    package func readOnStandby<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result { try read(body) }

    package var standbyReads: StandbyReads? { nil }

    @discardableResult
    package func write<Result>(
        in lane: SQLWriteLane, _ body: (any SQLTransaction) throws -> Result
    ) throws -> Result { try write(body) }

    package func listen(to channel: String, _ heard: @escaping @Sendable () -> Void) -> (any SQLListener)? { nil }
}

/// A subscription to a notification channel of a database.
package protocol SQLListener: Sendable {
    /// Returns when `heard` is not running and will not be called again.
    func stop()
}

/// Reading in one snapshot or one transaction. Statements are cached by their text, so pass constants.
package protocol SQLSession {
    /// Calls `visit` for each row of the result in order. Placeholders are `?`.
    func forEach(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws

    /// The same for a result that may be larger than memory. `visit` must not scan itself, and an error in
    /// it ends the transaction.
    func scan(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws

    /// Runs one statement for each row of arguments, in their order, and calls `visit` with the row's number for each
    /// row of its answer. Over a network that costs one round trip for many statements; so `visit` may come after all
    /// of them.
    func forEach(_ sql: String, rows: [[SQLValue]], _ visit: (Int, any SQLRow) throws -> Void) throws

    /// Runs a statement for all rows of arguments, in the form that the database does best, and calls `visit` with the
    /// row's number, from 0, for each row of its answer, in any order.
    func forEach(_ statement: SQLBatchStatement, rows: [[SQLValue]], _ visit: (Int, any SQLRow) throws -> Void) throws
}

extension SQLSession {
    package func scan(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        try forEach(sql, arguments, visit)
    }

    package func forEach(_ sql: String, rows: [[SQLValue]], _ visit: (Int, any SQLRow) throws -> Void) throws {
        for (number, row) in rows.enumerated() { try forEach(sql, row) { try visit(number, $0) } }
    }

    package func forEach(
        _ statement: SQLBatchStatement, rows: [[SQLValue]], _ visit: (Int, any SQLRow) throws -> Void
    ) throws { try forEach(statement.eachRow, rows: rows, visit) }

    /// Every row, mapped, in the order of the answer.
    package func query<Element>(
        _ sql: String, _ arguments: [SQLValue] = [], _ map: (any SQLRow) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        try forEach(sql, arguments) { elements.append(try map($0)) }
        return elements
    }

    /// The first row, mapped, or `nil` if there is none.
    package func first<Element>(
        _ sql: String, _ arguments: [SQLValue] = [], _ map: (any SQLRow) throws -> Element
    ) throws -> Element? {
        var element: Element?
        try forEach(sql, arguments) { row in
            if element == nil { element = try map(row) }
        }
        return element
    }

    /// The integer of the first row; `nil` if there is none, or it is NULL.
    package func integer(_ sql: String, _ arguments: [SQLValue] = []) throws -> Int64? {
        try first(sql, arguments) { try $0.optionalInteger(0) } ?? nil
    }

    /// Whether the answer has a row.
    package func exists(_ sql: String, _ arguments: [SQLValue] = []) throws -> Bool {
        try first(sql, arguments) { _ in true } ?? false
    }
}

/// Writing in one transaction.
package protocol SQLTransaction: SQLSession {
    /// Also enters another lane until the end of the transaction.
    func enter(_ lane: SQLWriteLane) throws

    /// Runs one statement and returns the number of changed rows.
    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int
}

extension SQLTransaction {
    package func enter(_ lane: SQLWriteLane) throws {}

    /// Runs one statement without arguments and returns the number of changed rows.
    @discardableResult
    package func execute(_ sql: String) throws -> Int { try execute(sql, []) }

    /// Runs one statement for each row of arguments, in their order.
    package func execute(_ sql: String, rows: [[SQLValue]]) throws { try forEach(sql, rows: rows) { _, _ in } }

    /// Runs a statement for all rows of arguments, in the form best for the database.
    package func execute(_ statement: SQLBatchStatement, rows: [[SQLValue]]) throws {
        try forEach(statement, rows: rows) { _, _ in }
    }
}

/// The lock that orders writing transactions. Transactions in one lane run one after another, across all servers of a
/// database.
///
/// SQLite has one writer and so one lane. On PostgreSQL the figures, which are updated shortly after events are
/// accepted, have their own lane and do not delay other writes.
package enum SQLWriteLane: Sendable {
    /// Everything except figures.
    case general
    /// Users and all figures. A transaction of the general lane may also enter this lane; the reverse order could
    /// deadlock.
    case figures
    /// Marks in a single row that need no order and that nothing else is derived from: the health probe, and when a
    /// token or a session was last used. On PostgreSQL they wait for no other lane.
    case marks
}
