import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// What a process keeps of the log between its transactions, so that a commit reads little. All of it can be read from
/// the store again, which happens at the start, after a transaction that failed, and where another process has written.
struct EventLogMemory {
    var state: EventLogState
    var names: EventNames
    var index: EventIDIndex
    /// Blocks that came to its knowledge and may not be in the figures yet, until ``takeSeenBlocks()``.
    var seenBlocks: [(id: Int64, eventCount: Int)] = []
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

    var isRead: Bool { state != .unknown }

    /// Reads everything.
    private init(in session: any SQLSession, shape: EventIDIndexShape) throws {
        self.shape = shape
        let state = try EventLogState.load(in: session)
        self.state = state
        names = try EventNames.load(in: session)
        index = EventIDIndex(seed: state.seed, runs: try EventIDIndex.loadRuns(in: session), shape: shape)
        try see(after: try EventFoldState.load(in: session).state.foldedBlock, in: session)
        try readIDs(after: state.indexedBlock, in: session)
    }

    /// Takes in what other processes have written since, or all if nothing has been read. Cheap when nobody has, and
    /// never dearer than what was written.
    mutating func catchUp(in session: any SQLSession) throws {
        let now = try EventLogState.load(in: session)
        guard now != state else { return }
        guard isRead, now.seed == state.seed, now.lastBlock >= state.lastBlock,
            now.indexedBlock == state.indexedBlock || now.indexedBlock >= state.lastBlock
        else {
            self = try EventLogMemory(in: session, shape: shape)
            return
        }
        let known = state
        state = now
        if now.runRevision != known.runRevision { try index.readRuns(in: session) }
        try see(after: known.lastBlock, in: session)
        if now.indexedBlock == known.indexedBlock {
            try readIDs(after: known.lastBlock, in: session)
        } else {
            // Another process has made a run of the recent ids, of which this one knew all or the older ones.
            index.forgetRecent()
            newestReceivedAt = .earliest
            try readIDs(after: now.indexedBlock, in: session)
        }
    }

    /// What came to its knowledge since it was last asked.
    mutating func takeSeenBlocks() -> [(id: Int64, eventCount: Int)] {
        defer { seenBlocks = [] }
        return seenBlocks
    }

    private mutating func see(after block: Int64, in session: any SQLSession) throws {
        seenBlocks += try session.query(
            "SELECT id, event_count FROM event_blocks WHERE id > ? ORDER BY id", [.integer(block)]
        ) { (try $0.integer(0), Int(clamping: try $0.integer(1))) }
    }

    private mutating func readIDs(after block: Int64, in session: any SQLSession) throws {
        var last: Int64 = 0
        try session.forEach(
            "SELECT id, received_at, events FROM event_blocks WHERE id > ? ORDER BY id", [.integer(block)]
        ) { row in
            last = try row.integer(0)
            newestReceivedAt = max(newestReceivedAt, try row.instant(1))
            let bytes = try row.blob(2)
            try EventBlockError.naming(last) {
                try bytes.withUnsafeBytes { bytes in
                    try EventBlockReader(bytes).forEachID { index.restore($0) }
                }
            }
        }
        // A number that is given out twice would be refused with each batch; better to say why.
        guard last <= state.lastBlock else { throw SQLError(code: .corrupt, number: 0, context: "event_log") }
    }
}
