import Dispatch
package import SQLDatabase
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

/// Work that needs the log as it is: a discard of forged events, or a rebuild of the figures. Until it ends no block is
/// rewritten or removed, and no user gets another hash. Appending and folding go on.
extension EventLog {
    /// How long after its last sign of life a rebuild still holds the log.
    package static let secondsOfRebuildHold: Int64 = 30

    /// Whether a discard, or a rebuild whose process is alive, is under way.
    package static func isHeld(at now: UTCInstant, in session: any SQLSession) throws -> Bool {
        try isDiscardUnderWay(in: session) || isRebuildAlive(at: now, in: session)
    }

    /// Whether a discard is running. Nothing is purged and no erasure begins meanwhile.
    package static func isDiscardUnderWay(in session: any SQLSession) throws -> Bool {
        try session.exists("SELECT 1 FROM event_discards WHERE finished_at IS NULL")
    }

    /// Whether a rebuild with this last sign of life counts as alive. One in the future is that of a wrong clock, which
    /// must not hold the log for years.
    package static func isRecent(_ seenAt: UTCInstant, at now: UTCInstant) -> Bool {
        seenAt.adding(seconds: secondsOfRebuildHold) >= now && seenAt <= now.adding(seconds: secondsOfRebuildHold)
    }

    package static func isRebuildAlive(at now: UTCInstant, in session: any SQLSession) throws -> Bool {
        try isHoldingCounting(at: now, in: session) != nil
    }

    /// Whether a rebuild is alive that changes what is counted, so nothing is counted meanwhile.
    static func isCountingHeld(at now: UTCInstant, in session: any SQLSession) throws -> Bool {
        try isHoldingCounting(at: now, in: session) ?? false
    }

    /// What is said of the rebuild that is alive; nil if there is none.
    private static func isHoldingCounting(at now: UTCInstant, in session: any SQLSession) throws -> Bool? {
        let rebuild = try session.first("SELECT seen_at, holds_counting FROM figure_rebuilds WHERE ended_at IS NULL") {
            (seenAt: try $0.instant(0), holdsCounting: try $0.integer(1) == 1)
        }
        guard let rebuild, isRecent(rebuild.seenAt, at: now) else { return nil }
        return rebuild.holdsCounting
    }

    /// Whether the transaction may rewrite blocks or rename users. It then ends a rebuild whose process is gone; if
    /// that was only slow, it finds itself ended and publishes nothing. Call it before the state of the log is read.
    package static func beginRewriting(at now: UTCInstant, in transaction: any SQLTransaction) throws -> Bool {
        guard try !isHeld(at: now, in: transaction) else { return false }
        if try transaction.exists("SELECT 1 FROM figure_rebuilds WHERE ended_at IS NULL") {
            // The row belongs to this lane, so the rebuild has either published before, or will see that it was ended.
            try transaction.enter(.figures)
            try transaction.execute(
                "UPDATE figure_rebuilds SET ended_at = ? WHERE ended_at IS NULL", [.instant(now)])
        }
        return true
    }
}
