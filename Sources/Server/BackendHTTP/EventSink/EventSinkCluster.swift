import Outbound

/// The servers of the event sink: shards, and the replicas of each.
struct EventSinkCluster: Sendable {
    /// The replicas of each shard, in the order of the cluster's configuration. Never empty.
    let shards: [[ClickHouseServer]]
    /// The name of the cluster; nil for a single server.
    let name: String?

    /// Every server with the number of its shard, from 0.
    var servers: [(shard: Int, server: ClickHouseServer)] {
        shards.enumerated().flatMap { shard, replicas in replicas.map { (shard, $0) } }
    }

    /// Whether tables replicate their rows.
    var isReplicated: Bool { shards.contains { $0.count > 1 } }

    /// Asks the first configured host that responds. Throws the error of the last one if none does.
    ///
    /// - Parameter seconds: how long a request to one of its servers may take.
    init(
        _ settings: Settings, url: EventSinkURL, stop: OutboundStop, seconds: Int = 120
    ) throws(EventSinkError) {
        var limits = OutboundLimits(settings)
        limits.totalMilliseconds = seconds * 1000
        limits.maximumAnswerBytes = 32 << 20
        name = url.cluster
        var failure = EventSinkError("no host is configured")
        for host in url.hosts {
            var server = ClickHouseServer(
                url: url, host: host, password: settings[\.eventSinkPassword], limits: limits, stop: stop)
            do throws(EventSinkError) {
                // Every version knows the last one: without it, this is another server.
                let names = ["async_insert", "insert_deduplication_token", "max_threads"]
                let list = names.map { "'\($0)'" }.joined(separator: ", ")
                let known = try server.query("SELECT name FROM system.settings WHERE name IN (\(list))")
                    .compactMap(\.first)
                guard known.contains("max_threads") else { throw server.notClickHouse }
                server.insertSettings = Set(known)
                shards = try Self.shards(of: url, asking: server)
                return
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// The answer of the first server of a shard that gives one; each has the rows of all.
    func onAnyReplica<Answer>(
        of shard: Int, _ ask: (ClickHouseServer) throws(EventSinkError) -> Answer
    ) throws(EventSinkError) -> Answer {
        var failure = EventSinkError("shard \(shard + 1) has no servers")
        for server in shards[shard] {
            do throws(EventSinkError) { return try ask(server) } catch { failure = error }
        }
        throw failure
    }

    /// Without a cluster, the server that responded is the only one.
    private static func shards(
        of url: EventSinkURL, asking server: ClickHouseServer
    ) throws(EventSinkError) -> [[ClickHouseServer]] {
        guard let cluster = url.cluster else { return [[server]] }
        let rows = try server.query(
            """
            SELECT shard_num, host_name FROM system.clusters WHERE cluster = '\(cluster)' \
            ORDER BY shard_num, replica_num
            """)
        var shards: [(number: String, replicas: [ClickHouseServer])] = []
        for row in rows where row.count == 2 {
            guard url.address(of: row[1], query: "") != nil else {
                throw EventSinkError("\(server.host): the cluster '\(cluster)' has a server whose name is not a host")
            }
            guard server.password.isEmpty || url.names(row[1]) else {
                throw EventSinkError(
                    """
                    \(server.host): the cluster '\(cluster)' has the server \(row[1]), which event_sink_url does not \
                    name; add it, because the password is sent only to hosts named there
                    """)
            }
            var replica = ClickHouseServer(
                url: url, host: row[1], password: server.password, limits: server.limits, stop: server.stop)
            replica.insertSettings = server.insertSettings
            if shards.last?.number == row[0] {
                shards[shards.count - 1].replicas.append(replica)
            } else {
                shards.append((row[0], [replica]))
            }
        }
        guard !shards.isEmpty else {
            throw EventSinkError("\(server.host): its configuration has no cluster '\(cluster)'")
        }
        return shards.map(\.replicas)
    }
}

/// Where the event sink is: `clickhouse://user@host1,host2:8443/database?cluster=name`.
package struct EventSinkURL: Sendable, Hashable, CustomStringConvertible {
    /// The text as given.
    package let description: String
    package let user: String
    /// Where to begin: the first that responds lists the others.
    package let hosts: [String]
    /// The port for HTTP, the same on every server.
    package let port: Int
    /// Letters, digits and `_`.
    package let database: String
    /// The cluster in ClickHouse's configuration; nil for a single server.
    package let cluster: String?
    /// Whether connections are encrypted.
    package let usesTLS: Bool

    /// Nil for a text of another form, with a password, and with several hosts but no cluster.
    package init?(_ text: String) {
        let start = "clickhouse://"
        guard text.hasPrefix(start), text.utf8.count <= 1024 else { return nil }
        let parts = text.dropFirst(start.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let authority = parts[0].split(separator: "@", omittingEmptySubsequences: false)
        let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var options: [Substring: Substring] = [:]
        for option in target.dropFirst().flatMap({ $0.split(separator: "&", omittingEmptySubsequences: false) }) {
            let pair = option.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2, options.updateValue(pair[1], forKey: pair[0]) == nil else { return nil }
        }
        let encryption = options.removeValue(forKey: "tls").map(String.init) ?? "on"
        cluster = options.removeValue(forKey: "cluster").map(String.init)
        guard options.isEmpty, ["on", "off"].contains(encryption), authority.count <= 2 else { return nil }
        usesTLS = encryption == "on"
        user = authority.count == 2 ? String(authority[0]) : "default"
        database = String(target[0])
        guard Self.isName(user, also: "_.-"), Self.isName(database, also: "_"),
            cluster.map({ Self.isName($0, also: "_.-") }) ?? true
        else { return nil }
        var (hosts, ports): ([String], Set<Int>) = ([], [])
        for host in (authority.last ?? "").split(separator: ",", omittingEmptySubsequences: false) {
            let isPlain = !host.contains("/") && !host.contains("?") && !host.contains("#")
            guard isPlain, let url = OutboundURL("http://\(host)", schemes: ["http"]) else { return nil }
            hosts.append(url.host)
            ports.insert(host.hasSuffix(":\(url.port)") ? url.port : usesTLS ? 8443 : 8123)
        }
        // Servers without a cluster know nothing of each other, and each would get some of the events.
        guard let port = ports.first, ports.count == 1, hosts.count == 1 || cluster != nil else { return nil }
        self.hosts = hosts
        self.port = port
        description = text
    }

    /// The address of a server. Nil for what is not just a host: names of a cluster come over the network.
    func address(of host: String, query: String) -> OutboundURL? {
        let name = host.contains(":") ? "[\(host)]" : host
        let scheme = usesTLS ? "https" : "http"
        let url = OutboundURL("\(scheme)://\(name):\(port)/?\(query)", schemes: ["http", "https"])
        return url?.host.lowercased() == host.lowercased() && url?.port == port ? url : nil
    }

    /// Whether the operator has configured a host.
    func names(_ host: String) -> Bool { hosts.contains { $0.lowercased() == host.lowercased() } }

    private static func isName(_ text: String, also others: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || others.contains($0)) }
    }
}
