import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension EventLogMemory {
    /// Appends what is new in the batches as one block.
    mutating func append(
        _ batches: [EventBatch], in transaction: any SQLTransaction
    ) throws -> [IngestReceipt] {
        var block = EventBlock()
        let receipts = try batches.map { batch in
            block.beginBatch(receivedAt: batch.receivedAt, signer: batch.signer)
            var accepted = 0
            for event in batch.events {
                let id = EventID(event.id)
                guard try index.insert(id, in: transaction) else { continue }
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

    /// Makes a run of the ids that are in none.
    mutating func writeRun(in transaction: any SQLTransaction) throws {
        try index.writeRun(newestReceivedAt: newestReceivedAt, in: transaction)
        newestReceivedAt = .earliest
        state.indexedBlock = state.lastBlock
        state.runRevision += 1
    }

    /// Returns false when nothing is due.
    @discardableResult
    mutating func takeIndexStep(now: UTCInstant, in transaction: any SQLTransaction) throws -> Bool {
        guard try index.takeStep(now: now, in: transaction) else { return false }
        state.runRevision += 1
        return true
    }
}
