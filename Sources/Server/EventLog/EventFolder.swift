import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import Synchronization

/// Folds events of the log into the figures, some users per transaction.
///
/// Several processes may try, but only one folds at a time, because its unfolded events are in memory. If it makes no
/// progress, another one takes over.
final class EventFolder: Sendable {
    enum Outcome {
        /// All events that were in the log are in the figures.
        case folded
        case moreToDo
        /// Another process is folding.
        case underWayElsewhere
    }

    struct Step {
        let outcome: Outcome
        let state: EventFoldState
    }

    fileprivate struct Memory {
        /// The last state written or read by this process.
        var state: EventFoldState?
        /// When the state was last seen to change.
        var changedAt = ContinuousClock.now
        /// The rest of the running fold, if this process is folding.
        var events: UnfoldedEvents?
        /// The next fold, read before the transaction that begins it.
        var prepared: Prepared?
        var names = EventNames()
        /// Pages of users read by the running fold, and by the last one that this process ended.
        var pages = 0
        var pagesOfLastFold = 0
    }

    /// A step that was worked out before its transaction.
    fileprivate struct Prepared {
        /// The state that it was worked out in. Code that rewrites blocks folds everything before, which changes the
        /// state unless there was nothing to fold; code that changes users increases its revision.
        let before: EventFoldState
        var state: EventFoldState
        /// The users left after it, and those deferred.
        var events: UnfoldedEvents
        let lastKey: Int64?
        let counted: EventLog.Counted
        let names: EventNames
    }

    private let memory = Mutex(Memory())
    private let count: EventLog.Count

    init(count: @escaping EventLog.Count) { self.count = count }

    /// Whether this process has a running fold.
    var isFolding: Bool { memory.withLock { $0.events != nil } }

    /// Pages of users that the last fold of this process read; 0 before.
    var pagesOfLastFold: Int { memory.withLock { $0.pagesOfLastFold } }

    /// Works out the next step, so that its transaction only writes and does not hold up others meanwhile. Does nothing
    /// while another process is folding.
    func prepare(users userCount: Int, now: UTCInstant, in session: any SQLSession) throws {
        let (known, events, names) = memory.withLock { memory in
            memory.prepared = nil
            return (memory.state, memory.events, memory.names)
        }
        let (before, lastBlock) = try EventFoldState.load(in: session)
        guard before.hasWork(upTo: lastBlock, now: now), try !EventLog.isCountingHeld(at: now, in: session) else {
            return
        }
        var next = (state: before, names: names)
        var found = before == known ? events : nil
        if !before.isFolding {
            try Self.begin(&next.state, lastBlock: lastBlock, now: now, in: session)
            let seed = try EventLogState.load(in: session).seed
            found = try UnfoldedEvents(of: next.state, seed: seed, names: &next.names, in: session)
        }
        guard var left = found else { return }
        let users = left.take(userCount)
        let prepared = Prepared(
            before: before, state: next.state, events: left, lastKey: users.last?.key,
            counted: try count(users, next.names, now, session), names: next.names)
        memory.withLock { $0.prepared = prepared }
    }

    /// Counts the next users, beginning a fold when none is under way. When the transaction fails afterwards call
    /// ``forget()``.
    ///
    /// - Parameters:
    ///   - transaction: must have entered ``SQLWriteLane/figures``.
    ///   - insisting: takes over another process's fold at once, and counts though a recount then fails.
    func step(
        users userCount: Int, insisting: Bool = false, now: UTCInstant, in transaction: any SQLTransaction
    ) throws -> Step {
        try memory.withLock { memory in
            do {
                return try step(&memory, users: userCount, insisting: insisting, now: now, in: transaction)
            } catch {
                memory = Memory()
                throw error
            }
        }
    }

    private func step(
        _ memory: inout Memory, users userCount: Int, insisting: Bool, now: UTCInstant,
        in transaction: any SQLTransaction
    ) throws -> Step {
        var (state, lastBlock) = try EventFoldState.load(in: transaction)
        memory.follow(state)
        let prepared = memory.takePrepared(for: state)
        func step(_ outcome: Outcome) -> Step {
            Step(outcome: outcome, state: state)
        }
        if !state.isFolding {
            guard state.hasWork(upTo: lastBlock, now: now) else { return step(.folded) }
            if !insisting, try EventLog.isCountingHeld(at: now, in: transaction) { return step(.underWayElsewhere) }
            if prepared == nil {
                try Self.begin(&state, lastBlock: lastBlock, now: now, in: transaction)
                memory.events = try memory.read(state, in: transaction)
            }
        } else if memory.events == nil {
            guard insisting || memory.changedAt.duration(to: .now) >= EventLogTuning.foldTakeoverTimeout else {
                return step(.underWayElsewhere)
            }
            memory.events = try memory.read(state, in: transaction)
        }
        let (lastKey, counted): (Int64?, EventLog.Counted)
        if let prepared {
            (state, memory.events, memory.names) = (prepared.state, prepared.events, prepared.names)
            (lastKey, counted) = (prepared.lastKey, prepared.counted)
        } else {
            let users = memory.events?.take(userCount) ?? []
            (lastKey, counted) = (users.last?.key, try count(users, memory.names, now, transaction))
        }
        let isLast = memory.events?.users.isEmpty ?? true
        try counted.save(isLast, transaction)
        memory.pages += counted.pages
        if isLast {
            try memory.publish(&state, in: transaction)
        } else {
            state.foldedKey = lastKey ?? state.foldedKey
        }
        try state.save(in: transaction)
        memory.state = state
        memory.changedAt = .now
        return step(state.hasWork(upTo: lastBlock, now: now) ? .moreToDo : .folded)
    }

    /// Resets the state after the transaction was rolled back.
    func forget() { memory.withLock { $0 = Memory() } }

    /// Determines which events the next fold takes.
    private static func begin(
        _ state: inout EventFoldState, lastBlock: Int64, now: UTCInstant, in session: any SQLSession
    ) throws {
        // After the clock was set back, events that an earlier fold would have taken are not dated ahead.
        let until = max(now, state.countedUntil)
        state.foldingUntil = try DeferredEvents.bound(until: until, in: session)
        let lastOfFold =
            state.foldingUntil < until
            ? nil : try Self.lastBlock(ofFoldAfter: state.foldedBlock, in: session) ?? lastBlock
        state.foldingBlock = max(lastOfFold ?? 0, state.foldedBlock)
        state.foldedKey = nil
    }

    /// The last block of the next fold, so that its events fit into memory; nil if there are no more blocks.
    private static func lastBlock(ofFoldAfter block: Int64, in session: any SQLSession) throws -> Int64? {
        var last: Int64?
        var events = 0
        try session.forEach(
            "SELECT id, event_count FROM event_blocks WHERE id > ? ORDER BY id", [.integer(block)]
        ) { row in
            guard last == nil || events < EventLogTuning.mostEventsInAFold else { return }
            last = try row.integer(0)
            events += Int(clamping: try row.integer(1))
        }
        return last
    }
}

extension EventFolder.Memory {
    /// Drops the users that another process has counted. A fold that has gone back was rolled back: its users must be
    /// read again.
    fileprivate mutating func follow(_ now: EventFoldState) {
        guard let known = state, now != known else {
            if state == nil { changedAt = .now }
            state = now
            return
        }
        if now.isFolding, now.foldedBlock == known.foldedBlock, now.foldingBlock == known.foldingBlock,
            now.foldingUntil == known.foldingUntil, now.revision == known.revision,
            now.foldedKey ?? .min >= known.foldedKey ?? .min
        {
            events?.drop(through: now.foldedKey)
        } else {
            events = nil
        }
        state = now
        changedAt = .now
    }

    /// Nil unless the state is still the one that it was read in. It is used up in any case.
    fileprivate mutating func takePrepared(for state: EventFoldState) -> EventFolder.Prepared? {
        defer { prepared = nil }
        return prepared?.before == state ? prepared : nil
    }

    fileprivate mutating func read(
        _ state: EventFoldState, in transaction: any SQLTransaction
    ) throws -> UnfoldedEvents {
        try UnfoldedEvents(
            of: state, seed: try EventLogState.load(in: transaction).seed, names: &names, addingVersionsIn: transaction)
    }

    /// Ends a fold: its blocks are in the figures, but for the events whose moments have yet to come.
    fileprivate mutating func publish(_ state: inout EventFoldState, in transaction: any SQLTransaction) throws {
        try DeferredEvents.remove(dueBy: state.foldingUntil, in: transaction)
        try DeferredEvents.insert(events?.deferred ?? [], in: transaction)
        if !state.deferredBlocks.isEmpty { try transaction.execute("DELETE FROM deferred_blocks") }
        state.deferredBlocks = [:]
        state.nextDueAt = try DeferredEvents.nextDueAt(in: transaction)
        state.countedUntil = max(state.countedUntil, state.foldingUntil)
        state.foldedBlock = state.foldingBlock
        state.foldingUntil = .earliest
        state.foldedKey = nil
        events = nil
        (pagesOfLastFold, pages) = (pages, 0)
    }
}
