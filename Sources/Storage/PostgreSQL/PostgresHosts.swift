import CPostgres
import SQLDatabase
import Synchronization

/// The hosts of a URL, in the order in which they are tried.
///
/// libpq tries them in the order of the URL for each connection, and each time waits for one that is cut off. Where the
/// URL leads to the primary, the host of the last connection comes first here, and one that was silent comes last.
final class PostgresHosts: Sendable {
    struct Host: Sendable, Hashable {
        var name: String
        var address: String
        var port: String
    }

    private struct State {
        var hosts: [Host]
        /// Hosts that let a connection time out, and until when they are tried last.
        var silent: [Host: ContinuousClock.Instant] = [:]
    }

    private let parameters: PostgresParameters
    /// Whether connections must lead to the primary, so that a connection to another host proves that it moved.
    private let leadsToPrimary: Bool
    private let state: Mutex<State>
    /// Serialises checks for a new primary.
    private let check = Mutex(())

    /// A refused connection takes milliseconds, and libpq's shortest timeout is two seconds.
    private static let silence = Duration.seconds(1)
    private static let silenceLasts = Duration.seconds(10)
    private static let defaultPort = "5432"

    init(_ parameters: PostgresParameters, url: String) {
        let values = PostgresURL.values(of: url) ?? [:]
        let hosts = Self.hosts(of: values)
        self.parameters = parameters
        state = Mutex(State(hosts: hosts))
        leadsToPrimary = hosts.count > 1 && ["read-write", "primary"].contains(values["target_session_attrs"])
    }

    /// Opens a connection to the first host that accepts one.
    func connect() throws -> PostgresConnection {
        guard leadsToPrimary else { return try PostgresConnection(parameters, hosts: nil) }
        let now = ContinuousClock.now
        let (answering, silent) = state.withLock { state in
            state.silent = state.silent.filter { $0.value > now }
            return (
                state.hosts.filter { state.silent[$0] == nil }, state.hosts.filter { state.silent[$0] != nil }
            )
        }
        return try connect(toPrimaryAmong: answering + silent, watchedBy: self)
    }

    /// Whether another host has become the primary while `connection` waits for a response. A host that is cut off
    /// closes no connection, so that otherwise only the timeout of the statement would end the wait. False if that is
    /// unknown, and while another thread checks.
    func havePrimary(besides connection: PostgresConnection) -> Bool {
        let others = state.withLock { state in
            state.hosts.filter { state.silent[$0] == nil && !connection.leads(to: $0) }
        }
        return check.withLockIfAvailable { _ in (try? connect(toPrimaryAmong: others, watchedBy: nil)) != nil } ?? false
    }

    private func connect(
        toPrimaryAmong hosts: [Host], watchedBy watch: PostgresHosts?
    ) throws -> PostgresConnection {
        for host in hosts {
            let start = ContinuousClock.now
            do {
                let connection = try PostgresConnection(parameters.trying(host), hosts: watch)
                guard try connection.takesWrites() else { continue }
                // Later connections try it first.
                state.withLock { state in
                    state.silent[host] = nil
                    guard let place = state.hosts.firstIndex(of: host), place > 0 else { return }
                    state.hosts.insert(state.hosts.remove(at: place), at: 0)
                }
                return connection
            } catch let error as SQLError where error.code == .disconnected {
                guard start.duration(to: .now) > Self.silence else { continue }
                state.withLock { $0.silent[host] = .now + Self.silenceLasts }
            }
        }
        throw SQLError.disconnected("connect")
    }

    /// libpq's lists are separated by commas. A single port holds for all hosts; a URL without any has empty ones.
    static func hosts(of values: [String: String]) -> [Host] {
        func list(_ name: String) -> [String] {
            (values[name] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        return (0..<max(names.count, addresses.count)).map { index in
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return Host(
                name: index < names.count ? names[index] : "",
                address: index < addresses.count ? addresses[index] : "",
                port: port.isEmpty ? defaultPort : port)
        }
    }
}

extension PostgresParameters {
    /// The same parameters for this host, whether or not it is the primary: libpq tells neither that it is not nor a
    /// wrong password by a code.
    fileprivate func trying(_ host: PostgresHosts.Host) -> PostgresParameters {
        var changed = self
        if !host.name.isEmpty { changed.set("host", host.name) }
        if !host.address.isEmpty { changed.set("hostaddr", host.address) }
        changed.set("port", host.port)
        changed.set("target_session_attrs", "any")
        return changed
    }
}

extension PostgresConnection {
    /// Whether the server is a primary, and this session may write.
    fileprivate func takesWrites() throws -> Bool {
        try withResult(answer(to: PQsendQuery(handle, "SHOW transaction_read_only")), "connect") { result in
            PQntuples(result) == 1 && String(cString: PQgetvalue(result, 0, 0)) == "off"
        }
    }

    /// Whether the connection is to this host.
    fileprivate func leads(to host: PostgresHosts.Host) -> Bool {
        func text(_ value: UnsafeMutablePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        return text(PQport(handle)) == host.port
            && (host.name.isEmpty || text(PQhost(handle)) == host.name)
            && (host.address.isEmpty || text(PQhostaddr(handle)) == host.address)
    }
}
