import SQLDatabase
import SubGuardDomain
import Synchronization

/// Brings events of the log into the figures, some users in each transaction.
///
/// Several processes may try; one of them does it, because the others would have to read everything that it has in
/// memory. When it does not go on, another one takes over.
final class EventFolder: Sendable {
    enum Outcome {
        /// Every event that was in the log is in the figures.
        case folded
        case moreToDo
        /// Another process is at it.
        case underWayElsewhere
    }

    struct Step {
        let outcome: Outcome
        /// Blocks up to here are in the figures.
        let foldedBlock: Int64
    }

    fileprivate struct Memory {
        /// As it was left or last seen.
        var state: EventFoldState?
        /// When it was last seen to change.
        var changedAt = ContinuousClock.now
        /// What is left of the fold under way, when it is this process that folds.
        var events: UnfoldedEvents?
        var names = EventNames()
    }

    private let memory = Mutex(Memory())
    private let count: EventLog.Count

    init(count: @escaping EventLog.Count) { self.count = count }

    /// Whether this process has a fold under way.
    var isFolding: Bool { memory.withLock { $0.events != nil } }

    /// Counts the next users, beginning with a new set of blocks when the last one is through. When the transaction
    /// fails afterwards call ``forget()``.
    ///
    /// - Parameters:
    ///   - transaction: has entered ``SQLWriteLane/figures``.
    ///   - insisting: takes over at once what another process has begun.
    func step(
        users userCount: Int, insisting: Bool = false, now: UTCInstant, in transaction: any SQLTransaction
    ) throws -> Step {
        try memory.withLock { memory in
            var (state, lastBlock) = try EventFoldState.load(in: transaction)
            memory.follow(state)
            func step(_ outcome: Outcome) -> Step { Step(outcome: outcome, foldedBlock: state.foldedBlock) }
            if !state.isFolding {
                guard state.foldedBlock < lastBlock else { return step(.folded) }
                state.foldingBlock = try Self.lastBlock(ofFoldAfter: state.foldedBlock, in: transaction) ?? lastBlock
                state.foldedUser = nil
                memory.events = try UnfoldedEvents(of: state, names: &memory.names, in: transaction)
            } else if memory.events == nil {
                guard insisting || memory.changedAt.duration(to: .now) >= EventLogTuning.foldTakeoverTimeout else {
                    return step(.underWayElsewhere)
                }
                memory.events = try UnfoldedEvents(of: state, names: &memory.names, in: transaction)
            }
            let users = memory.events?.take(userCount) ?? []
            if !users.isEmpty { try count(users, memory.names, now, transaction) }
            try memory.finish(users, state: &state, in: transaction)
            return step(state.foldedBlock < lastBlock ? .moreToDo : .folded)
        }
    }

    /// What was counted was rolled back.
    func forget() { memory.withLock { $0 = Memory() } }

    /// So many blocks that their events fit well into memory; nil when there is none.
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
    /// Brings what is left to where another process has brought it.
    fileprivate mutating func follow(_ now: EventFoldState) {
        guard let known = state, now != known else {
            if state == nil { changedAt = .now }
            state = now
            return
        }
        if now.isFolding, now.foldedBlock == known.foldedBlock, now.foldingBlock == known.foldingBlock {
            events?.drop(through: now.foldedUser)
        } else {
            events = nil
        }
        state = now
        changedAt = .now
    }

    /// Notes that the users were counted.
    fileprivate mutating func finish(
        _ users: ArraySlice<UnfoldedEvents.User>, state: inout EventFoldState, in transaction: any SQLTransaction
    ) throws {
        state.foldedUser = users.last?.user ?? state.foldedUser
        if events?.users.isEmpty ?? true {
            state.foldedBlock = state.foldingBlock
            state.foldedUser = nil
            events = nil
        }
        try state.save(in: transaction)
        self.state = state
        changedAt = .now
    }
}
