package import Dispatch
import Foundation
import Locking
package import SQLDatabase
package import SubGuardDomain
import Synchronization

/// The log of accepted events. An event is accepted once its block is on disk; users and figures are derived from the
/// log shortly afterwards, in separate small transactions or together with a later block.
///
/// Several logs, in one or more processes, may use one database: each reads what the others have written. Calls block
/// and are served in the order of arrival.
package final class EventLog: Sendable {
    /// Determines what the events of some users change, from their pages as they are in the session.
    package typealias Count =
        @Sendable (
            _ users: ArraySlice<UnfoldedEvents.User>, _ names: EventNames, _ now: UTCInstant, _ session: any SQLSession
        ) throws -> Counted

    /// What the events of some users change.
    package struct Counted: Sendable {
        /// Pages of users that were read.
        let pages: Int
        let save: Save

        /// Brings the events into the pages; with the last users of a fold also publishes what the whole fold adds to
        /// the figures. Runs in a transaction that has entered ``SQLWriteLane/figures``, which finds the pages as they
        /// were.
        package typealias Save = @Sendable (_ isLast: Bool, _ transaction: any SQLTransaction) throws -> Void

        package init(pages: Int, save: @escaping Save) {
            self.pages = pages
            self.save = save
        }
    }

    /// Gives users the hashes that stand beside theirs. Returns those of the former hashes whose users are stored.
    package typealias Rename =
        @Sendable (_ replacements: [UserHash: UserHash], _ transaction: any SQLTransaction) throws -> Set<UserHash>

    package let store: any SQLStore
    let rename: Rename
    package let now: @Sendable () -> UTCInstant
    private let makeRandomBytes: @Sendable (Int) -> [UInt8]
    // Queues rather than locks alone, because a queue is fair and a lock may starve callers.
    private let turn = DispatchQueue(label: "subguard.event-log")
    private let foldTurn = DispatchQueue(label: "subguard.event-folds")
    private let readerTurn = DispatchQueue(label: "subguard.event-readers")
    private let shape: EventIDIndexShape
    private let memory: Mutex<EventLogMemory>
    private let folder: EventFolder
    private let unfolded = Mutex(UnfoldedBlocks())
    private let figures = Mutex(EventLogStats())
    let joining = Mutex(JoinSearch())
    private let upkeep: SharedUpkeep
    private let waitingReaders = DispatchSemaphore(value: EventLogTuning.mostWaitingReaders)

    /// - Parameters:
    ///   - makeRandomBytes: returns the requested number of cryptographically secure bytes.
    ///   - count: must count each event exactly once.
    package init(
        store: any SQLStore, now: @escaping @Sendable () -> UTCInstant,
        makeRandomBytes: @escaping @Sendable (Int) -> [UInt8], shape: EventIDIndexShape = EventIDIndexShape(),
        rename: @escaping Rename, count: @escaping Count
    ) {
        self.rename = rename
        self.store = store
        self.now = now
        self.makeRandomBytes = makeRandomBytes
        self.shape = shape
        memory = Mutex(EventLogMemory(shape: shape))
        upkeep = SharedUpkeep(eventsPerStep: EventLogTuning.eventsPerIndexStep(shape))
        folder = EventFolder(count: count)
    }

    /// Generates a random hash unrelated to any device.
    func makeUserHash() -> [UInt8] { makeRandomBytes(UserHash.byteCount) }

    /// The statistics after the last call.
    package var currentFigures: EventLogStats {
        var current = figures.withLock { $0 }
        current.unfoldedEvents = unfoldedEventCount
        return current
    }

    /// How long to wait after a fold for more events before the next one.
    package var pauseBetweenFolds: DispatchTimeInterval { EventLogTuning.pauseBetweenFolds(folder.pagesOfLastFold) }

    /// Whether so many events are not in the figures that the next fold should not wait for more.
    package var shouldFoldNow: Bool {
        unfoldedEventCount >= EventLogTuning.eventsThatStartAFold(folder.pagesOfLastFold)
    }

    private var unfoldedEventCount: Int { unfolded.withLock { $0.eventCount } }

    /// Appends the events whose ids are new, all or none. On return they are on disk. Returns one receipt per batch, in
    /// order.
    package func append(_ batches: [EventBatch]) throws -> [IngestReceipt] {
        let foldsAlong = store.dialect == .sqlite
        if !foldsAlong, unfoldedEventCount >= EventLogTuning.mostUnfoldedEvents { try foldStep(insisting: true) }
        var step: EventFolder.Step?
        let receipts = try write { memory, transaction in
            let receipts = try memory.append(batches, in: transaction)
            let appended = batches.reduce(0) { $0 + $1.events.count }
            // Under load, folding and index upkeep share the transactions that append blocks.
            if foldsAlong,
                let users = EventLogTuning.usersFolded(appended: appended, unfolded: unfoldedEventCount)
            {
                step = try fold(users: users, in: transaction)
            }
            if memory.index.isFull { try memory.writeRun(in: transaction) }
            let now = self.now()
            for _ in 0..<upkeep.stepsDue(after: appended) {
                let (next, reads) = (upkeep.takeSegment(), memory.index.isFarBehind)
                guard try memory.takeIndexStep(now: now, next: next, reads: reads, in: transaction) else { break }
                upkeep.noteStep()
            }
            return receipts
        }
        upkeep.noteAppend()
        // Only after the commit.
        if let step { unfolded.withLock { $0.drop(through: step.state.foldedBlock) } }
        return receipts
    }

    /// Folds some users' events into the figures. Returns whether users of the same blocks remain; later events do not
    /// count, because folding is cheaper once several have accumulated.
    @discardableResult
    package func foldStep() throws -> Bool {
        try foldStep(insisting: false)
        return folder.isFolding
    }

    /// Returns when every event that was on disk before, and whose moment has come, is in the figures; or when it is
    /// too late for another step. Costs one small read when they are.
    package func settle(until deadline: DispatchTime = .distantFuture) throws {
        guard DispatchTime.now() < deadline else { return }
        let (mark, isSettled) = try currentMark()
        if !isSettled { try settle(mark, until: deadline) }
    }

    private func settle(_ mark: EventLogMark, until deadline: DispatchTime) throws {
        while DispatchTime.now() < deadline {
            let step = try foldStep(users: EventLogTuning.usersFoldedForReaders)
            if step.outcome == .folded || step.state.contains(mark) { return }
            // A read would tell as much, but not take over when the other process is gone.
            if step.outcome == .underWayElsewhere { usleep(EventLogTuning.microsecondsBetweenLooks) }
        }
    }

    /// Like ``settle(until:)``, for a person who waits for a page: at most two seconds, also while another process
    /// holds the database, and not at all while ``EventLogTuning/mostWaitingReaders`` others wait. Returns what the
    /// figures then should contain.
    ///
    /// A disk that takes no writes keeps the figures from being counted, not from being read: they then say how far
    /// they are counted. The schedule calls ``settle(until:)``, which reports it.
    @discardableResult
    package func settleForReaders() throws -> EventLogMark {
        let (mark, isSettled) = try currentMark()
        guard !isSettled, waitingReaders.wait(timeout: .now()) == .success else { return mark }
        defer { waitingReaders.signal() }
        let deadline = DispatchTime.now() + EventLogTuning.longestWaitOfReaders
        let settlement = Settlement()
        // A write may wait for as long as another one takes, and cannot be given up meanwhile.
        readerTurn.async { [self] in
            settlement.end(
                with: Result {
                    // Another reader's turn may have done it.
                    guard try !store.read({ try EventFoldState.load(in: $0).state.contains(mark) }) else { return }
                    try settle(mark, until: deadline)
                })
        }
        do {
            try settlement.wait(until: deadline)
        } catch let error as SQLError where error.isOfDisk {}
        return mark
    }

    /// What is accepted now, and whether all of it is in the figures.
    private func currentMark() throws -> (mark: EventLogMark, isSettled: Bool) {
        let now = self.now()
        let (state, last) = try store.read { try EventFoldState.load(in: $0) }
        return (EventLogMark(moment: now, lastBlock: last), !state.hasWork(upTo: last, now: now))
    }

    /// Performs a step of the index upkeep. Returns whether work remains. While others append, it only reads what the
    /// next of their transactions writes along, because a transaction of its own would hold them up.
    @discardableResult
    package func upkeepStep() throws -> Bool {
        let now = self.now()
        // Avoids a write if nothing is due.
        let (isDue, merge) = turn.sync {
            memory.withLock { memory in
                (!memory.isRead || memory.index.hasWork(now: now), memory.index.runningMerge)
            }
        }
        guard isDue else { return false }
        // Another process may have removed the sources: then the transaction, which catches up, has something else to
        // do.
        if let merge, !upkeep.hasSegment { upkeep.offer(try? store.read { try merge.read(in: $0) }) }
        if upkeep.isLeftToAppends {
            usleep(EventLogTuning.microsecondsBetweenLooks)
            return true
        }
        return try write { memory, transaction in
            try memory.takeIndexStep(now: now, next: upkeep.takeSegment(), in: transaction)
            return memory.index.hasWork(now: now)
        }
    }

    /// Runs one transaction on the log. The in-memory state is kept only if the transaction commits.
    package func write<Result: Sendable>(
        _ body: (inout EventLogMemory, any SQLTransaction) throws -> Result
    ) throws -> Result {
        try turn.sync {
            try memory.withLock { memory in
                do {
                    let result = try store.write { transaction in
                        try memory.catchUp(in: transaction)
                        let before = memory.state
                        let result = try body(&memory, transaction)
                        if memory.state != before { try memory.state.save(in: transaction) }
                        return result
                    }
                    unfolded.withLock { $0.add(memory.takeSeenBlocks()) }
                    figures.withLock { $0 = EventLogStats(memory) }
                    return result
                } catch {
                    memory = EventLogMemory(shape: shape)
                    folder.forget()
                    throw error
                }
            }
        }
    }
}

extension EventLog {
    /// Folds all events within a larger transaction: those in the log whose moments have come by `now`, the time of the
    /// clock without it.
    package func foldAll(at now: UTCInstant? = nil, in transaction: any SQLTransaction) throws {
        try transaction.enter(.figures)
        let now = now ?? self.now()
        while try folder.step(
            users: EventLogTuning.usersFoldedForReaders, insisting: true, now: now, in: transaction
        ).outcome != .folded {}
    }

    @discardableResult
    private func foldStep(users count: Int? = nil, insisting: Bool = false) throws -> EventFolder.Step {
        try foldTurn.sync {
            do {
                let users = count ?? EventLogTuning.usersFoldedInAStep
                let now = self.now()
                try store.read { try folder.prepare(users: users, now: now, in: $0) }
                let step = try store.write(in: .figures) { transaction in
                    try fold(users: users, insisting: insisting, in: transaction)
                }
                unfolded.withLock { $0.drop(through: step.state.foldedBlock) }
                return step
            } catch {
                folder.forget()
                throw error
            }
        }
    }

    /// Folds some users in a transaction that has entered ``SQLWriteLane/figures``.
    @discardableResult
    private func fold(
        users count: Int, insisting: Bool = false, in transaction: any SQLTransaction
    ) throws -> EventFolder.Step {
        try folder.step(users: count, insisting: insisting, now: now(), in: transaction)
    }
}

/// Index upkeep that those who append carry out along.
private final class SharedUpkeep: Sendable {
    private struct State {
        var segment: EventIDMerge.Segment?
        var appendedAt: ContinuousClock.Instant?
        /// Appended events for which no step was taken yet.
        var eventsSinceStep = 0
    }

    private let eventsPerStep: Int
    private let state = Mutex(State())

    init(eventsPerStep: Int) { self.eventsPerStep = eventsPerStep }

    func noteAppend() { state.withLock { $0.appendedAt = .now } }

    /// Whether a batch was appended so recently that it is likely to happen again.
    var isLeftToAppends: Bool {
        state.withLock { state in
            state.appendedAt.map { $0.duration(to: .now) < EventLogTuning.longestTimeBetweenAppends } ?? false
        }
    }

    /// Steps that a transaction should take which appends so many events.
    func stepsDue(after events: Int) -> Int {
        state.withLock { state in
            let most = EventLogTuning.mostIndexStepsInArrears * eventsPerStep
            state.eventsSinceStep = min(state.eventsSinceStep, most) + events
            return state.eventsSinceStep / eventsPerStep
        }
    }

    func noteStep() { state.withLock { $0.eventsSinceStep -= eventsPerStep } }

    var hasSegment: Bool { state.withLock { $0.segment != nil } }

    func offer(_ segment: EventIDMerge.Segment?) { state.withLock { $0.segment = segment } }

    func takeSegment() -> EventIDMerge.Segment? {
        state.withLock { state in
            defer { state.segment = nil }
            return state.segment
        }
    }
}

/// A settlement that another thread waits for.
private final class Settlement: Sendable {
    private let ended = MonotonicSemaphore(value: 0)
    private let result = Mutex<Result<Void, any Error>>(.success(()))

    func end(with outcome: Result<Void, any Error>) {
        result.withLock { $0 = outcome }
        ended.signal()
    }

    /// Throws the error of one that ended in time.
    func wait(until deadline: DispatchTime) throws {
        guard ended.wait(timeout: deadline) == .success else { return }
        try result.withLock { try $0.get() }
    }
}
