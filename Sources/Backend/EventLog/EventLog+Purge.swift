import SQLDatabase
package import SubGuardDomain

extension EventLog {
    /// Removes the raw events of blocks that were received before a moment, a block a transaction, so that no batch waits
    /// long. Figures, and the ids by which repeated events are known, stay. Returns the number of events removed.
    ///
    /// What a block's events do to the figures, and their ids, are written before it goes.
    @discardableResult
    package func purge(before bound: UTCInstant) throws -> Int {
        var removed = 0
        while let count = try purgeBlock(before: bound) { removed += count }
        return removed
    }

    /// Nil when there is nothing to remove.
    private func purgeBlock(before bound: UTCInstant) throws -> Int? {
        let oldest = try context.store.read { try Self.oldestBlock(in: $0) }
        guard let oldest, oldest.receivedAt < bound else { return nil }
        return try write { memory, transaction in
            guard let oldest = try Self.oldestBlock(in: transaction), oldest.receivedAt < bound else { return nil }
            if oldest.id > memory.state.indexedBlock { try memory.writeRun(in: transaction) }
            while oldest.id > memory.state.foldedBlock {
                try fold(users: EventLogPace.usersFoldedInAStep, &memory, transaction)
            }
            try transaction.execute("DELETE FROM event_blocks WHERE id = ?", [.integer(oldest.id)])
            let completeFrom = oldest.lastOccurredAt.adding(milliseconds: 1)
            memory.state.completeFrom = max(memory.state.completeFrom ?? completeFrom, completeFrom)
            return oldest.eventCount
        }
    }

    private static func oldestBlock(
        in session: any SQLSession
    ) throws -> (id: Int64, receivedAt: UTCInstant, lastOccurredAt: UTCInstant, eventCount: Int)? {
        try session.first(
            "SELECT id, received_at, last_occurred_at, event_count FROM event_blocks ORDER BY id LIMIT 1"
        ) { row in
            (
                id: try row.integer(0), receivedAt: try row.instant(1), lastOccurredAt: try row.instant(2),
                eventCount: Int(clamping: try row.integer(3))
            )
        }
    }
}
