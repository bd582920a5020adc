import Dispatch
import Locking
package import SQLDatabase
import Synchronization

/// A PostgreSQL database: concurrent readers, and across all servers one writer at a time for each ``SQLWriteLane``
/// with a lock.
///
/// Writers are serialised by an advisory lock, so that code written for a single writer (the audit chain, the
/// catalogue's revision, the event log) works with any number of servers. Readers never wait for writers.
package final class PostgresStore: SQLStore {
    let pool: PostgresPool
    let standby: PostgresStandby?
    /// In milliseconds.
    private let idleLimit: Int64
    private let lockTimeout: DispatchTimeInterval
    /// The writers of each ordered lane that may have a connection: one that writes, and one that waits for other
    /// servers. With more, waiting writers would take the connections from readers. Fewer than five connections leave
    /// one to readers with fewer writers; of two, both lanes share the other.
    private let writers: [SQLWriteLane: MonotonicSemaphore]
    private let isClosed = Mutex(false)

    package var dialect: SQLDialect { .postgres }

    /// Connects once to verify access. Throws ``SQLError``: `disconnected` if the server does not respond, `cannotOpen`
    /// if it asks for a password and rejects it, the user or the database.
    ///
    /// - Parameter readURL: a standby for ``SQLStore/readOnStandby(_:)``, which need not respond.
    package init(url: String, readURL: String? = nil, options: PostgresOptions = PostgresOptions()) throws {
        pool = PostgresPool(url: url, options: options)
        standby = readURL.map { PostgresStandby(url: $0, options: options) }
        idleLimit = options.idleInTransactionTimeout.wholeMilliseconds
        lockTimeout = options.lockTimeout.dispatchInterval
        let count = options.connectionCount
        let general = MonotonicSemaphore(value: min(2, max(1, count - 2)))
        writers = [
            .general: general,
            .figures: count < 3 ? general : MonotonicSemaphore(value: min(2, max(1, count - 3))),
        ]
        try pool.withConnection("SELECT 1", context: "open") { _ in }
    }

    deinit {
        pool.close()
        standby?.close()
    }

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
        let room = writers[lane]
        if let room, room.wait(timeout: .now() + lockTimeout) != .success {
            throw SQLError(code: .busy, number: 0, context: "wait for other writers")
        }
        defer { room?.signal() }
        // Not for readers, which block no one and may pause between statements.
        let limit = "SET LOCAL idle_in_transaction_session_timeout = \(idleLimit)"
        return try transaction(
            "BEGIN ISOLATION LEVEL READ COMMITTED; \(limit); \(lane.lock)", context: "write", body)
    }

    package func listen(to channel: String, _ heard: @escaping @Sendable () -> Void) -> (any SQLListener)? {
        PostgresListener(pool.hosts, channel: channel, heard)
    }

    /// Closes idle connections; running calls finish normally. A second call does nothing.
    package func close() throws {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        guard !wasClosed else { return }
        pool.close()
        standby?.close()
    }

    /// Commits, or rolls back if `body` throws. If the connection breaks during COMMIT, the outcome is unknown: this
    /// throws `disconnected` with the context `commit`.
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
    /// Runs a statement that PostgreSQL rejects inside a transaction, such as `CREATE DATABASE`.
    package func outsideTransaction(_ sql: String) throws {
        try pool.withConnection("SELECT 1", context: "statement", isPatient: true) {
            try $0.run(sql, context: "statement")
        }
    }
}

extension SQLWriteLane {
    /// Takes the lane's advisory lock, if it has one: "SUBG", and "WRIT" or "FIGU", in ASCII; the same in every
    /// program that writes here.
    var lock: String {
        switch self {
        case .general: "SELECT pg_advisory_xact_lock(1398096455, 1465010516)"
        case .figures: "SELECT pg_advisory_xact_lock(1398096455, 1179207509)"
        // Only rows are locked, and not for long.
        case .marks: "SET LOCAL lock_timeout = 1000"
        }
    }
}
