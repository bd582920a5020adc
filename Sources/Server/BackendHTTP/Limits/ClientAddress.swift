import HTTPServer
import HTTPWire

/// Whose request it is: the peer, or, behind proxies that the operator trusts, the last address that they vouch for.
struct ClientAddress: Sendable {
    private let trusted: [AddressRange]

    init(trustedProxies: [AddressRange]) { trusted = trustedProxies }

    /// The peer, too, when what the proxy says cannot be read.
    func of(_ request: Request) -> SocketAddress {
        guard !trusted.isEmpty, isTrusted(request.peer) else { return request.peer }
        let head = request.head
        switch (head.contains(.forwarded), head.contains(.forwardedFor)) {
        case (false, false): return request.peer
        case (true, false): return client(ForwardedHops.read(forwarded: head)) ?? request.peer
        case (false, true): return client(ForwardedHops.read(forwardedFor: head)) ?? request.peer
        case (true, true):
            // A proxy that writes one of them hands the other through as the client sent it. Which one is the proxy's
            // cannot be told, so a client is believed only where both say the same.
            let client = client(ForwardedHops.read(forwarded: head))
            return client == self.client(ForwardedHops.read(forwardedFor: head)) ? client ?? request.peer : request.peer
        }
    }

    /// The last hop that is no proxy of ours: everything left of it could be invented.
    private func client(_ hops: [SocketAddress?]?) -> SocketAddress? {
        guard let hops else { return nil }
        for hop in hops.reversed() {
            guard let hop else { return nil }
            if !isTrusted(hop) { return hop }
        }
        return hops.first ?? nil
    }

    func isTrusted(_ address: SocketAddress) -> Bool { trusted.contains { $0.contains(address) } }
}
