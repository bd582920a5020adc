package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL
import Synchronization

/// Decides whether this server's clock may delete rows by their age: rows of all servers, which no correction of the
/// clock brings back.
///
/// The database has the time up to which purges may run. A clock may be ahead of it by ``mostDays`` and moves it
/// forward; while a clock is further ahead, purges wait. If no other server's clock agrees with the time for an hour of
/// this process, by a clock that cannot be set, it moves by a day towards that clock. A server that was off for three
/// months purges again after four days, without an operator, and a wrong clock deletes nothing for as long, or while a
/// server with a right one runs.
package final class PurgeClock: Sendable {
    package static let mostDays = 2
    package static let secondsOfAStep: Int64 = 3600
    private static let subject = "purge clock"

    private let context: BackendContext
    /// What this server waits for.
    private let waiting: UndisputedMark

    /// The time up to which purges may run, and how often a clock that is not ahead of it has agreed with it.
    struct Mark: Equatable {
        var time: UTCInstant
        var count: Int64
    }

    package init(
        context: BackendContext, uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.context = context
        waiting = UndisputedMark(uptime: uptime)
    }

    /// Whether purges may run now.
    package func allowsPurges() throws -> Bool {
        try context.read { session, now in Self.allows(now, after: try Self.last(in: session)?.time) }
    }

    /// The present time of a clock that may not be trusted: at most that up to which purges may run. What is counted
    /// by a time far ahead would be taken for old.
    package static func trusted(_ now: UTCInstant, in session: any SQLSession) throws -> UTCInstant {
        min(now, try last(in: session)?.time.adding(days: mostDays) ?? now)
    }

    /// Moves the time in the database forward. Throws ``PurgeClockError`` while purges wait.
    package func advance() throws {
        let error: PurgeClockError? = try context.write { transaction, now in
            let last = try Self.last(in: transaction)
            guard let last, !Self.allows(now, after: last.time) else {
                waiting.reset(to: nil)
                let last = last ?? Mark(time: .earliest, count: 0)
                if last.time < now {
                    try Self.store(Mark(time: now, count: last.count), in: transaction)
                } else if last.time <= now.adding(days: Self.mostDays + 1) {
                    // A clock that was ahead, by no more than it may be, has moved the time; this one holds it there.
                    try Self.store(Mark(time: last.time, count: last.count + 1), in: transaction)
                }
                return nil
            }
            if let next = step(from: last) { try Self.store(next, in: transaction) }
            return PurgeClockError(now: now, last: last.time)
        }
        if let error { throw error }
    }

    /// Nil unless the mark has not moved for an hour.
    private func step(from last: Mark) -> Mark? {
        guard waiting.hasStoodForAStep(last) else { return nil }
        let next = Mark(time: last.time.adding(days: 1), count: last.count)
        waiting.reset(to: next)
        return next
    }

    private static func allows(_ now: UTCInstant, after last: UTCInstant?) -> Bool {
        last.map { now <= $0.adding(days: mostDays) } ?? true
    }

    /// Before the first call of ``advance()``, the time of the last purge; nil in a new database.
    static func last(in session: any SQLSession) throws -> Mark? {
        try session.first(
            """
            SELECT coalesce(max(CASE WHEN subject = ? THEN ran_at END), max(ran_at)),
                max(CASE WHEN subject = ? THEN removed_count ELSE 0 END)
            FROM retention_runs
            """, [.text(subject), .text(subject)]
        ) { row in try row.optionalInstant(0).map { Mark(time: $0, count: try row.integer(1)) } } ?? nil
    }

    /// The count stands in place of a number of removed rows.
    private static func store(_ mark: Mark, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO retention_runs (subject, ran_at, removed_count) VALUES (?, ?, ?)
            ON CONFLICT (subject) DO UPDATE SET ran_at = excluded.ran_at, removed_count = excluded.removed_count
            """, [.text(subject), .instant(mark.time), .integer(mark.count)])
    }
}

/// For how long no server's clock has agreed with the time of the database, by a clock that cannot be set.
final class UndisputedMark: Sendable {
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let seen = Mutex<(mark: PurgeClock.Mark, since: ContinuousClock.Instant)?>(nil)

    init(uptime: @escaping @Sendable () -> ContinuousClock.Instant) { self.uptime = uptime }

    /// Whether this process has seen nothing else for ``PurgeClock/secondsOfAStep``.
    func hasStoodForAStep(_ mark: PurgeClock.Mark) -> Bool {
        let uptime = uptime()
        return seen.withLock { seen in
            guard let former = seen, former.mark == mark else {
                seen = (mark, uptime)
                return false
            }
            return former.since.duration(to: uptime) >= .seconds(PurgeClock.secondsOfAStep)
        }
    }

    /// Begins anew.
    func reset(to mark: PurgeClock.Mark?) {
        let uptime = uptime()
        seen.withLock { $0 = mark.map { ($0, uptime) } }
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
