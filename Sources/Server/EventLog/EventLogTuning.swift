package import Dispatch
import SQLDatabase

/// How much of the upkeep one transaction does: little enough that no batch waits long for it.
package enum EventLogTuning {
    /// How long somebody who reads figures waits for them to be complete.
    package static let longestWaitOfReaders = DispatchTimeInterval.seconds(2)
    static let longestWaitOfPurge = DispatchTimeInterval.milliseconds(500)

    /// So many events that are not in the figures begin a fold without waiting for the clock. They take up to 150 bytes
    /// each meanwhile.
    static let eventsThatStartAFold = 100_000
    /// Users in a transaction that only folds. Each may need a page of their own, at about 10 µs.
    static let usersFoldedInAStep = 2000

    /// How long a fold that another process began may make no progress before this process takes it over.
    static let foldTakeoverTimeout = Duration.milliseconds(250)
    static let microsecondsBetweenLooks: UInt32 = 5000
    /// Events that a fold takes into memory, give or take a block.
    static let mostEventsInAFold = 500_000
    /// Events that wait for being counted, beyond which whoever appends more has to help.
    static let mostUnfoldedEvents = 10 * eventsThatStartAFold

    /// Users in a transaction that somebody waits for: more at once are counted faster, but hold up commits.
    static let usersFoldedForReaders = 10_000

    /// Blocks, and events in them, that a transaction removes.
    static let blocksPurgedInAStep: Int64 = 200
    static let eventsPurgedInAStep = 10_000

    /// Steps of the index in a transaction that appends so many events. A run of 32,256 ids makes about eight of them
    /// due, however deep the index: a segment written and one removed on each level.
    static func indexSteps(appended events: Int) -> Int { 1 + events / 4096 }

    /// Users in a transaction that also appends so many events, while so many more wait for the fold: the more wait,
    /// the more of them, and at last more than it appends, so that the log slows down before they fill the memory.
    static func usersFolded(appended: Int, unfolded: Int) -> Int {
        switch unfolded {
        case ..<(5 * eventsThatStartAFold): max(200, appended / 4)
        case ..<mostUnfoldedEvents: max(1000, appended)
        default: max(2000, 2 * appended)
        }
    }
}
