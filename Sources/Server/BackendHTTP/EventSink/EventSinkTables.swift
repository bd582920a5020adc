import Foundation
import Telemetry

/// The tables of the event sink in ClickHouse.
///
/// `event_rows_N` has the rows; N changes with a rebuild. On a cluster `event_rows_N_all` reads them from every shard.
/// Views with names of their own are what people query; see ``EventSinkViews``.
struct EventSinkTables: Sendable {
    let cluster: EventSinkCluster
    let database: String
    let number: Int64

    /// The table of a server.
    var local: String { "\(database).event_rows_\(number)" }
    /// The table with the rows of every shard.
    var all: String { cluster.name == nil ? local : "\(local)_all" }

    static let columnList = EventSinkRows.columns.joined(separator: ", ")

    /// Creates the database on every server that lacks it.
    func createDatabase() throws(EventSinkError) {
        for (_, server) in cluster.servers {
            // Even without a right to create databases it may be there.
            let databases = try server.query("SELECT name FROM system.databases WHERE name = '\(database)'")
            if databases.isEmpty { try server.execute("CREATE DATABASE IF NOT EXISTS \(database)") }
        }
    }

    /// Creates what is missing, on every server.
    func create() throws(EventSinkError) {
        for (shard, server) in cluster.servers {
            try server.execute(
                """
                CREATE TABLE IF NOT EXISTS \(local) (\(Self.definitions)) ENGINE = \(engine(shard, server)) \
                PARTITION BY toMonday(day) ORDER BY (event, day, id)
                """)
            guard let name = cluster.name else { continue }
            try server.execute(
                """
                CREATE TABLE IF NOT EXISTS \(all) (\(Self.definitions)) \
                ENGINE = Distributed('\(name)', '\(database)', 'event_rows_\(number)', user)
                """)
        }
    }

    /// Throws if a foreign table has the name of a view.
    func checkNames() throws(EventSinkError) {
        for (_, server) in cluster.servers {
            if let other = try views(on: server).first(where: { $0.engine != "View" }) {
                throw EventSinkError(
                    "\(server.host): \(database).\(other.name) is a table of another program (\(other.engine)); name a "
                        + "database of its own in event_sink_url")
            }
        }
    }

    /// What is wrong with the views of a server, in words.
    func faultsOfViews(on server: ClickHouseServer, _ calendar: ReportCalendar) throws(EventSinkError) -> [String] {
        let found = try views(on: server)
        return EventSinkViews.all.compactMap { wanted in
            let name = "\(server.host): the view \(database).\(wanted.name)"
            guard let view = found.first(where: { $0.name == wanted.name }) else {
                return "\(name) is missing: run `subguardd sink migrate`"
            }
            let numbers = view.statement.components(separatedBy: "event_rows_").dropFirst()
                .map { Int64($0.prefix(while: \.isNumber)) }
            let isCurrent = view.engine == "View" && numbers.allSatisfy { $0 == number }
            guard isCurrent else { return "\(name) does not read event_rows_\(number): run `subguardd sink migrate`" }
            return wanted.isCurrent(view.statement, calendar)
                ? nil : "\(name) cuts days in another time zone: run `subguardd sink migrate`"
        }
    }

    private func views(
        on server: ClickHouseServer
    ) throws(EventSinkError) -> [(name: String, engine: String, statement: String)] {
        let names = EventSinkViews.all.map { "'\($0.name)'" }.joined(separator: ", ")
        return try server.query(
            """
            SELECT name, engine, create_table_query FROM system.tables WHERE database = '\(database)' \
            AND name IN (\(names))
            """
        ).compactMap { $0.count == 3 ? ($0[0], $0[1], $0[2]) : nil }
    }

    /// Marks the database in ClickHouse as that of one database of SubGuard, on every server. Throws if it is
    /// another's.
    func claim(for store: String) throws(EventSinkError) {
        for (_, server) in cluster.servers {
            try server.execute("CREATE TABLE IF NOT EXISTS \(owner) (store String) ENGINE = TinyLog")
        }
        try checkOwner(store)
        for (_, server) in cluster.servers where try server.query("SELECT store FROM \(owner)").isEmpty {
            try server.execute("INSERT INTO \(owner) VALUES ('\(store)')")
        }
    }

    /// Throws if the database in ClickHouse belongs to another database of SubGuard. Servers that do not respond are
    /// left out, and so is a database without a mark.
    func checkOwner(_ store: String) throws(EventSinkError) {
        for (_, server) in cluster.servers {
            guard let owners = try? server.query("SELECT DISTINCT store FROM \(owner)").joined() else { continue }
            guard owners.allSatisfy({ $0 == store }) else {
                throw EventSinkError(
                    "\(server.host): \(database) has the events of another database of SubGuard; name a database of "
                        + "its own in event_sink_url, or drop \(owner) if that one is gone")
            }
        }
    }

    private var owner: String { "\(database).event_sink_owner" }

    /// Points the views at these tables, on every server.
    func createViews(_ calendar: ReportCalendar) throws(EventSinkError) {
        for (_, server) in cluster.servers {
            // In the reverse order, because some views read others.
            for view in EventSinkViews.all.reversed() {
                try server.execute("DROP TABLE IF EXISTS \(database).\(view.name)")
            }
            for view in EventSinkViews.all {
                try server.execute(
                    "CREATE VIEW \(database).\(view.name) AS \(view.query(all, database, calendar))")
            }
        }
    }

    /// The numbers of all tables of this kind, on any server.
    func numbers() throws(EventSinkError) -> Set<Int64> {
        var numbers: Set<Int64> = []
        for (_, server) in cluster.servers {
            let names = try server.query(
                "SELECT name FROM system.tables WHERE database = '\(database)' AND name LIKE 'event\\\\_rows\\\\_%'")
            numbers.formUnion(names.compactMap { $0.first.flatMap { Int64($0.dropFirst("event_rows_".count)) } })
        }
        return numbers
    }

    /// Whether there is no row, on every server.
    func areEmpty() throws(EventSinkError) -> Bool {
        for (_, server) in cluster.servers {
            let parts = try server.query(
                """
                SELECT count() FROM system.parts WHERE database = '\(database)' AND table = 'event_rows_\(number)' \
                AND active AND rows > 0
                """)
            if parts.first?.first != "0" { return false }
        }
        return true
    }

    /// Removes these tables, on every server.
    func drop() throws(EventSinkError) {
        for (_, server) in cluster.servers {
            if cluster.name != nil { try server.execute("DROP TABLE IF EXISTS \(all)") }
            try server.execute("DROP TABLE IF EXISTS \(local)")
        }
    }

    /// Whether the tables exist on every server. Throws if one does not respond.
    func exist() throws(EventSinkError) -> Bool {
        for (_, server) in cluster.servers {
            let found = try server.query(
                "SELECT name FROM system.tables WHERE database = '\(database)' AND name = 'event_rows_\(number)'")
            if found.isEmpty { return false }
        }
        return true
    }

    /// Removes the weeks that begin before one, given in days since 1970-01-01. Returns the Mondays of removed weeks.
    func drop(weeksBefore week: Int64) throws(EventSinkError) -> Set<String> {
        var dropped: Set<String> = []
        for replicas in cluster.shards {
            for server in replicas {
                let partitions = try server.query(
                    """
                    SELECT DISTINCT partition FROM system.parts WHERE database = '\(database)' \
                    AND table = 'event_rows_\(number)' AND active \
                    AND toDate(replaceAll(partition, '\\'', '')) < toDate(toUInt16(\(max(0, week))))
                    """
                ).compactMap(\.first).map { $0.filter { $0 != "'" && $0 != "\\" } }
                for partition in partitions {
                    try drop(partition, on: [server] + replicas)
                    dropped.insert(partition)
                }
            }
        }
        return dropped
    }

    /// Removes a week on one of the replicas, which removes it on all. On old versions only one of them can, the
    /// leader.
    private func drop(_ partition: String, on replicas: [ClickHouseServer]) throws(EventSinkError) {
        var failure: EventSinkError?
        for server in replicas {
            do {
                return try server.execute("ALTER TABLE \(local) DROP PARTITION '\(partition)'")
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func engine(_ shard: Int, _ server: ClickHouseServer) -> String {
        guard cluster.isReplicated else { return "ReplacingMergeTree()" }
        return """
            ReplicatedReplacingMergeTree('/clickhouse/tables/\(database)/event_rows_\(number)/\(shard + 1)', \
            '\(server.host)')
            """
    }

    private static let definitions = """
        event String, moment Int64, received Int64, user UInt64, item UUID, platform String, app_version String, \
        id UUID, block UInt64, place UInt32, properties String, \
        day Date DEFAULT toDate(toUInt16(intDiv(moment, 86400000)))
        """
}
