import Dispatch
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

extension EventLog {
    /// Removes the raw events of blocks that were received before a moment, up to
    /// ``EventLogTuning/blocksPurgedInAStep`` blocks a transaction, so that no batch waits long. Figures, and the ids
    /// by which repeated events are known, stay. Returns the number of events removed.
    ///
    /// What a block's events do to the figures, and their ids, are written before it goes. Nothing is removed while
    /// forged events are being discarded, which needs the events around them.
    ///
    /// - Parameter isCancelled: asked before each step.
    @discardableResult
    package func purge(before bound: UTCInstant, unless isCancelled: () -> Bool = { false }) throws -> Int {
        var removed = 0
        while !isCancelled(), let count = try purgeStep(before: bound) { removed += count }
        return removed
    }

    /// Nil when there is nothing to remove.
    private func purgeStep(before bound: UTCInstant) throws -> Int? {
        let due = try store.read { session in
            try Self.isDiscardUnderWay(in: session) ? [] : Self.dueBlocks(before: bound, in: session)
        }
        guard !due.isEmpty else { return nil }
        // They are counted first; not for so long that nobody could stop it.
        try settle(until: .now() + EventLogTuning.longestWaitOfPurge)
        return try write { memory, transaction in
            guard try !Self.isDiscardUnderWay(in: transaction) else { return nil }
            let state = try EventFoldState.load(in: transaction).state
            let blocks = try Self.dueBlocks(before: bound, in: transaction).filter {
                $0.id <= state.foldedBlock && state.deferred[$0.id] == nil
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

    /// By the clock rather than by their order: one that stood wrong for a while must not keep what came after it.
    private static func dueBlocks(
        before bound: UTCInstant, in session: any SQLSession
    ) throws -> [(id: Int64, lastOccurredAt: UTCInstant, eventCount: Int)] {
        let blocks = try session.query(
            "SELECT id, last_occurred_at, event_count FROM event_blocks WHERE received_at < ? ORDER BY received_at LIMIT ?",
            [.instant(bound), .integer(EventLogTuning.blocksPurgedInAStep)]
        ) { row in
            (id: try row.integer(0), lastOccurredAt: try row.instant(1), eventCount: Int(clamping: try row.integer(2)))
        }
        // Large ones go by fewer.
        var events = 0
        let count = blocks.prefix { block in
            defer { events = events &+ block.eventCount }
            return events < EventLogTuning.eventsPurgedInAStep
        }.count
        return Array(blocks.prefix(count))
    }
}
