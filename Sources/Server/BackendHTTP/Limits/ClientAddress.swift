import HTTPServer
import HTTPWire

/// Determines the client of a request: the peer or, behind trusted proxies, the last untrusted address they report.
struct ClientAddress: Sendable {
    private let trusted: [AddressRange]

    init(trustedProxies: [AddressRange]) { trusted = trustedProxies }

    /// Returns the peer if the proxy's field is malformed.
    func of(_ request: Request) -> SocketAddress {
        guard !trusted.isEmpty, isTrusted(request.peer) else { return request.peer }
        let head = request.head
        switch (head.contains(.forwarded), head.contains(.forwardedFor)) {
        case (false, false): return request.peer
        case (true, false): return client(ForwardedHops.read(forwarded: head)) ?? request.peer
        case (false, true): return client(ForwardedHops.read(forwardedFor: head)) ?? request.peer
        case (true, true):
            // A proxy that writes one of the two fields forwards the other as sent by the client. It is unknown which
            // one the proxy wrote, so both must agree.
            let client = client(ForwardedHops.read(forwarded: head))
            return client == self.client(ForwardedHops.read(forwardedFor: head)) ? client ?? request.peer : request.peer
        }
    }

    /// The last hop that is not a trusted proxy; earlier hops may be forged.
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
