package import HTTPServer
import HTTPWire
import Synchronization

/// Determines the client of a request: the peer or, behind trusted proxies, the last untrusted address they report.
package struct ClientAddress: Sendable {
    /// The field in which trusted proxies name the client, by its name.
    enum Header: String, CaseIterable {
        /// `X-Forwarded-For` or `Forwarded`, whichever the proxy writes.
        case automatic = "auto"
        case forwardedFor = "X-Forwarded-For"
        case forwarded = "Forwarded"
        case realIP = "X-Real-IP"
        case connectingIP = "CF-Connecting-IP"
    }

    private let trusted: [AddressRange]
    private let header: Header
    private let writers = ForwardedWriters()

    init(trustedProxies: [AddressRange], header: Header = .automatic) {
        trusted = trustedProxies
        self.header = header
    }

    /// Returns the peer if it is no trusted proxy, or if the proxy's field is malformed.
    package func of(_ request: Request) -> SocketAddress {
        guard !trusted.isEmpty, isTrusted(request.peer) else { return request.peer }
        let head = request.head
        return switch header {
        case .automatic: detected(head, of: request.peer)
        case .forwardedFor: client(ForwardedHops.read(forwardedFor: head)) ?? request.peer
        case .forwarded: client(ForwardedHops.read(forwarded: head)) ?? request.peer
        case .realIP: ForwardedHops.single(head.values(of: .realIP)) ?? request.peer
        case .connectingIP: ForwardedHops.single(head.values(of: .connectingIP)) ?? request.peer
        }
    }

    /// A proxy that writes one of `X-Forwarded-For` and `Forwarded` passes on the other one as the client sent it.
    /// `X-Forwarded-For` counts, unless the proxy has sent a request without it: then it writes `Forwarded`.
    private func detected(_ head: RequestHead, of peer: SocketAddress) -> SocketAddress {
        switch (head.contains(.forwarded), head.contains(.forwardedFor)) {
        case (false, false): return peer
        case (false, true):
            writers.note(peer, writesForwarded: false)
            return client(ForwardedHops.read(forwardedFor: head)) ?? peer
        case (true, false):
            writers.note(peer, writesForwarded: true)
            return client(ForwardedHops.read(forwarded: head)) ?? peer
        case (true, true):
            let hops =
                writers.writeForwarded(peer)
                ? ForwardedHops.read(forwarded: head) : ForwardedHops.read(forwardedFor: head)
            return client(hops) ?? peer
        }
    }

    /// The last hop that is not a trusted proxy; earlier hops may be forged.
    private func client(_ hops: [SocketAddress?]) -> SocketAddress? {
        for hop in hops.reversed() {
            guard let hop else { return nil }
            if !isTrusted(hop) { return hop }
        }
        return hops.first ?? nil
    }

    /// Whether a proxy, trusted or not, passes the request on: it adds a field that the client cannot take away.
    static func isProxied(_ head: RequestHead) -> Bool {
        let names: [KnownField] = [.forwardedFor, .forwarded, .forwardedProto, .realIP, .connectingIP]
        return names.contains { head.contains($0) }
    }

    package func isTrusted(_ address: SocketAddress) -> Bool { trusted.contains { $0.contains(address) } }
}

/// Which trusted proxies write `Forwarded` and not `X-Forwarded-For`. A client behind a proxy of the other kind cannot
/// make it one of them, because that proxy adds its field to every request. Nor can another program on the proxy's
/// machine, whose requests come from the same address: once a request had `X-Forwarded-For` alone, the address stays of
/// that kind.
private final class ForwardedWriters: Sendable {
    private let proxies = Mutex<[SocketAddress: Bool]>([:])
    /// Far more than there are proxies.
    private static let most = 1024

    func note(_ proxy: SocketAddress, writesForwarded: Bool) {
        proxies.withLock { proxies in
            guard proxies[proxy] != nil || proxies.count < Self.most else { return }
            proxies[proxy] = writesForwarded && proxies[proxy] ?? true
        }
    }

    func writeForwarded(_ proxy: SocketAddress) -> Bool { proxies.withLock { $0[proxy] ?? false } }
}
