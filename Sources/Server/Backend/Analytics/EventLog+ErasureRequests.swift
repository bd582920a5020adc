package import EventLog
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// What devices ask for, and when it is carried out.
extension EventLog {
    /// Requests that may wait at most. Those of a minute share one sweep, so more come only from an attack.
    package static let maximumPendingErasures: Int64 = 10_000
    /// A sweep begins at most so often: it reads the whole log, and a request costs its sender a hundred bytes.
    package static let erasureIntervalSeconds: Int64 = 60

    /// Notes that a device wants it. When this returns the request is on disk; ``takeErasureStep(beginsNext:)`` carries it out. Asking
    /// again changes nothing.
    ///
    /// Throws ``BackendError/overloaded(retryAfterSeconds:)`` while ``maximumPendingErasures`` others wait.
    package func requestErasure(of user: UserHash) throws {
        try store.write { transaction in
            let waiting = try transaction.first(
                "SELECT count(*) FROM analytics_erasures WHERE user_hash != ?", [.blob(user.bytes)]
            ) { try $0.integer(0) }
            guard waiting ?? 0 < Self.maximumPendingErasures else {
                throw BackendError.overloaded(retryAfterSeconds: Int(Self.erasureIntervalSeconds))
            }
            try transaction.execute(
                """
                INSERT INTO analytics_erasures (user_hash, requested_at) VALUES (?, ?)
                ON CONFLICT (user_hash) DO NOTHING
                """, [.blob(user.bytes), .instant(now())])
        }
    }

    /// Carries out what devices have asked for, one sweep for all of them, until nothing is left to do or `isStopping`.
    /// Returns at once while nothing waits, and while the last sweep began less than ``erasureIntervalSeconds`` ago on any
    /// server of the store; one that was interrupted goes on without waiting.
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
