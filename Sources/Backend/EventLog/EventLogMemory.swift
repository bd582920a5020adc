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
        try read(from: min(state.indexedBlock, state.foldedBlock) + 1, in: session)
    }

    /// Takes in what other processes have written since, or all if nothing has been read. Cheap when nobody has.
    mutating func catchUp(in session: any SQLSession) throws {
        let now = try EventLogState.load(in: session)
        guard now != state else { return }
        self = try EventLogMemory(in: session, shape: shape)
    }

    private mutating func read(from first: Int64, in session: any SQLSession) throws {
        let state = state
        var begun = EventBacklog()
        try session.forEach(
            "SELECT id, received_at, events FROM event_blocks WHERE id >= ? ORDER BY id", [.integer(first)]
        ) { row in
            let block = try row.integer(0)
            try row.blob(2).withUnsafeBytes { bytes in
                let reader = try EventBlockReader(bytes)
                if block > state.indexedBlock {
                    newestReceivedAt = max(newestReceivedAt, try row.instant(1))
                    reader.forEachID { index.restore($0) }
                }
                guard block > state.foldedBlock else { return }
                try reader.forEach { event in
                    let item = event.set.flatMap { AnalyticsEvent.catalogueItemID(in: reader.properties(ofSet: $0)) }
                    let waiting = EventBacklog.Event(occurredAt: event.occurredAt, nameID: event.nameID, item: item)
                    if block > state.foldingBlock {
                        backlog.add(waiting, of: event.userID)
                    } else if !state.isFolded(event.userID, block: block) {
                        begun.add(waiting, of: event.userID)
                    }
                }
            }
        }
        folding = begun.sorted
        foldingEventCount = begun.eventCount
    }
}
