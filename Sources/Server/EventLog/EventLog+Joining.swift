package import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import Synchronization

/// Joins neighbouring blocks of few events. A server with little traffic writes one event a block, which takes twice
/// the space of an event in a block of many.
extension EventLog {
    /// Joins the next blocks in one transaction of some milliseconds. Returns whether work remains. It may be
    /// interrupted between two steps, and several processes may take steps at once.
    ///
    /// Joined blocks are in the figures, and none of their events is dated ahead. They were received some hours ago,
    /// and within a day, so that a joined block is purged at most a day later than its oldest event. Their ids are in a
    /// run. Nothing is joined during a discard, a rebuild of the figures or the sweep of an erasure, whose progress is
    /// the number of a block, nor behind the cursor of the event sink, nor across the last block of the stored ranking,
    /// which `figures verify` compares with the events up to there.
    @discardableResult
    package func joinStep() throws -> Bool {
        let now = self.now()
        let start = joining.withLock { $0 }
        // Looks first without holding up others.
        let (look, finding) = try store.read { session in
            var look = start
            let finding = try look.find(now: now, in: session)
            return (look, finding)
        }
        joining.withLock { $0 = look }
        guard case .joinable = finding else { return finding == .moreToRead }
        let end = try write { memory, transaction in
            var look = look
            // The blocks may have changed since.
            guard try Self.beginRewriting(at: now, in: transaction) else { return look }
            guard case .joinable(let blocks) = try look.find(now: now, in: transaction) else { return look }
            do {
                let joined = try JoinedBlocks(blocks, in: transaction)
                guard joined.count > 1 else {
                    look.leftBlock = blocks.lowerBound
                    return look
                }
                if joined.lastID > memory.state.indexedBlock { try memory.writeRun(in: transaction) }
                try joined.save(in: transaction)
                // Later blocks may join the same one.
                look.leftBlock = joined.lastID - 1
            } catch let error as EventBlockError {
                look.damagedBlocks.insert(error.block ?? blocks.lowerBound)
            }
            return look
        }
        joining.withLock { $0 = end }
        return true
    }
}

/// How far a process has looked for blocks to join. A new process looks from the start of the log.
struct JoinSearch: Sendable {
    enum Finding: Equatable {
        /// Neighbouring blocks from the first to the last.
        case joinable(ClosedRange<Int64>)
        case moreToRead
        case nothing
    }

    /// Blocks up to this one stay as they are.
    var leftBlock: Int64 = 0
    /// They stay as they are for `figures verify` to report.
    var damagedBlocks: Set<Int64> = []

    /// Moves on to the next blocks that can be joined.
    mutating func find(now: UTCInstant, in session: any SQLSession) throws -> Finding {
        guard try !EventLog.isHeld(at: now, in: session), try !ErasureSweep.isUnderWay(in: session) else {
            return .nothing
        }
        let state = try EventFoldState.load(in: session).state
        let lastBlock = min(state.foldedBlock, try EventSinkState.lastReleasedBlock(at: now, in: session))
        let rankedBlock =
            try session.integer("SELECT folded_block_id FROM ranking_refreshes WHERE id = 1") ?? 0
        let recent = now.adding(seconds: -EventLogTuning.secondsBeforeJoining)
        var group = JoinableGroup()
        for _ in 0..<EventLogTuning.readsOfAJoinSearch {
            let blocks = try session.query(
                """
                SELECT id, received_at, event_count, length(events) FROM event_blocks WHERE id > ? AND id <= ?
                ORDER BY id LIMIT ?
                """,
                [
                    .integer(group.lastID ?? leftBlock), .integer(lastBlock),
                    .integer(EventLogTuning.blocksJoinedInAStep),
                ], JoinableGroup.Block.init)
            for block in blocks {
                // Those behind are even newer. A time in the future is that of a wrong clock, and delays no others.
                if block.receivedAt >= recent, block.receivedAt <= now { return group.finding ?? .nothing }
                let isJoinable =
                    block.isSmall && block.receivedAt < recent && state.deferredBlocks[block.id] == nil
                    && !damagedBlocks.contains(block.id)
                if isJoinable, group.add(block, rankedBlock: rankedBlock) { continue }
                if let finding = group.finding { return finding }
                leftBlock = isJoinable ? block.id - 1 : block.id
                group = JoinableGroup()
                if isJoinable { _ = group.add(block, rankedBlock: rankedBlock) }
            }
            if blocks.count < EventLogTuning.blocksJoinedInAStep { return group.finding ?? .nothing }
        }
        return group.finding ?? .moreToRead
    }
}

/// Neighbouring small blocks, as far as they fit into one.
private struct JoinableGroup {
    struct Block {
        let id: Int64
        let receivedAt: UTCInstant
        let eventCount: Int64
        let byteCount: Int64

        init(_ row: any SQLRow) throws {
            id = try row.integer(0)
            receivedAt = try row.instant(1)
            eventCount = try row.integer(2)
            byteCount = try row.integer(3)
        }

        /// Larger ones would hardly take less space in another block.
        var isSmall: Bool {
            (1..<EventLogTuning.eventsOfALargeBlock).contains(eventCount)
                && byteCount < EventLogTuning.bytesOfALargeBlock
        }
    }

    private var blocks: (first: Block, last: Block)?
    private var count: Int64 = 0
    private var events: Int64 = 0
    private var bytes: Int64 = 0

    var lastID: Int64? { blocks?.last.id }

    /// The blocks, if there are several.
    var finding: JoinSearch.Finding? {
        guard count > 1, let blocks else { return nil }
        return .joinable(blocks.first.id...blocks.last.id)
    }

    /// Returns false if the block does not fit. The first one always does.
    mutating func add(_ block: Block, rankedBlock: Int64) -> Bool {
        if let blocks {
            guard count < EventLogTuning.blocksJoinedInAStep,
                events + block.eventCount <= EventLogTuning.mostEventsInAJoinedBlock,
                bytes + block.byteCount <= EventLogTuning.mostBytesInAJoinedBlock,
                blocks.first.id > rankedBlock || block.id <= rankedBlock
            else { return false }
        }
        blocks = (blocks?.first ?? block, block)
        count += 1
        events += block.eventCount
        bytes += block.byteCount
        return true
    }
}

/// The events of neighbouring blocks in one, in the order of their arrival.
private struct JoinedBlocks {
    private var block = EventBlock()
    private var firstID: Int64 = 0
    /// The number of the joined block: that of the last one, because processes read on from the last number they know.
    private(set) var lastID: Int64 = 0
    private(set) var count = 0
    private var receivedFrom = UTCInstant.latest

    /// Reads blocks, up to the first one that was received too late to be purged with the others. Throws
    /// ``EventBlockError`` for a damaged one.
    init(_ blocks: ClosedRange<Int64>, in session: any SQLSession) throws {
        var isTruncated = false
        try session.forEach(
            "SELECT id, events FROM event_blocks WHERE id >= ? AND id <= ? ORDER BY id",
            [.integer(blocks.lowerBound), .integer(blocks.upperBound)]
        ) { row in
            guard !isTruncated else { return }
            let id = try row.integer(0)
            let bytes = try row.blob(1)
            try EventBlockReader.read(bytes, of: id) { reader in
                let from = min(receivedFrom, reader.receivedFrom)
                let through = max(block.receivedAt, reader.receivedAt)
                guard count == 0 || through <= from.adding(seconds: EventLogTuning.secondsInAJoinedBlock) else {
                    isTruncated = true
                    return
                }
                try block.append(reader)
                receivedFrom = from
            }
            guard !isTruncated else { return }
            if count == 0 { firstID = id }
            lastID = id
            count += 1
        }
    }

    func save(in transaction: any SQLTransaction) throws {
        try transaction.execute(
            "DELETE FROM event_blocks WHERE id >= ? AND id < ?", [.integer(firstID), .integer(lastID)])
        try block.replace(lastID, in: transaction)
    }
}

extension EventBlock {
    /// Replaces a block in the database; its number stays.
    package func replace(_ id: Int64, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            "UPDATE event_blocks SET received_at = ?, last_occurred_at = ?, event_count = ?, events = ? WHERE id = ?",
            [
                .instant(receivedAt), .instant(lastOccurredAt), .integer(Int64(count)), .blob(bytes), .integer(id),
            ])
    }
}
