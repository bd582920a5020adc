import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Synchronization

/// Decides whether this server's clock may delete rows by their age: rows of all servers, which no correction of the
/// clock brings back.
///
/// The database has the time up to which purges may run. A clock may be ahead of it by ``mostDays`` and moves it
/// forward; while a clock is further ahead, purges wait. If nothing else moves the time for an hour of this process, by
/// a clock that nobody sets, it moves by a day towards that clock. A server that was off for three months purges again
/// after four days, without an operator, and a wrong clock deletes nothing for as long, or while a server with a right
/// one runs.
package final class PurgeClock: Sendable {
    package static let mostDays = 2
    package static let secondsOfAStep: Int64 = 3600
    private static let subject = "purge clock"

    private let context: BackendContext
    private let uptime: @Sendable () -> ContinuousClock.Instant
    /// The time that this server waits for, and since when it has not moved.
    private let waiting = Mutex<(last: UTCInstant, since: ContinuousClock.Instant)?>(nil)

    package init(
        context: BackendContext, uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.context = context
        self.uptime = uptime
    }

    /// Whether purges may run now.
    package func allowsPurges() throws -> Bool {
        try context.read { session, now in Self.allows(now, after: try Self.last(in: session)) }
    }

    /// Moves the time in the database forward. Throws ``PurgeClockError`` while purges wait.
    package func advance() throws {
        let error: PurgeClockError? = try context.write { transaction, now in
            let last = try Self.last(in: transaction)
            guard let last, !Self.allows(now, after: last) else {
                waiting.withLock { $0 = nil }
                if last.map({ $0 < now }) ?? true { try Self.store(now, in: transaction) }
                return nil
            }
            if let next = step(from: last) { try Self.store(next, in: transaction) }
            return PurgeClockError(now: now, last: last)
        }
        if let error { throw error }
    }

    /// Nil unless the time has not moved for an hour.
    private func step(from last: UTCInstant) -> UTCInstant? {
        let uptime = uptime()
        return waiting.withLock { waiting in
            guard let seen = waiting, seen.last == last else {
                waiting = (last, uptime)
                return nil
            }
            guard seen.since.duration(to: uptime) >= .seconds(Self.secondsOfAStep) else { return nil }
            let next = last.adding(days: 1)
            waiting = (next, uptime)
            return next
        }
    }

    private static func allows(_ now: UTCInstant, after last: UTCInstant?) -> Bool {
        last.map { now <= $0.adding(days: mostDays) } ?? true
    }

    /// Before the first call of ``advance()``, the time of the last purge; nil in a new database.
    private static func last(in session: any SQLSession) throws -> UTCInstant? {
        try session.first(
            "SELECT coalesce(max(CASE WHEN subject = ? THEN ran_at END), max(ran_at)) FROM retention_runs",
            [.text(subject)]
        ) { try $0.optionalInstant(0) } ?? nil
    }

    private static func store(_ instant: UTCInstant, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO retention_runs (subject, ran_at, removed_count) VALUES (?, ?, 0)
            ON CONFLICT (subject) DO UPDATE SET ran_at = excluded.ran_at
            """, [.text(subject), .instant(instant)])
    }
}

/// Why purges wait, for the operator.
package struct PurgeClockError: Error, CustomStringConvertible {
    let now: UTCInstant
    let last: UTCInstant

    package var description: String {
        "purges wait: the clock, \(now.rfc3339), is more than \(PurgeClock.mostDays) days after the last of them, "
            + "\(last.rfc3339); if it is right, they begin by themselves, an hour for each day"
    }
}
