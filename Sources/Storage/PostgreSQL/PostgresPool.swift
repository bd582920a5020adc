import Dispatch
import Foundation
import Locking
import SQLDatabase
import Synchronization

/// A pool of connections, opened on demand.
final class PostgresPool: Sendable {
    private struct State {
        var idle: [PostgresConnection] = []
        var isClosed = false
    }

    let hosts: PostgresHosts
    private let options: PostgresOptions
    private let free: MonotonicSemaphore
    private let state = Mutex(State())

    init(url: String, options: PostgresOptions) {
        hosts = PostgresHosts(PostgresParameters(url: url, options: options), url: url)
        self.options = options
        free = MonotonicSemaphore(value: max(1, options.connectionCount))
    }

    /// Waits for a free connection and lends it to `body` after running the statements `start`. Only `start` is retried
    /// on another connection: once `body` runs, the effect on the server is unknown.
    ///
    /// - Parameter isPatient: waits for results without a timeout.
    func withConnection<Result>(
        _ start: String, context: String, isPatient: Bool = false, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        guard free.wait(timeout: .now() + options.poolTimeout.dispatchInterval) == .success else {
            throw SQLError(code: .busy, number: 0, context: "wait for a connection")
        }
        defer { free.signal() }
        let connection = try begun(start, context: context, timeout: isPatient ? nil : options.answerTimeout)
        defer {
            if connection.isBroken { dropIdle() }
            // A connection left inside a transaction by a failed COMMIT or ROLLBACK must not be reused.
            if !connection.isBroken, !connection.isInTransaction {
                state.withLock { if !$0.isClosed { $0.idle.append(connection) } }
            }
        }
        return try body(connection)
    }

    /// Closes idle connections now, and others when they are returned.
    func close() {
        state.withLock { $0.isClosed = true }
        dropIdle()
    }

    /// Closes idle connections. When one is broken the others may hang, and each would cost a call its timeout.
    private func dropIdle() {
        // Closing sends a message, so it is done outside of the lock.
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        _ = consume idle
    }

    /// Returns a connection on which `start` has run. Retries with doubling pauses until
    /// ``PostgresOptions/reconnectTimeout``.
    private func begun(_ start: String, context: String, timeout: Duration?) throws -> PostgresConnection {
        let deadline = ContinuousClock.now + options.reconnectTimeout
        var pause = 0.01
        while true {
            do {
                let idle = try state.withLock { state in
                    guard !state.isClosed else { throw SQLError(code: .closed, number: 0, context: context) }
                    return state.idle.popLast()
                }
                let connection = try idle ?? hosts.connect()
                connection.timeout = options.startTimeout ?? timeout
                try connection.run(start, context: "begin")
                connection.timeout = timeout
                return connection
            } catch let error as SQLError where error.code == .disconnected {
                dropIdle()
                guard ContinuousClock.now + .seconds(pause) < deadline else { throw error }
                // Random, so that clients of a restarted server do not reconnect all at once.
                Thread.sleep(forTimeInterval: pause * Double.random(in: 0.5...1))
                pause = min(2 * pause, 0.5)
            }
        }
    }
}

extension Duration {
    /// Rounded down.
    var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }

    var dispatchInterval: DispatchTimeInterval {
        .milliseconds(Int(clamping: wholeMilliseconds))
    }
}
