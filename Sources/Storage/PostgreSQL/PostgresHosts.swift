import CPostgres
import Synchronization

/// The hosts of a URL, in the order in which they are tried.
///
/// libpq tries them in the order of the URL for each connection, and waits for one that is cut off. Here the host of
/// the last connection comes first.
final class PostgresHosts: Sendable {
    struct Host: Sendable, Hashable {
        var name: String
        var address: String
        var port: String
    }

    let parameters: PostgresParameters
    /// Whether connections must lead to the primary, so that a connection to another host proves that it moved.
    private let leadsToPrimary: Bool
    private let hosts: Mutex<[Host]>
    /// Serialises checks for a new primary.
    private let check = Mutex(())

    init(_ parameters: PostgresParameters, url: String) {
        let values = PostgresURL.values(of: url) ?? [:]
        self.parameters = parameters
        hosts = Mutex(Self.hosts(of: values))
        leadsToPrimary = ["read-write", "primary"].contains(values["target_session_attrs"])
    }

    /// Opens a connection to the first host that accepts one.
    func connect() throws -> PostgresConnection {
        let tried = hosts.withLock { $0 }
        guard tried.count > 1 else { return try PostgresConnection(parameters, hosts: leadsToPrimary ? self : nil) }
        let connection = try PostgresConnection(parameters.trying(tried), hosts: leadsToPrimary ? self : nil)
        prefer(connection)
        return connection
    }

    /// Tries the host of this connection first from now on.
    private func prefer(_ connection: PostgresConnection) {
        hosts.withLock { hosts in
            guard let place = hosts.firstIndex(where: connection.leads(to:)), place > 0 else { return }
            hosts.insert(hosts.remove(at: place), at: 0)
        }
    }

    /// Whether another host has become the primary while `connection` waits for a response. A host that is cut off
    /// closes no connection, so that otherwise only the timeout of the statement would end the wait. False if that is
    /// unknown, and while another thread checks.
    func havePrimary(besides connection: PostgresConnection) -> Bool {
        let others = hosts.withLock { $0.filter { !connection.leads(to: $0) } }
        guard !others.isEmpty else { return false }
        return check.withLockIfAvailable { _ in
            guard let found = try? PostgresConnection(parameters.trying(others), hosts: nil) else { return false }
            prefer(found)
            return true
        } ?? false
    }

    /// libpq's lists are separated by commas. A single port holds for all hosts.
    static func hosts(of values: [String: String]) -> [Host] {
        func list(_ name: String) -> [String] {
            (values[name] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        return (0..<max(names.count, addresses.count)).map { index in
            Host(
                name: index < names.count ? names[index] : "",
                address: index < addresses.count ? addresses[index] : "",
                port: ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : "")
        }
    }
}

extension PostgresParameters {
    /// The same parameters for these hosts only.
    func trying(_ hosts: [PostgresHosts.Host]) -> PostgresParameters {
        func list(_ part: (PostgresHosts.Host) -> String) -> String { hosts.map(part).joined(separator: ",") }
        var changed = self
        if hosts.contains(where: { !$0.name.isEmpty }) { changed.set("host", list(\.name)) }
        if hosts.contains(where: { !$0.address.isEmpty }) { changed.set("hostaddr", list(\.address)) }
        changed.set("port", list(\.port))
        return changed
    }
}

extension PostgresConnection {
    /// Whether the connection is to this host.
    func leads(to host: PostgresHosts.Host) -> Bool {
        func text(_ value: UnsafeMutablePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        let port = host.port.isEmpty ? "5432" : host.port
        return text(PQport(handle)) == port
            && (host.name.isEmpty || text(PQhost(handle)) == host.name)
            && (host.address.isEmpty || text(PQhostaddr(handle)) == host.address)
    }
}
