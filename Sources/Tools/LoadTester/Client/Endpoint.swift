import CEpoll
import DeviceSimulation
import Foundation
import HTTPServer
import HTTPServerTLS

/// The server under load.
struct LoadTarget: Sendable, Equatable {
    /// Without the brackets of an IPv6 address.
    let host: String
    let port: Int
    let isSecure: Bool

    /// Parses `http://HOST:PORT` or `https://HOST:PORT`. The default port is 80 or 443.
    init(_ text: String) throws(LoadOptionError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.host, !host.isEmpty
        else { throw LoadOptionError("--url", "'\(text)' is not an address such as http://127.0.0.1:8080") }
        guard ["http", "https"].contains(scheme) else {
            throw LoadOptionError("--url", "'\(scheme)' is neither http nor https")
        }
        isSecure = scheme == "https"
        guard ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil, parts.user == nil,
            parts.password == nil
        else { throw LoadOptionError("--url", "must contain only a host and a port") }
        port = parts.port ?? (isSecure ? 443 : 80)
        guard (1...65_535).contains(port) else { throw LoadOptionError("--url", "\(port) is not a port") }
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// The value of the `Host` field.
    var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    var url: String { (isSecure ? "https://" : "http://") + authority }

    /// Head and body of a request as sent to this server.
    func bytes(of request: ClientRequest) -> [UInt8] {
        var head = "\(request.method) \(request.path) HTTP/1.1\r\nHost: \(authority)\r\n"
        head += "User-Agent: \(request.agent)\r\n\(request.fields)"
        if let body = request.body { head += "Content-Type: \(request.type)\r\nContent-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (request.body ?? [])
    }
}

/// A server to load: its resolved address, and TLS for https.
struct Endpoint: Sendable {
    /// Loopback (RFC 1122, RFC 4291), private (RFC 1918) and unique local (RFC 4193) addresses. Link-local addresses
    /// are not included, because cloud machines reach services of their host there.
    private static let ownNetworks = [
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1", "fc00::/7",
    ].compactMap { AddressRange($0) }

    let target: LoadTarget
    let address: sockaddr_storage
    let tls: TLSClient?

    /// Resolves the host once; every connection uses its first address.
    ///
    /// Uninvited load is an attack. Unless the server `isOwned`, every address of the name must therefore be one of
    /// this machine or of a private network.
    init(_ target: LoadTarget, isOwned: Bool, tls: TLSClient? = nil) throws(LoadOptionError) {
        self.target = target
        self.tls = target.isSecure ? tls : nil
        let found = SocketConnection.addresses(of: target.host, port: target.port)
        guard let first = found.first else {
            throw LoadOptionError("--url", "the host '\(target.host)' cannot be resolved")
        }
        let isPrivate = found.allSatisfy { at in Self.ownNetworks.contains { $0.contains(SocketAddress(at)) } }
        guard isOwned || isPrivate else {
            throw LoadOptionError(
                "--url",
                "'\(target.host)' is neither this machine nor in a private network; "
                    + "if the server is yours to load, say --i-own-this-server")
        }
        address = first
    }

    /// Connects once, so that a wrong port or certificate is reported at once instead of as a table of errors.
    func probe() throws(RunError) { _ = try outcome(of: nil, timeout: .seconds(5)) }

    /// Sends one request on a connection of its own, and blocks until the response is there.
    func exchange(within timeout: Duration) -> @Sendable (ClientRequest) throws(RunError) -> Answer {
        { request throws(RunError) in
            guard let answer = try outcome(of: request, timeout: timeout) else {
                throw RunError("--url: \(LoadFault.closed.rawValue)")
            }
            return answer
        }
    }

    /// The response to the request; nil without a request, when the connection is made.
    private func outcome(of request: ClientRequest?, timeout: Duration) throws(RunError) -> Answer? {
        let pool = try ConnectionPool([self], timeout: timeout.nanoseconds)
        var (answer, fault): (Answer?, LoadFault?)
        pool.handle = { _, event in
            switch event {
            case .sent: break
            case .answer(let received, _): answer = received
            case .failed(let reason, _): fault = reason
            }
        }
        if let request { pool.send(0, request, dueAt: LoadClock.now()) } else { pool.open(0) }
        while answer == nil, fault == nil, request != nil || !pool[0].isConnected {
            pool.wait(until: LoadClock.now() + 100_000_000)
            pool.expire(LoadClock.now())
        }
        guard let fault, answer == nil else { return answer }
        guard fault != .connect else { throw RunError("--url: nothing answers at \(target.authority)") }
        guard let reason = pool.distrust else { throw RunError("--url: \(fault.rawValue)") }
        throw RunError(
            "--url: the certificate of \(target.authority) is not trusted (\(reason)); --ca-file names its "
                + "authority, --insecure accepts any")
    }
}
