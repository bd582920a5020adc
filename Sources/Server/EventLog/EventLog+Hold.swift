package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Work that needs the log as it is: a discard of forged events, or a rebuild of the figures. Until it ends no block is
/// rewritten or removed, and no user gets another hash. Appending and folding go on.
extension EventLog {
    /// How long after its last sign of life a rebuild still holds the log.
    package static let secondsOfRebuildHold: Int64 = 30

    /// Whether a discard, or a rebuild whose process is alive, is under way.
    package static func isHeld(at now: UTCInstant, in session: any SQLSession) throws -> Bool {
        try isDiscardUnderWay(in: session) || isRebuildAlive(at: now, in: session)
    }

    /// Whether a discard is running. Nothing is purged and no erasure begins meanwhile.
    package static func isDiscardUnderWay(in session: any SQLSession) throws -> Bool {
        try session.exists("SELECT 1 FROM event_discards WHERE finished_at IS NULL")
    }

    /// Whether a rebuild with this last sign of life counts as alive. One in the future is that of a wrong clock, which
    /// must not hold the log for years.
    package static func isRecent(_ seenAt: UTCInstant, at now: UTCInstant) -> Bool {
        seenAt.adding(seconds: secondsOfRebuildHold) >= now && seenAt <= now.adding(seconds: secondsOfRebuildHold)
    }

    package static func isRebuildAlive(at now: UTCInstant, in session: any SQLSession) throws -> Bool {
        try isHoldingCounting(at: now, in: session) != nil
    }

    /// Whether a rebuild is alive that changes what is counted, so nothing is counted meanwhile.
    static func isCountingHeld(at now: UTCInstant, in session: any SQLSession) throws -> Bool {
        try isHoldingCounting(at: now, in: session) ?? false
    }

    /// What is said of the rebuild that is alive; nil if there is none.
    private static func isHoldingCounting(at now: UTCInstant, in session: any SQLSession) throws -> Bool? {
        let rebuild = try session.first("SELECT seen_at, holds_counting FROM figure_rebuilds WHERE ended_at IS NULL") {
            (seenAt: try $0.instant(0), holdsCounting: try $0.integer(1) == 1)
        }
        guard let rebuild, isRecent(rebuild.seenAt, at: now) else { return nil }
        return rebuild.holdsCounting
    }

    /// Whether the transaction may rewrite blocks or rename users. It then ends a rebuild whose process is gone; if
    /// that was only slow, it finds itself ended and publishes nothing. Call it before the state of the log is read.
    package static func beginRewriting(at now: UTCInstant, in transaction: any SQLTransaction) throws -> Bool {
        guard try !isHeld(at: now, in: transaction) else { return false }
        if try transaction.exists("SELECT 1 FROM figure_rebuilds WHERE ended_at IS NULL") {
            // The row belongs to this lane, so the rebuild has either published before, or will see that it was ended.
            try transaction.enter(.figures)
            try transaction.execute(
                "UPDATE figure_rebuilds SET ended_at = ? WHERE ended_at IS NULL", [.instant(now)])
        }
        return true
    }
}
