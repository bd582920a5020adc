import HTTPServer
import HTTPWire

/// Whose request it is: the peer, or, behind proxies that the operator trusts, the last address that they vouch for.
struct ClientAddress: Sendable {
    private let trusted: Set<SocketAddress>

    init(trustedProxies: [String]) { trusted = Set(trustedProxies.compactMap { SocketAddress(numeric: $0) }) }

    func isTrusted(_ peer: SocketAddress) -> Bool { trusted.contains(peer) }

    func of(_ request: Request) -> SocketAddress {
        guard !trusted.isEmpty, trusted.contains(request.peer) else { return request.peer }
        let hops = request.head.values(of: .forwardedFor).flatMap { $0.split(separator: ",") }
            .map { SocketAddress(numeric: String($0.filter { $0 != " " && $0 != "\t" })) }
        // Read from the end: everything left of the first address that is not trusted could be invented.
        let client = hops.last { hop in hop.map { !trusted.contains($0) } ?? true }
        return (client ?? nil) ?? request.peer
    }
}
