import SQLDatabase
import SubGuardDomain

extension EventLogMemory {
    /// Appends what is new in the batches as one block.
    mutating func append(
        _ batches: [EventBatch], in transaction: any SQLTransaction
    ) throws -> [IngestReceipt] {
        var block = EventBlock()
        let receipts = try batches.map { batch in
            block.beginBatch(receivedAt: batch.receivedAt)
            var accepted = 0
            for event in batch.events {
                let id = EventID(event.id)
                guard try index.insert(id, in: transaction) else { continue }
                let nameID = try names.id(of: event.definition, in: transaction)
                block.append(event, id: id, nameID: nameID)
                let item = event.definition.name == "subscription_added" ? event.catalogueItemID : nil
                backlog.add(
                    EventBacklog.Event(occurredAt: event.timestamp, nameID: nameID, item: item), of: event.userID)
                accepted += 1
            }
            return IngestReceipt(
                accepted: accepted, duplicates: batch.events.count - accepted, rejected: batch.rejected)
        }
        if block.count > 0 { try write(block, in: transaction) }
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

    /// Folds the next users, beginning with a new set of blocks when the last one is through. Returns how many of them
    /// had no row before.
    mutating func fold(users count: Int, now: UTCInstant, in transaction: any SQLTransaction) throws -> Int {
        if !state.isFolding {
            guard !state.isFolded else { return 0 }
            state.foldingBlock = state.lastBlock
            state.foldedUser = nil
            folding = backlog.sorted
            foldingEventCount = backlog.eventCount
            backlog = EventBacklog()
        }
        var fold = EventFold(transaction, names: names, now: now)
        let next = folding.prefix(count)
        try fold.fold(next)
        try fold.finish()
        foldingEventCount -= next.reduce(0) { $0 + $1.events.count }
        state.foldedUser = next.last?.user ?? state.foldedUser
        folding = folding.dropFirst(count)
        if folding.isEmpty {
            state.foldedBlock = state.foldingBlock
            state.foldedUser = nil
        }
        return fold.newUserCount
    }
}
