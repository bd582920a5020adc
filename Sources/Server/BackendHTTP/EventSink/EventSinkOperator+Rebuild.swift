import EventLog
import Outbound
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry

extension EventSinkOperator {
    /// What a rebuild did.
    package struct Rebuild: Sendable {
        package let table: Int64
        package let eventsFromLog: Int64
        package let eventsFromTable: Int64
    }

    /// How a rebuild proceeds where events that only ClickHouse has are not those of the ledger.
    package struct RebuildOptions: Sendable {
        /// Takes what is there.
        package var acceptsDifferences = false
        /// The number of the table that has the older events; nil for the current one.
        package var source: Int64?

        package init(acceptsDifferences: Bool = false, source: Int64? = nil) {
            self.acceptsDifferences = acceptsDifferences
            self.source = source
        }
    }

    /// Fills a new table from the log, and with what the log no longer has from the old table; then events go to the
    /// new one, the views read it, and the old one is removed. Servers may run. After an interruption the next rebuild
    /// begins again.
    ///
    /// Throws ``EventSinkError`` and changes nothing if another rebuild runs, the old table is missing, or no replica
    /// of a shard has the older events as the ledger knows them.
    ///
    /// - Parameter report: called after each range with the number of events so far.
    package func rebuild(_ options: RebuildOptions, _ report: (_ events: Int64) -> Void) throws -> Rebuild {
        let result = try JobLeases(context: context).hold(EventSinkState.rebuildJob) { hold in
            try rebuild(under: hold, options, report)
        }
        guard let result else {
            throw EventSinkError(
                "another rebuild runs, or one was interrupted less than \(JobLeases.heldSeconds) seconds ago")
        }
        return result
    }

    private func rebuild(
        under hold: JobLeases.Hold, _ options: RebuildOptions, _ report: (_ events: Int64) -> Void
    ) throws -> Rebuild {
        let old = try currentTables(seconds: Self.secondsOfCopying)
        try old.checkOwner(try identity)
        let numbers = try old.numbers()
        let source = tables(options.source ?? old.number, of: old)
        guard try source.exist() else { throw Self.missing(source, among: numbers) }
        let first = try firstBlock()
        let replicas = try soundReplicas(of: source, ledger: old.number, before: first, options)
        try dropUnfinished(numbers.filter { $0 > old.number && $0 != source.number }, of: old)
        // A number that no table ever had, so that no foreign table is replaced.
        let new = tables(1 + max(old.number, numbers.max() ?? 0), of: old)
        try context.store.write { try EventSinkLedger.remove(table: new.number, in: $0) }
        try new.create()
        var events: Int64 = 0
        if first != nil {
            let (cursor, table) = try cursorAndTable()
            guard table == old.number else { throw EventSinkError("another process rebuilds the table") }
            events += try fill(new, through: cursor, from: events, report)
        }
        let copied = try copy(from: source, on: replicas, to: new, before: first)
        // What arrived meanwhile; the last time without a gap.
        while try !publish(new, replacing: old, under: hold) {
            events += try fill(new, through: try cursorAndTable().cursor, from: events, report)
        }
        try new.createViews(try calendar)
        try old.drop()
        if source.number != old.number { try source.drop() }
        return Rebuild(table: new.number, eventsFromLog: events, eventsFromTable: copied)
    }

    /// Copying a week of many events takes long.
    private static let secondsOfCopying = 1800

    private func tables(_ number: Int64, of others: EventSinkTables) -> EventSinkTables {
        EventSinkTables(cluster: others.cluster, database: url.database, number: number)
    }

    private static func missing(_ tables: EventSinkTables, among numbers: Set<Int64>) -> EventSinkError {
        guard !numbers.isEmpty else {
            return EventSinkError("\(tables.local) is missing; `sink migrate` creates it, then rebuild")
        }
        let others = numbers.sorted().map(String.init).joined(separator: ", ")
        return EventSinkError(
            "\(tables.local) is not on every server, and nothing was changed. There are tables with the numbers "
                + "\(others): after restoring an older backup of the database, take the events from one of them with "
                + "`sink rebuild --from NUMBER`")
    }

    /// For each shard a replica that has what the log no longer has, as the ledger knows it.
    private func soundReplicas(
        of source: EventSinkTables, ledger: Int64, before block: Int64?, _ options: RebuildOptions
    ) throws -> [ClickHouseServer] {
        let found = try EventSinkVerifier(context: context, tables: source, ledger: ledger, firstWeek: firstWeek)
            .verify(before: block ?? Int64.max)
        return try source.cluster.shards.map { replicas in
            let differences = { (server: ClickHouseServer) in found.differencesByHost[server.host] ?? 0 }
            guard let best = replicas.min(by: { differences($0) < differences($1) }) else {
                throw EventSinkError("a shard has no servers")
            }
            guard differences(best) == 0 || options.acceptsDifferences else {
                throw EventSinkError(
                    "events that the log no longer has are not those of the ledger, and nothing was changed: "
                        + found.differences.prefix(3).joined(separator: "; ")
                        + ". `sink rebuild --accept-differences` takes what is there")
            }
            return best
        }
    }

    /// Removes what interrupted rebuilds of this database have left.
    private func dropUnfinished(_ numbers: Set<Int64>, of others: EventSinkTables) throws {
        for number in numbers {
            let unfinished = tables(number, of: others)
            let isOwn = try context.store.read { try EventSinkLedger.lastBlock(table: number, in: $0) > 0 }
            guard try isOwn || unfinished.areEmpty() else { continue }
            try unfinished.drop()
            try context.store.write { try EventSinkLedger.remove(table: number, in: $0) }
        }
    }

    private func cursorAndTable() throws -> (cursor: Int64, table: Int64) {
        try context.store.read { session in
            let state = try EventSinkState.load(in: session)
            return (state?.cursor ?? 0, state?.table ?? 1)
        }
    }

    private func firstBlock() throws -> Int64? {
        try context.store.read { session in
            try session.integer("SELECT min(id) FROM event_blocks")
        }
    }

    /// Sends the blocks up to one that the new table lacks. Returns the number of events.
    private func fill(
        _ new: EventSinkTables, through block: Int64, from count: Int64, _ report: (Int64) -> Void
    ) throws -> Int64 {
        var order = EventSink.Order(shardCount: new.cluster.shards.count)
        order.rebuiltTable = new.number
        order.lastBlock = block
        let stream = EventSinkStream(
            sink: sink, order: order, cluster: new.cluster, database: url.database, epoch: "rebuild")
        var events: Int64 = 0
        try stream.send(while: { true }) { range in
            events += range.eventCount
            report(count + events)
        }
        return events
    }

    /// Copies the events of blocks before one, which the log no longer has; on each shard, week by week. Blocks may
    /// have been joined into the first one of the log, so its events are left out. Returns the number of events.
    private func copy(
        from old: EventSinkTables, on replicas: [ClickHouseServer], to new: EventSinkTables, before block: Int64?
    ) throws -> Int64 {
        let limit = block ?? Int64.max
        var parts: [EventSinkPart] = []
        for (shard, server) in replicas.enumerated() {
            // What the log has may have been sent to another replica.
            if new.cluster.shards[shard].count > 1 { try server.execute("SYSTEM SYNC REPLICA \(new.local)") }
            let weeks = try server.query(
                "SELECT DISTINCT toUInt32(toMonday(day)) FROM \(old.local) WHERE block < \(limit)"
            ).compactMap { $0.first.flatMap { Int64($0) } }
            for week in weeks.sorted() {
                try server.execute(
                    """
                    INSERT INTO \(new.local) (\(EventSinkTables.columnList)) \
                    SELECT \(EventSinkTables.columnList) FROM \(old.local) FINAL \
                    WHERE block < \(limit) AND toMonday(day) = toDate(toUInt16(\(week))) \
                    AND id NOT IN (SELECT id FROM \(new.local) WHERE block = \(limit))
                    """)
            }
            let copied = try EventSinkVerifier(context: context, tables: new, firstWeek: 0)
                .sums(of: server, before: limit)
            parts += copied.map { week, sums in
                EventSinkPart(
                    table: new.number, range: 0, shard: shard, week: week, shardCount: new.cluster.shards.count,
                    blocks: 0...(limit - 1), sums: sums, sentAt: context.now())
            }
        }
        try context.store.write { transaction in
            try EventSinkLedger.insertSent(parts, at: context.now(), in: transaction)
        }
        return parts.reduce(0) { $0 + $1.sums.eventCount }
    }

    /// Makes the new table the current one, unless it lacks something that was sent to the old one.
    private func publish(
        _ new: EventSinkTables, replacing old: EventSinkTables, under hold: JobLeases.Hold
    ) throws -> Bool {
        try context.write { transaction, now in
            guard var state = try EventSinkState.load(in: transaction), state.table == old.number else {
                throw EventSinkError("another process rebuilds the table")
            }
            // Otherwise events may have been purged, or another rebuild has removed the new table as an unfinished one.
            guard try hold.stands(at: now, in: transaction) else {
                throw EventSinkError("the database was away for too long, so nothing was changed; rebuild again")
            }
            let behind = try transaction.integer(
                "SELECT 1 FROM event_blocks WHERE id > ? AND id <= ? LIMIT 1",
                [
                    .integer(try EventSinkLedger.lastBlock(table: new.number, in: transaction)),
                    .integer(state.cursor),
                ])
            guard behind == nil else { return false }
            try EventSinkLedger.remove(table: old.number, in: transaction)
            state.table = new.number
            try state.save(in: transaction)
            return true
        }
    }
}
