import Foundation
package import SQLDatabase
import Synchronization

/// A standby for reads that must be as current as on the primary.
final class PostgresStandby: Sendable {
    /// Why a read goes to the primary.
    private enum Refusal {
        case late
        case unavailable(SQLError)
    }

    private struct State {
        /// Until then all reads go to the primary.
        var restsUntil = ContinuousClock.now
        var reads = StandbyReads()
    }

    private let pool: PostgresPool
    private let state = Mutex(State())

    /// How long a read waits for the standby to catch up.
    private static let wait = Duration.milliseconds(100)
    private static let rest = Duration.seconds(1)

    /// How long a standby that hangs delays a read.
    private static let startTimeout = Duration.seconds(1)

    init(url: String, options: PostgresOptions) {
        var options = options
        options.connectTimeout = min(options.connectTimeout, .seconds(2))
        options.reconnectTimeout = .zero
        options.poolTimeout = Self.wait
        options.startTimeout = Self.startTimeout
        pool = PostgresPool(url: url, options: options)
    }

    func close() { pool.close() }

    /// Runs `body` on a snapshot that includes everything up to `position` of the primary's log. Returns nil, before
    /// `body` runs, if the standby is away, late, or no standby any more.
    func read<Result>(upTo position: PostgresPosition, _ body: (any SQLSession) throws -> Result) throws -> Result? {
        var hasBegun = false
        do {
            let result: Result? = try pool.withConnection("SELECT 1", context: "standby") { connection in
                let session = PostgresSession(connection: connection)
                let timeout = connection.timeout
                connection.timeout = Self.startTimeout
                // Outside of the snapshot, which must not be older than this.
                guard try reaches(position, session) else { return nil }
                try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", context: "begin")
                connection.timeout = timeout
                hasBegun = true
                do {
                    let result = try body(session)
                    try connection.commit()
                    return result
                } catch {
                    if !connection.isBroken, connection.isInTransaction {
                        try? connection.run("ROLLBACK", context: "roll back")
                    }
                    throw error
                }
            }
            if result == nil { pauseReads(after: .late) } else { noteServed() }
            return result
        } catch let error where !hasBegun {
            guard let error = error as? SQLError else { throw error }
            pauseReads(after: .unavailable(error))
            return nil
        }
    }

    var reads: StandbyReads { state.withLock { $0.reads } }

    /// Whether a read may go to the standby. One that may not is counted as the one before it.
    func admits() -> Bool {
        state.withLock { state in
            guard ContinuousClock.now < state.restsUntil else { return true }
            if state.reads.fault == nil { state.reads.late += 1 } else { state.reads.unavailable += 1 }
            return false
        }
    }

    private func noteServed() {
        state.withLock { state in
            state.reads.served += 1
            state.reads.fault = nil
        }
    }

    private func pauseReads(after refusal: Refusal) {
        state.withLock { state in
            state.restsUntil = .now + Self.rest
            switch refusal {
            case .late:
                state.reads.late += 1
                state.reads.fault = nil
            case .unavailable(let error):
                state.reads.unavailable += 1
                state.reads.fault = error
            }
        }
    }

    /// Whether the standby gets so far in time. Throws ``SQLError/Code/cannotOpen`` if it is no standby of the primary.
    private func reaches(_ position: PostgresPosition, _ session: PostgresSession) throws -> Bool {
        let state =
            "SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END, "
            + "CASE WHEN pg_last_wal_replay_lsn() >= CAST(CAST(? AS TEXT) AS pg_lsn) THEN 1 ELSE 0 END, "
            + "(SELECT system_identifier FROM pg_control_system())"
        let deadline = ContinuousClock.now + Self.wait
        while true {
            let found = try session.first(state, [.text(position.location)]) {
                (isStandby: try $0.integer(0) == 1, isCurrent: try $0.integer(1) == 1, cluster: try $0.integer(2))
            }
            // A primary that was cut off knows nothing of its successor.
            guard let found, found.isStandby else { throw Self.refusal("not a standby") }
            guard found.cluster == position.cluster else { throw Self.refusal("of another cluster") }
            if found.isCurrent { return true }
            guard ContinuousClock.now < deadline else { return false }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }

    private static func refusal(_ words: String) -> SQLError { SQLError(code: .cannotOpen, number: 0, context: words) }
}

/// A place in the log of a cluster.
struct PostgresPosition {
    let location: String
    /// PostgreSQL's identifier of the cluster, the same on all of its servers.
    let cluster: Int64
}

extension PostgresStore {
    package func readOnStandby<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result {
        if let standby, standby.admits(), let result = try standby.read(upTo: position(), body) { return result }
        return try read(body)
    }

    package var standbyReads: StandbyReads? { standby?.reads }

    /// The end of the primary's log. Everything committed before is in front of it.
    private func position() throws -> PostgresPosition {
        let position = try pool.withConnection("SELECT 1", context: "position") { connection in
            try PostgresSession(connection: connection).first(
                "SELECT CAST(pg_current_wal_lsn() AS TEXT), (SELECT system_identifier FROM pg_control_system())"
            ) { PostgresPosition(location: try $0.text(0), cluster: try $0.integer(1)) }
        }
        guard let position else { throw SQLError(code: .other, number: 0, context: "position") }
        return position
    }
}
