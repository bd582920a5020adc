package import Dispatch
import SQLDatabase

/// How much of the upkeep one transaction does: little enough that no batch waits long for it.
package enum EventLogTuning {
    /// How long a reader of figures waits for them to be complete.
    package static let longestWaitOfReaders = DispatchTimeInterval.seconds(2)
    /// More readers are given what is counted: each waits on a thread that serves requests, of which there are 16.
    static let mostWaitingReaders = 8
    static let longestWaitOfPurge = DispatchTimeInterval.milliseconds(500)

    /// The number of unfolded events that starts a fold immediately. They take up to 150 bytes of memory each. A fold
    /// reads and writes nearly the same pages for twice as many events, so it waits for more where it has many pages.
    ///
    /// - Parameter pages: of users, that the last fold read.
    static func eventsThatStartAFold(_ pages: Int) -> Int {
        min(max(fewestEventsThatStartAFold, 40 * pages), mostEventsInAFold)
    }
    static let fewestEventsThatStartAFold = 100_000

    /// A page takes about 25 µs: a fifth of the time, or less.
    static func pauseBetweenFolds(_ pages: Int) -> DispatchTimeInterval {
        .milliseconds(min(500 + pages / 8, 2000))
    }

    /// Users in a transaction that only folds. Each may need a page of their own, at about 10 µs.
    static let usersFoldedInAStep = 2000

    /// How long another process's fold may make no progress before this process takes it over.
    static let foldTakeoverTimeout = Duration.milliseconds(250)
    static let microsecondsBetweenLooks: UInt32 = 5000
    /// Maximum events that a fold reads into memory from blocks, plus at most one block; and maximum deferred ones, but
    /// for those of one millisecond.
    package static let mostEventsInAFold = 500_000
    /// The number of unfolded events above which appending also folds.
    static let mostUnfoldedEvents = 10 * fewestEventsThatStartAFold

    /// Users in a transaction that a request waits for: more at once are counted faster, but hold up commits.
    static let usersFoldedForReaders = 10_000

    /// Maximum blocks, and events in them, that a transaction deletes.
    static let blocksPurgedInAStep: Int64 = 200
    static let eventsPurgedInAStep = 10_000

    /// Blocks received more recently are not joined yet: those read and written most stay as they are.
    package static let secondsBeforeJoining: Int64 = 6 * 3600
    /// Blocks of so many events, or bytes, are not joined with others.
    static let eventsOfALargeBlock: Int64 = 256
    static let bytesOfALargeBlock: Int64 = 64 << 10
    static let mostEventsInAJoinedBlock: Int64 = 4000
    static let mostBytesInAJoinedBlock: Int64 = 256 << 10
    /// The longest time between the first and the last receipt of a joined block.
    static let secondsInAJoinedBlock: Int64 = 86_400
    static let blocksJoinedInAStep: Int64 = 1000
    /// A search reads the sizes of at most so many times ``blocksJoinedInAStep`` blocks.
    static let readsOfAJoinSearch = 10

    /// Appended events for which one index step is due. A run causes about two steps, and on each level that has runs
    /// one for each of its segments; a billion ids have six levels. More steps would end a merge sooner, and until then
    /// slow appending.
    static func eventsPerIndexStep(_ shape: EventIDIndexShape) -> Int {
        max(1, min(shape.segmentSize, shape.runSize) / 12)
    }
    /// Steps that are made up for at most, when there was nothing to do before.
    static let mostIndexStepsInArrears = 2

    /// Upkeep is left to appends as long as they follow each other within this time.
    static let longestTimeBetweenAppends = Duration.milliseconds(50)

    /// Users folded in a transaction that also appends `appended` events; nil as long as folds beside it keep up.
    /// Finally more than `appended`, which slows appending before memory is exhausted.
    static func usersFolded(appended: Int, unfolded: Int) -> Int? {
        switch unfolded {
        case ..<(mostUnfoldedEvents / 2): nil
        case ..<mostUnfoldedEvents: max(1000, appended)
        default: max(2000, 2 * appended)
        }
    }
}
