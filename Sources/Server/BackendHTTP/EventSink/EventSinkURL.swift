import Outbound

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
