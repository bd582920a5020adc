/// Which words of SQL a store speaks. Statements are written once where both agree and side by side where not.
package enum SQLDialect: String, Sendable {
    case sqlite
    case postgres
}

/// A database: many readers, transactions one after another on SQLite.
///
/// Calls block the thread until they are done, so they belong on a queue of their own and never on an event loop.
package protocol SQLStore: Sendable {
    var dialect: SQLDialect { get }

    /// Runs `body` on one consistent snapshot. Writing through it is an error of the caller.
    func read<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result

    /// Runs `body` in one transaction: committed and on disk when this returns, rolled back whole when `body` throws.
    @discardableResult
    func write<Result>(_ body: (any SQLTransaction) throws -> Result) throws -> Result

    /// The same in a lane of its own, where the database has more than one.
    @discardableResult
    func write<Result>(in lane: SQLWriteLane, _ body: (any SQLTransaction) throws -> Result) throws -> Result

    /// Calls `heard` whenever somebody notifies the channel, and once at first, and again after a connection was lost,
    /// when something may have been missed. Nil where the database has no such thing. Never called twice at a time.
    func listen(to channel: String, _ heard: @escaping @Sendable () -> Void) -> (any SQLListener)?

    /// Checkpoints and closes. Calls after it throw ``SQLError/Code/closed``.
    func close() throws
}

extension SQLStore {
    @discardableResult
    package func write<Result>(
        in lane: SQLWriteLane, _ body: (any SQLTransaction) throws -> Result
    ) throws -> Result { try write(body) }

    package func listen(to channel: String, _ heard: @escaping @Sendable () -> Void) -> (any SQLListener)? { nil }
}

/// Somebody who listens to a channel of a database.
package protocol SQLListener: Sendable {
    /// Returns when `heard` runs no more and is not called again.
    func stop()
}

/// Reading inside one snapshot or one transaction. Statements are cached by their text, so pass constants.
package protocol SQLSession {
    /// Calls `visit` for each row in the order of the answer. Placeholders are `?`.
    func forEach(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws

    /// Runs one statement for each row of arguments, in their order, and calls `visit` with the row's number for each
    /// row of its answer. Over a network that costs one round trip for many statements; so `visit` may come after all
    /// of them.
    func forEach(_ sql: String, rows: [[SQLValue]], _ visit: (Int, any SQLRow) throws -> Void) throws

    /// Runs a statement for all rows of arguments, in the form that the database does best, and calls `visit` with the
    /// row's number, from 0, for each row of its answer, in any order.
    func forEach(_ statement: SQLBatchStatement, rows: [[SQLValue]], _ visit: (Int, any SQLRow) throws -> Void) throws
}

extension SQLSession {
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

    /// The first row, mapped, or `nil` when there is none.
    package func first<Element>(
        _ sql: String, _ arguments: [SQLValue] = [], _ map: (any SQLRow) throws -> Element
    ) throws -> Element? {
        var element: Element?
        try forEach(sql, arguments) { row in
            if element == nil { element = try map(row) }
        }
        return element
    }
}

/// Writing inside one transaction.
package protocol SQLTransaction: SQLSession {
    /// Enters another lane as well, until the end of the transaction.
    func enter(_ lane: SQLWriteLane) throws

    /// Runs one statement and returns the number of rows that it changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int
}

extension SQLTransaction {
    package func enter(_ lane: SQLWriteLane) throws {}

    /// Runs one statement without arguments and returns the number of rows that it changed.
    @discardableResult
    package func execute(_ sql: String) throws -> Int { try execute(sql, []) }

    /// Runs one statement for each row of arguments, in their order.
    package func execute(_ sql: String, rows: [[SQLValue]]) throws { try forEach(sql, rows: rows) { _, _ in } }

    /// Runs a statement for all rows of arguments, in the form that the database does best.
    package func execute(_ statement: SQLBatchStatement, rows: [[SQLValue]]) throws {
        try forEach(statement, rows: rows) { _, _ in }
    }
}

/// The queue in which a writing transaction waits. Transactions in one lane run one after another, across all servers
/// of a database.
///
/// SQLite has one writer and so one lane. On PostgreSQL the figures, which are counted shortly after events are
/// accepted, have their own lane and do not delay other writes.
package enum SQLWriteLane: Sendable {
    /// Everything that has no other lane.
    case general
    /// Users and all figures. A transaction of the general lane that also writes them enters this lane too, never the
    /// other way round.
    case figures
}
