import Dispatch
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

extension EventLog {
    /// Deletes the raw events of blocks received before an instant, up to ``EventLogTuning/blocksPurgedInAStep`` blocks
    /// per transaction, so that no batch waits long. Figures and ids that detect duplicates are kept. Returns the
    /// number of deleted events.
    ///
    /// A block is folded, its ids indexed, and its events sent to the event sink, before it is deleted. Nothing is
    /// deleted during a discard, which needs the other events of its users, nor during a rebuild of the figures, which
    /// needs all.
    ///
    /// - Parameter isCancelled: called before each step.
    @discardableResult
    package func purge(before bound: UTCInstant, unless isCancelled: () -> Bool = { false }) throws -> Int {
        var removed = 0
        while !isCancelled(), let count = try purgeStep(before: bound) { removed += count }
        return removed
    }

    /// Nil if there is nothing to delete.
    private func purgeStep(before bound: UTCInstant) throws -> Int? {
        let now = self.now()
        let due = try store.read { session in
            try Self.isHeld(at: now, in: session) ? [] : Self.dueBlocks(before: bound, at: now, in: session)
        }
        guard !due.isEmpty else { return nil }
        // They are counted first; not for so long that it could not be stopped.
        try settle(until: .now() + EventLogTuning.longestWaitOfPurge)
        return try write { memory, transaction in
            guard try Self.beginRewriting(at: now, in: transaction) else { return nil }
            let state = try EventFoldState.load(in: transaction).state
            let blocks = try Self.dueBlocks(before: bound, at: now, in: transaction).filter {
                $0.id <= state.foldedBlock && state.deferredBlocks[$0.id] == nil
            }
            guard let last = blocks.map(\.id).max() else { return 0 }
            if last > memory.state.indexedBlock { try memory.writeRun(in: transaction) }
            for block in blocks {
                try transaction.execute("DELETE FROM event_blocks WHERE id = ?", [.integer(block.id)])
                let completeFrom = block.lastOccurredAt.adding(milliseconds: 1)
                memory.state.completeFrom = max(memory.state.completeFrom ?? completeFrom, completeFrom)
            }
            return blocks.reduce(0) { $0 &+ $1.eventCount }
        }
    }

    /// Ordered by time rather than by id, so that a block with a wrong future time does not delay later ones.
    private static func dueBlocks(
        before bound: UTCInstant, at now: UTCInstant, in session: any SQLSession
    ) throws -> [(id: Int64, lastOccurredAt: UTCInstant, eventCount: Int)] {
        let released = try EventSinkState.lastReleasedBlock(at: now, in: session)
        let blocks = try session.query(
            """
            SELECT id, last_occurred_at, event_count FROM event_blocks WHERE received_at < ? AND id <= ?
            ORDER BY received_at LIMIT ?
            """,
            [.instant(bound), .integer(released), .integer(EventLogTuning.blocksPurgedInAStep)]
        ) { row in
            (id: try row.integer(0), lastOccurredAt: try row.instant(1), eventCount: Int(clamping: try row.integer(2)))
        }
        // Fewer blocks at a time if they are large.
        var events = 0
        let count = blocks.prefix { block in
            defer { events = events &+ block.eventCount }
            return events < EventLogTuning.eventsPurgedInAStep
        }.count
        return Array(blocks.prefix(count))
    }
}
