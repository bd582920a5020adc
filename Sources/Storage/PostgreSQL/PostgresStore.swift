package import SQLDatabase
import Synchronization

/// A PostgreSQL database: many readers, and one writer of each ``SQLWriteLane`` at a time over all servers.
///
/// Writers take turns through an advisory lock, so that what is written for one writer (the chain of the audit log, the
/// catalogue's revision, the event log) holds for any number of servers. Readers never wait for them.
package final class PostgresStore: SQLStore {
    let pool: PostgresPool
    /// In milliseconds.
    private let idleLimit: Int64
    private let isClosed = Mutex(false)

    package var dialect: SQLDialect { .postgres }

    /// Connects once to find out whether the server takes us. Throws ``SQLError``: `disconnected` when nobody answers,
    /// `cannotOpen` when user, password or database are refused.
    package init(url: String, options: PostgresOptions = PostgresOptions()) throws {
        pool = PostgresPool(url: url, options: options)
        idleLimit = options.idleInTransactionTimeout.wholeMilliseconds
        try pool.withConnection("SELECT 1", context: "open") { _ in }
    }

    deinit { pool.close() }

    package func read<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result {
        try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", context: "read", body)
    }

    @discardableResult
    package func write<Result>(_ body: (any SQLTransaction) throws -> Result) throws -> Result {
        try write(in: .general, body)
    }

    @discardableResult
    package func write<Result>(
        in lane: SQLWriteLane, _ body: (any SQLTransaction) throws -> Result
    ) throws -> Result {
        // Not for readers, who hold up nobody and may think for a while.
        let limit = "SET LOCAL idle_in_transaction_session_timeout = \(idleLimit)"
        return try transaction(
            "BEGIN ISOLATION LEVEL READ COMMITTED; \(limit); \(lane.lock)", context: "write", body)
    }

    package func listen(to channel: String, _ heard: @escaping @Sendable () -> Void) -> (any SQLListener)? {
        PostgresListener(pool.parameters, channel: channel, heard)
    }

    /// Closes what is idle; calls under way end as they would have. A second call does nothing.
    package func close() throws {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        if !wasClosed { pool.close() }
    }

    /// Commits, or rolls back when `body` throws. When the connection breaks during COMMIT nobody knows whether it was
    /// done: that throws `disconnected` with the context `commit`.
    func transaction<Result>(
        _ start: String, context: String, isPatient: Bool = false, _ body: (PostgresSession) throws -> Result
    ) throws -> Result {
        try pool.withConnection(start, context: context, isPatient: isPatient) { connection in
            do {
                let result = try body(PostgresSession(connection: connection))
                try connection.commit()
                return result
            } catch {
                if !connection.isBroken, connection.isInTransaction {
                    try? connection.run("ROLLBACK", context: "roll back")
                }
                throw error
            }
        }
    }
}

extension PostgresStore {
    /// Runs a statement that PostgreSQL refuses inside a transaction, such as `CREATE DATABASE`.
    package func outsideTransaction(_ sql: String) throws {
        try pool.withConnection("SELECT 1", context: "statement", isPatient: true) {
            try $0.run(sql, context: "statement")
        }
    }
}

extension SQLWriteLane {
    /// Waits for the turn. "SUBG", and "WRIT" or "FIGU", in ASCII; the same for every program that writes here.
    var lock: String {
        switch self {
        case .general: "SELECT pg_advisory_xact_lock(1398096455, 1465010516)"
        case .figures: "SELECT pg_advisory_xact_lock(1398096455, 1179207509)"
        }
    }
}
