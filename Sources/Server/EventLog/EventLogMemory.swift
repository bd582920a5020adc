package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// A process's in-memory copy of the log's state between transactions, so that a commit reads little. It is read again
/// at the start, after a failed transaction, and after another process has written.
package struct EventLogMemory {
    package internal(set) var state: EventLogState
    var names: EventNames
    var index: EventIDIndex
    /// Blocks seen since ``takeSeenBlocks()`` that may not be in the figures yet.
    var seenBlocks: [(id: Int64, eventCount: Int)] = []
    /// The latest receipt of an event whose id is not in a run yet.
    var newestReceivedAt = UTCInstant.earliest

    private let shape: EventIDIndexShape

    /// The initial state, before anything is read.
    init(shape: EventIDIndexShape) {
        self.shape = shape
        state = .unknown
        names = EventNames()
        index = EventIDIndex(seed: state.seed, shape: shape, recentCapacity: 0)
    }

    var isRead: Bool { state != .unknown }

    /// Reads the whole state.
    private init(in session: any SQLSession, shape: EventIDIndexShape) throws {
        self.shape = shape
        let state = try EventLogState.load(in: session)
        self.state = state
        names = try EventNames.load(in: session)
        index = EventIDIndex(seed: state.seed, shape: shape)
        try index.readRuns(in: session)
        try see(after: try EventFoldState.load(in: session).state.foldedBlock, in: session)
        try readIDs(after: state.indexedBlock, in: session)
    }

    /// Reads what other processes have written since, or everything on the first call. The cost is proportional to what
    /// was written.
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
            // Another process has written the recent ids as a run, which contains all or the older ones of this
            // process.
            index.forgetRecent()
            newestReceivedAt = .earliest
            try readIDs(after: now.indexedBlock, in: session)
        }
    }

    /// Returns and clears the blocks seen since the last call.
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
            try EventBlockReader.read(bytes, of: last) { reader in
                reader.forEachID { index.restore($0) }
            }
        }
        // Otherwise an id would be assigned twice and every batch would fail without a clear cause.
        guard last <= state.lastBlock else { throw SQLError(code: .corrupt, number: 0, context: "event_log") }
    }
}

extension EventLogMemory {
    /// Appends the new events of the batches as one block.
    mutating func append(
        _ batches: [EventBatch], in transaction: any SQLTransaction
    ) throws -> [IngestReceipt] {
        var block = EventBlock()
        let ids = batches.flatMap { batch in batch.events.map { EventID($0.id) } }
        let isNew = try index.insert(ids, in: transaction)
        var next = 0
        let receipts = try batches.map { batch in
            block.beginBatch(receivedAt: batch.receivedAt, signer: batch.signer)
            var accepted = 0
            for event in batch.events {
                defer { next += 1 }
                guard isNew[next] else { continue }
                let id = ids[next]
                let nameID = try names.id(of: event.definition, in: transaction)
                block.append(event, id: id, nameID: nameID)
                accepted += 1
            }
            return IngestReceipt(
                accepted: accepted, duplicates: batch.events.count - accepted, rejected: batch.rejected)
        }
        if block.count > 0 {
            try write(block, in: transaction)
            seenBlocks.append((state.lastBlock, block.count))
        }
        return receipts
    }

    mutating func write(_ block: EventBlock, in transaction: any SQLTransaction) throws {
        state.lastBlock += 1
        newestReceivedAt = max(newestReceivedAt, block.receivedAt)
        try transaction.execute(
            """
            INSERT INTO event_blocks (id, received_at, last_occurred_at, event_count, events) VALUES (?, ?, ?, ?, ?)
            """,
            [
                .integer(state.lastBlock), .instant(block.receivedAt), .instant(block.lastOccurredAt),
                .integer(Int64(block.count)), .blob(block.bytes),
            ])
    }

    /// Writes the ids that are in no run as a new run.
    package mutating func writeRun(in transaction: any SQLTransaction) throws {
        try index.writeRun(newestReceivedAt: newestReceivedAt, in: transaction)
        newestReceivedAt = .earliest
        state.indexedBlock = state.lastBlock
        state.runRevision += 1
    }

    /// Returns false if nothing was done; see ``EventIDIndex/takeStep(now:next:reads:in:)``.
    @discardableResult
    mutating func takeIndexStep(
        now: UTCInstant, next ids: EventIDMerge.Segment? = nil, reads: Bool = true, in transaction: any SQLTransaction
    ) throws -> Bool {
        guard try index.takeStep(now: now, next: ids, reads: reads, in: transaction) else { return false }
        state.runRevision += 1
        return true
    }
}

/// Statistics of the log for the operator.
package struct EventLogStats: Sendable, Hashable {
    /// Accepted events that are not in the figures yet.
    package var unfoldedEvents = 0
    /// Ids in memory that are not in a run yet.
    package var recentIDs = 0
    /// Ids in sorted runs on disk.
    package var indexedIDs = 0
    /// Runs searched by a look-up.
    package var runs = 0
    /// Bytes of the filters of these runs that are in memory.
    package var filterBytes = 0

    init() {}

    init(_ memory: EventLogMemory) {
        recentIDs = memory.index.recent.count
        indexedIDs = memory.index.runIDCount
        runs = memory.index.runCount
        filterBytes = memory.index.filterBytes
    }
}

/// How far the log has been written and indexed: the row of `event_log`. ``EventFoldState`` records how far it is
/// folded.
///
/// Every writing process first reads this row in its transaction. If it is unchanged, the process's in-memory state is
/// current; otherwise another process has written.
package struct EventLogState: Equatable {
    /// The newest block ever written; 0 before the first.
    package var lastBlock: Int64
    /// The ids of blocks up to and including this one are in runs.
    package var indexedBlock: Int64
    /// Incremented by each change of the runs.
    package var runRevision: Int64
    package let seed: EventIDSeed
    /// Events that occurred from this instant on are complete; nil if none were ever purged.
    package var completeFrom: UTCInstant?

    /// Equal to no stored row.
    package static let unknown = EventLogState(
        lastBlock: -1, indexedBlock: -1, runRevision: -1, seed: EventIDSeed(), completeFrom: nil)

    package static func load(in session: any SQLSession) throws -> EventLogState {
        let state = try session.first(
            "SELECT last_block_id, indexed_block_id, run_revision, id_seed, complete_from FROM event_log WHERE id = 1"
        ) { row in
            guard let seed = EventIDSeed(bytes: try row.blob(3)) else { throw SQLError.malformed("id_seed") }
            let state = EventLogState(
                lastBlock: try row.integer(0), indexedBlock: try row.integer(1), runRevision: try row.integer(2),
                seed: seed, completeFrom: try row.optionalInstant(4))
            guard state.isPlausible else { throw SQLError(code: .corrupt, number: 0, context: "event_log") }
            return state
        }
        guard let state else { throw SQLError(code: .corrupt, number: 0, context: "event_log row missing") }
        return state
    }

    package func save(in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            UPDATE event_log SET last_block_id = ?, indexed_block_id = ?, run_revision = ?, complete_from = ?
            WHERE id = 1
            """,
            [.integer(lastBlock), .integer(indexedBlock), .integer(runRevision), .instant(orNull: completeFrom)])
    }

    /// Whether the numbers are possible and leave room for counting on without overflow.
    private var isPlausible: Bool {
        (0...Self.highestBlock).contains(lastBlock) && (0...lastBlock).contains(indexedBlock)
            && (0...Self.highestBlock).contains(runRevision)
    }

    /// Reached by a block per microsecond after thirty thousand years.
    package static let highestBlock: Int64 = 1 << 60
}
