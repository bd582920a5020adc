package import Backend
import EventLog
package import Outbound
import SQLDatabase
import SubGuardDomain

/// What an operator does with the event sink: the commands of `subguardd sink`.
package struct EventSinkOperator: Sendable {
    private let context: BackendContext
    private let sink: EventSink
    private let url: EventSinkURL
    private let retentionDays: Int
    private let settings: Settings
    private let stop: OutboundStop

    /// Nil while no sink is configured.
    package init?(_ settings: Settings, context: BackendContext, stop: OutboundStop = OutboundStop()) {
        guard let url = settings[\.eventSinkURL] else { return nil }
        self.context = context
        self.url = url
        self.settings = settings
        self.stop = stop
        sink = EventSink(context: context)
        retentionDays = settings[\.sinkRetentionDays]
    }

    /// What the sink has and lacks.
    package struct Status: Sendable {
        package let url: String
        package let lag: EventSinkLag
        package let cursor: Int64
        package let table: Int64
        /// For each server its version and number of rows, or why it does not respond.
        package let servers: [(host: String, shard: Int, words: String)]
    }

    /// Creates the tables, and the views anew, on every server. Returns what was done, in words.
    package func migrate() throws -> [String] {
        try sink.sign()
        let tables = try currentTables()
        try tables.create()
        try tables.createViews()
        let hosts = tables.cluster.servers.map { "\($0.server.host) (shard \($0.shard + 1))" }
        let kind = tables.cluster.isReplicated ? "replicated" : "not replicated"
        return [
            "table \(tables.local), \(kind), on \(hosts.joined(separator: ", "))",
            "views \(EventSinkViews.all.map { "\(url.database).\($0.name)" }.joined(separator: ", "))",
        ]
    }

    /// Compares every server with the ledger.
    package func verify() throws -> EventSinkVerification {
        try EventSinkVerifier(context: context, tables: try currentTables(), firstWeek: firstWeek).verify()
    }

    package func status() throws -> Status {
        let state = try context.store.read { try EventSinkState.load(in: $0) }
        let number = state?.table ?? 1
        var servers: [(host: String, shard: Int, words: String)] = []
        do {
            let cluster = try EventSinkCluster(settings, url: url, stop: stop)
            let tables = EventSinkTables(cluster, database: url.database, number: number)
            for (shard, server) in cluster.servers {
                servers.append((server.host, shard + 1, Self.words(for: server, tables)))
            }
        } catch {
            servers = url.hosts.map { ($0, 1, "\(error)") }
        }
        return Status(
            url: url.description, lag: try sink.lag(), cursor: state?.cursor ?? 0, table: number, servers: servers)
    }

    /// Removes the weeks that ended more than `sink_retention_days` ago. Returns their Mondays.
    package func dropOldWeeks() throws -> [String] {
        guard retentionDays > 0 else { return [] }
        let dropped = try currentTables().drop(weeksBefore: firstWeek)
        try context.store.write { _ = try EventSinkLedger.remove(weeksBefore: firstWeek, in: $0) }
        return dropped.sorted()
    }

    /// Weeks before this one may be dropped.
    private var firstWeek: Int64 {
        guard retentionDays > 0 else { return 0 }
        let day = context.now().millisecondsSinceEpoch / 86_400_000 - Int64(retentionDays)
        return day - (day + 3) % 7
    }

    private func currentTables() throws -> EventSinkTables {
        let number = try context.store.read { try EventSinkState.load(in: $0)?.table } ?? 1
        return EventSinkTables(
            try EventSinkCluster(settings, url: url, stop: stop), database: url.database, number: number)
    }

    private static func words(for server: ClickHouseServer, _ tables: EventSinkTables) -> String {
        do {
            let version = try server.query("SELECT version()").first?.first ?? "?"
            let found = try server.query("SELECT count() FROM \(tables.local)").first?.first ?? "?"
            return "version \(version), \(found) rows"
        } catch {
            return error.description
        }
    }
}

extension EventSinkOperator {
    /// What a rebuild did.
    package struct Rebuild: Sendable {
        package let table: Int64
        package let eventsFromLog: Int64
        package let eventsFromTable: Int64
    }

    /// Fills a new table from the log, and with what the log no longer has from the old table; then events go to the new
    /// one, the views read it, and the old one is removed. Servers may run. After an interruption the next rebuild begins
    /// again.
    ///
    /// - Parameter report: called after each range with the number of events so far.
    package func rebuild(_ report: (_ events: Int64) -> Void) throws -> Rebuild {
        let old = try currentTables()
        let new = EventSinkTables(old.cluster, database: url.database, number: old.number + 1)
        try new.drop()
        try context.store.write { try EventSinkLedger.remove(table: new.number, in: $0) }
        try new.create()
        let first = try firstBlock()
        var (events, copied): (Int64, Int64) = (0, 0)
        if first != nil {
            let (cursor, table) = try cursorAndTable()
            guard table == old.number else { throw EventSinkError("another process rebuilds the table") }
            events += try fill(new, through: cursor, from: events, report)
        }
        copied = try copy(from: old, to: new, before: first)
        // What arrived meanwhile; the last time without a gap.
        while try !publish(new, replacing: old) {
            events += try fill(new, through: try cursorAndTable().cursor, from: events, report)
        }
        try new.createViews()
        try old.drop()
        return Rebuild(table: new.number, eventsFromLog: events, eventsFromTable: copied)
    }

    private func cursorAndTable() throws -> (cursor: Int64, table: Int64) {
        try context.store.read { session in
            let state = try EventSinkState.load(in: session)
            return (state?.cursor ?? 0, state?.table ?? 1)
        }
    }

    private func firstBlock() throws -> Int64? {
        try context.store.read { session in
            try session.first("SELECT min(id) FROM event_blocks", []) { try $0.optionalInteger(0) } ?? nil
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

    /// Copies the events of blocks before one, which the log no longer has; on each shard, week by week. Blocks may have
    /// been joined into the first one of the log, so its events are left out. Returns the number of events.
    private func copy(from old: EventSinkTables, to new: EventSinkTables, before block: Int64?) throws -> Int64 {
        let limit = block ?? Int64.max
        var parts: [EventSinkPart] = []
        for (shard, replicas) in new.cluster.shards.enumerated() {
            guard let server = replicas.first else { continue }
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
    private func publish(_ new: EventSinkTables, replacing old: EventSinkTables) throws -> Bool {
        try context.store.write { transaction in
            guard var state = try EventSinkState.load(in: transaction), state.table == old.number else {
                throw EventSinkError("another process rebuilds the table")
            }
            let behind = try transaction.first(
                "SELECT 1 FROM event_blocks WHERE id > ? AND id <= ? LIMIT 1",
                [
                    .integer(try EventSinkLedger.lastBlock(table: new.number, in: transaction)),
                    .integer(state.cursor),
                ]
            ) { try $0.integer(0) }
            guard behind == nil else { return false }
            try EventSinkLedger.remove(table: old.number, in: transaction)
            state.table = new.number
            try state.save(in: transaction)
            return true
        }
    }
}
