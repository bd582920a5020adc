import EventLog
package import Outbound
import SQLDatabase
package import ServerAccess
import SubGuardDomain
package import Telemetry

/// What an operator does with the event sink: the commands of `subguardd sink`.
package struct EventSinkOperator: Sendable {
    let context: BackendContext
    let sink: EventSink
    let url: EventSinkURL
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
        /// For each server its version and number of rows, or what is wrong with it.
        package let servers: [(host: String, shard: Int, words: String)]
        /// Whether every server responds and has its table and views.
        package let isSound: Bool
    }

    /// Creates the tables, and the views anew, on every server. Returns what was done, in words.
    package func migrate() throws -> [String] {
        try sink.sign()
        let tables = try currentTables()
        try tables.createDatabase()
        try tables.checkNames()
        try tables.claim(for: identity)
        try tables.create()
        try tables.createViews(try calendar)
        let hosts = tables.cluster.servers.map { "\($0.server.host) (shard \($0.shard + 1))" }
        let kind = tables.cluster.isReplicated ? "replicated" : "not replicated"
        return [
            "table \(tables.local), \(kind), on \(hosts.joined(separator: ", "))",
            "views \(EventSinkViews.all.map { "\(url.database).\($0.name)" }.joined(separator: ", "))",
        ]
    }

    /// By which the views cut days.
    var calendar: ReportCalendar {
        get throws { try context.store.read { try ReportCalendar.load(in: $0) } }
    }

    var identity: String {
        get throws { try StoreIdentity(context: context).text }
    }

    /// Compares every server with the ledger.
    package func verify() throws -> EventSinkVerification {
        try EventSinkVerifier(context: context, tables: try currentTables(), firstWeek: firstWeek).verify()
    }

    package func status() throws -> Status {
        let (state, calendar) = (try context.store.read { try EventSinkState.load(in: $0) }, try calendar)
        let number = state?.table ?? 1
        var servers: [(host: String, shard: Int, words: String)] = []
        var isSound = true
        do {
            let cluster = try EventSinkCluster(settings, url: url, stop: stop, seconds: Self.secondsOfStatus)
            let tables = EventSinkTables(cluster: cluster, database: url.database, number: number)
            try tables.checkOwner(try identity)
            for (shard, server) in cluster.servers {
                do {
                    servers.append((server.host, shard + 1, try Self.words(for: server, tables)))
                    let faults = try tables.faultsOfViews(on: server, calendar)
                    isSound = isSound && faults.isEmpty
                    servers += faults.map { (server.host, shard + 1, $0) }
                } catch let error as EventSinkError {
                    isSound = false
                    servers.append((server.host, shard + 1, error.description))
                }
            }
        } catch let error as EventSinkError {
            isSound = false
            servers = url.hosts.map { ($0, 1, error.description) }
        }
        // The server's name is in front of a line already.
        servers = servers.map { host, shard, words in
            (host, shard, words.hasPrefix("\(host): ") ? String(words.dropFirst(host.count + 2)) : words)
        }
        return Status(
            url: url.description, lag: try sink.lag(), cursor: state?.cursor ?? 0, table: number, servers: servers,
            isSound: isSound)
    }

    /// Removes the weeks that ended more than `sink_retention_days` ago. Returns their Mondays.
    package func dropOldWeeks() throws -> [String] {
        guard retentionDays > 0 else { return [] }
        let dropped = try currentTables().drop(weeksBefore: firstWeek)
        try context.store.write { _ = try EventSinkLedger.remove(weeksBefore: firstWeek, in: $0) }
        return dropped.sorted()
    }

    /// Weeks before this one may be dropped.
    var firstWeek: Int64 {
        guard retentionDays > 0 else { return 0 }
        let day = context.now().millisecondsSinceEpoch / 86_400_000 - Int64(retentionDays)
        return day - (day + 3) % 7
    }

    private static let secondsOfStatus = 10

    /// - Parameter seconds: how long a request may take.
    func currentTables(seconds: Int = 120) throws -> EventSinkTables {
        let number = try context.store.read { try EventSinkState.load(in: $0)?.table } ?? 1
        return EventSinkTables(
            cluster:
                try EventSinkCluster(settings, url: url, stop: stop, seconds: seconds), database: url.database,
            number: number)
    }

    private static func words(for server: ClickHouseServer, _ tables: EventSinkTables) throws -> String {
        let version = try server.query("SELECT version()").first?.first ?? "?"
        let found = try server.query("SELECT count() FROM \(tables.local)").first?.first ?? "?"
        return "version \(version), \(found) rows"
    }
}
