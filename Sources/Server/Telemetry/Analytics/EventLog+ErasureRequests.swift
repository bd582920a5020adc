package import EventLog
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// Erasure requests of devices, and when they are carried out.
extension EventLog {
    /// Maximum pending requests. All requests of a minute share one sweep, so only an attack reaches it.
    package static let maximumPendingErasures: Int64 = 10_000
    /// Minimum time between sweeps. A sweep reads the whole log, and a request costs its sender only a hundred bytes.
    package static let erasureIntervalSeconds: Int64 = 60

    /// Stores an erasure request on disk; ``takeErasureStep(beginsNext:)`` carries it out. Repeating it changes
    /// nothing, unless its sweep is running: then the next one takes what was reported meanwhile.
    ///
    /// Throws ``BackendError/overloaded(retryAfterSeconds:)`` while ``maximumPendingErasures`` requests are pending.
    package func requestErasure(of user: UserHash) throws {
        try store.write { transaction in
            let waiting = try transaction.integer(
                "SELECT count(*) FROM analytics_erasures WHERE user_hash != ?", [.blob(user.bytes)])
            guard waiting ?? 0 < Self.maximumPendingErasures else {
                throw BackendError.overloaded(retryAfterSeconds: Int(Self.erasureIntervalSeconds))
            }
            try transaction.execute(
                """
                INSERT INTO analytics_erasures (user_hash, requested_at) VALUES (?, ?)
                ON CONFLICT (user_hash) DO UPDATE SET repeated_at = excluded.requested_at
                WHERE analytics_erasures.replacement_hash IS NOT NULL
                """, [.blob(user.bytes), .instant(now())])
        }
    }

    /// Carries out pending requests, all in one sweep, until none remain or `isStopping` returns true. Returns at once
    /// if none are pending or any server began a sweep less than ``erasureIntervalSeconds`` ago; an interrupted sweep
    /// continues without delay.
    package func eraseIfDue(_ leases: JobLeases, isStopping: () -> Bool = { false }) throws {
        func sweep() throws { while !isStopping(), try takeErasureStep(beginsNext: false) {} }
        if try store.read({ try ErasureSweep.isUnderWay(in: $0) }) { try sweep() }
        guard !isStopping(), try store.read({ try Self.isErasurePending(in: $0) }) else { return }
        try leases.run("analytics erasure", everySeconds: Self.erasureIntervalSeconds) {
            guard try takeErasureStep() else { return }
            try sweep()
        }
    }
}
