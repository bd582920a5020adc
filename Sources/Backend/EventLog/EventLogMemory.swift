import SQLDatabase
import SubGuardDomain

/// What a process keeps of the log between its transactions, so that a commit reads little. All of it can be read from
/// the store again, which happens at the start, after a transaction that failed, and where another process has written.
struct EventLogMemory {
    var state: EventLogState
    var names: EventNames
    var index: EventIDIndex
    /// What waits for the next fold: blocks above `state.foldingBlock`.
    var backlog = EventBacklog()
    /// What is left of the fold under way, in the order of the users.
    var folding: ArraySlice<(user: UserHash, events: [EventBacklog.Event])> = []
    /// Events in ``folding``.
    var foldingEventCount = 0
    /// The latest receipt of an event whose id is not in a run yet.
    var newestReceivedAt = UTCInstant.earliest

    private let shape: EventIDIndexShape

    /// Of a log that has not been read.
    init(shape: EventIDIndexShape) {
        self.shape = shape
        state = .unknown
        names = EventNames()
        index = EventIDIndex(seed: state.seed, runs: [], shape: shape, recentCapacity: 0)
    }

    var unfoldedEventCount: Int { backlog.eventCount + foldingEventCount }

    var isRead: Bool { state != .unknown }

    /// Reads everything.
    private init(in session: any SQLSession, shape: EventIDIndexShape) throws {
        self.shape = shape
        let state = try EventLogState.load(in: session)
        self.state = state
        names = try EventNames.load(in: session)
        index = EventIDIndex(seed: state.seed, runs: try EventIDIndex.loadRuns(in: session), shape: shape)
        try read(after: state.indexedBlock, unfoldedAfter: state.foldedBlock, in: session)
    }

    /// Takes in what other processes have written since, or all if nothing has been read. Cheap when nobody has, and
    /// never dearer than what was written.
    mutating func catchUp(in session: any SQLSession) throws {
        let now = try EventLogState.load(in: session)
        guard now != state else { return }
        guard isRead, now.runRevision == state.runRevision, now.indexedBlock == state.indexedBlock,
            now.lastBlock >= state.lastBlock, now.seed == state.seed
        else {
            self = try EventLogMemory(in: session, shape: shape)
            return
        }
        let known = state.lastBlock
        let keepsBacklog = follow(now)
        state = now
        names = try EventNames.load(in: session)
        if keepsBacklog {
            try read(after: known, unfoldedAfter: known, in: session)
        } else {
            backlog = EventBacklog()
            try read(after: known, unfoldedAfter: now.foldedBlock, in: session)
        }
    }

    /// Brings the fold under way to where another process has brought it. Returns false when that process has begun one of
    /// which this one does not know where in the backlog it ends.
    private mutating func follow(_ now: EventLogState) -> Bool {
        if now.isFolding, now.foldedBlock == state.foldedBlock, now.foldingBlock == state.foldingBlock {
            folding = folding.drop { user, _ in now.foldedUser.map { user <= $0 } ?? false }
        } else if !now.isFolding, state.isFolding, now.foldedBlock == state.foldingBlock {
            folding = []
        } else if now.foldedBlock != state.foldedBlock || now.isFolding {
            folding = []
            foldingEventCount = 0
            return false
        }
        foldingEventCount = folding.reduce(0) { $0 + $1.events.count }
        return true
    }

    /// Reads ids of blocks after one, and events that are not in the figures of blocks after another.
    private mutating func read(after idBlock: Int64, unfoldedAfter eventBlock: Int64, in session: any SQLSession) throws
    {
        let state = state
        var begun = EventBacklog()
        var last: Int64 = 0
        try session.forEach(
            "SELECT id, received_at, events FROM event_blocks WHERE id > ? ORDER BY id",
            [.integer(min(idBlock, eventBlock))]
        ) { row in
            let block = try row.integer(0)
            last = block
            let receivedAt = try row.instant(1)
            let bytes = try row.blob(2)
            try EventBlockError.naming(block) {
                try bytes.withUnsafeBytes { bytes in
                    let reader = try EventBlockReader(bytes)
                    if block > idBlock {
                        newestReceivedAt = max(newestReceivedAt, receivedAt)
                        reader.forEachID { index.restore($0) }
                    }
                    guard block > eventBlock else { return }
                    try reader.forEach { event in
                        guard !state.isFolded(event.userID, block: block) else { return }
                        let item = event.set.flatMap {
                            AnalyticsEvent.catalogueItemID(in: reader.properties(ofSet: $0))
                        }
                        let waiting = EventBacklog.Event(
                            occurredAt: event.occurredAt, nameID: event.nameID, item: item)
                        if block > state.foldingBlock {
                            backlog.add(waiting, of: event.userID)
                        } else {
                            begun.add(waiting, of: event.userID)
                        }
                    }
                }
            }
        }
        // A number that is given out twice would be refused with each batch; better to say why.
        guard last <= state.lastBlock else { throw SQLError(code: .corrupt, number: 0, context: "event_log") }
        if !begun.isEmpty {
            folding = begun.sorted
            foldingEventCount = begun.eventCount
        }
    }
}
