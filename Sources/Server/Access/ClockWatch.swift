package import SubGuardDomain
import Synchronization

/// Finds out whether this server's clock is behind, as that of a machine without a battery is until it is set. Such a
/// server would take the present for the future, and reject what devices send.
///
/// The proof is the time of ``PurgeClock``, which the servers' clocks move forward. A clock that was ahead may have
/// moved it as well, by a day an hour. A clock that is behind it is therefore believed when no other one has agreed
/// with that time for an hour of this process; but never if it is further behind than any event may be.
package final class ClockWatch: Sendable {
    private let context: BackendContext
    /// The time that this clock contradicts.
    private let waiting: UndisputedMark
    /// The clock is behind before this instant, in milliseconds since 1970.
    private let bound = Atomic<Int64>(.min)

    package init(
        context: BackendContext, uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.context = context
        waiting = UndisputedMark(uptime: uptime)
    }

    /// Whether the clock is behind, as far as the last look at the database tells.
    package var isBehind: Bool { isBehind(at: context.now()) }

    package func isBehind(at now: UTCInstant) -> Bool { now.millisecondsSinceEpoch < bound.load(ordering: .relaxed) }

    /// Reads the time of the database. Throws ``ClockWatchError`` if the clock is behind.
    package func look() throws {
        guard let (now, last) = try refresh(), isBehind(at: now) else { return }
        throw ClockWatchError(now: now, last: last)
    }

    /// Returns nil for a database without a time.
    @discardableResult
    package func refresh() throws -> (now: UTCInstant, last: UTCInstant)? {
        let (now, last) = try context.read { session, now in (now, try PurgeClock.last(in: session)) }
        guard let last else { return nil }
        // Less is what the clocks of servers in service may differ by.
        let earliest = last.time.adding(days: -(PurgeClock.mostDays + 1))
        let isBelieved = now < earliest && waiting.hasStoodForAStep(last)
        let bound = isBelieved ? last.time.adding(days: -AnalyticsLimits.maximumDaysBehind) : earliest
        self.bound.store(bound.millisecondsSinceEpoch, ordering: .relaxed)
        return (now, last.time)
    }
}

/// Why devices are put off, for the operator.
package struct ClockWatchError: Error, CustomStringConvertible {
    let now: UTCInstant
    let last: UTCInstant

    package var description: String {
        "data from devices waits: the clock, \(now.rfc3339), is behind the time of the database, \(last.rfc3339); set "
            + "it"
    }
}
