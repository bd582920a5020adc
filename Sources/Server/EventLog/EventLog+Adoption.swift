package import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Migration of databases created before the event log, which have a row per event in the table `events`.
extension EventLog {
    /// Moves these rows into the log, oldest first, in several transactions, so that it can be interrupted. Their
    /// events are already in the figures. Returns the number of moved rows; call it before anything is appended.
    @discardableResult
    package func adoptRows() throws -> Int {
        var adopted = 0
        while try Self.hasRows(store) {
            adopted += try write { memory, transaction in
                try foldAll(in: transaction)
                return try memory.adoptRows(count: Self.rowsPerStep, in: transaction)
            }
        }
        return adopted
    }

    /// Whether there are rows to move. PostgreSQL databases never have any.
    package static func hasRows(_ store: any SQLStore) throws -> Bool {
        guard store.dialect == .sqlite else { return false }
        return try store.read { try $0.first("SELECT 1 FROM events LIMIT 1") { try $0.integer(0) } } != nil
    }

    private static let rowsPerStep = 5000
}

extension EventLogMemory {
    /// Moves the oldest rows. Every event in the log must be in the figures.
    fileprivate mutating func adoptRows(count: Int, in transaction: any SQLTransaction) throws -> Int {
        var block = EventBlock()
        var lastRow: Int64 = 0
        try transaction.forEach(
            """
            SELECT e.rowid, e.id, n.name, e.event_name_id, u.user_hash, e.occurred_at, e.received_at,
                CAST(e.properties AS BLOB)
            FROM events e JOIN event_names n ON n.id = e.event_name_id JOIN users u ON u.id = e.user_id
            ORDER BY e.rowid LIMIT ?
            """, [.integer(Int64(count))]
        ) { row in
            guard let definition = EventRegistry.definition(named: try row.text(2)),
                let user = UserHash(bytes: try row.blob(4))
            else { throw SQLError.malformed("events") }
            let event = AnalyticsEvent(
                id: try row.uuid(1), definition: definition, userID: user, timestamp: try row.instant(5),
                properties: try row.optionalBlob(7))
            lastRow = try row.integer(0)
            block.beginBatch(receivedAt: try row.instant(6))
            block.append(event, id: EventID(event.id), nameID: try row.integer(3))
            index.restore(EventID(event.id))
        }
        // Rows without a user or a name would never be moved; no version wrote any.
        guard block.count > 0 else { throw SQLError.malformed("events") }
        try write(block, in: transaction)
        var folded = try EventFoldState.load(in: transaction).state
        folded.foldedBlock = state.lastBlock
        folded.foldingBlock = state.lastBlock
        folded.countedUntil = max(folded.countedUntil, block.lastOccurredAt)
        try folded.save(in: transaction)
        try transaction.execute("DELETE FROM events WHERE rowid <= ?", [.integer(lastRow)])
        if index.isFull { try writeRun(in: transaction) }
        return block.count
    }
}
