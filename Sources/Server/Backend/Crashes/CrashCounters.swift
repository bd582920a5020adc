import Synchronization

/// The running sum of what was done with crashes and sessions, for the metrics.
package final class CrashCounters: Sendable {
    private let sum = Mutex(CrashTally())

    package init() {}

    package var tally: CrashTally { sum.withLock { $0 } }

    package func add(_ tally: CrashTally) { sum.withLock { $0.add(tally) } }
}
