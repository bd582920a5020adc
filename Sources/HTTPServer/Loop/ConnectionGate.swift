import Synchronization

/// Counts open connections over all loops, in all and by address, and says who may still come in. Asked when a
/// connection comes or goes, never for a request.
final class ConnectionGate: Sendable {
    private let limits: ConnectionLimits
    private let count = Atomic<Int>(0)
    private let byClient = Mutex<[SocketAddress: Int]>([:])

    init(_ limits: ConnectionLimits) { self.limits = limits }

    var hasRoom: Bool { count.load(ordering: .relaxed) < limits.inAll }

    /// Counts a connection in; `false` when this client has as many as one may have.
    func enter(_ peer: SocketAddress) -> Bool {
        if limits.counts(peer) {
            let isAdmitted = byClient.withLock { open in
                let present = open[peer.client, default: 0]
                guard present < limits.perClient else { return false }
                open[peer.client] = present + 1
                return true
            }
            guard isAdmitted else { return false }
        }
        count.add(1, ordering: .relaxed)
        return true
    }

    func leave(_ peer: SocketAddress) {
        count.subtract(1, ordering: .relaxed)
        guard limits.counts(peer) else { return }
        byClient.withLock { open in
            let present = open[peer.client, default: 0]
            open[peer.client] = present > 1 ? present - 1 : nil
        }
    }
}

/// How many connections may be open.
package struct ConnectionLimits: Sendable {
    /// In all; beyond them the longest idle ones are closed, and nobody is accepted until there is room.
    package var inAll = 16_384
    /// Of one client: an IPv4 address, or an IPv6 network of 64 bits, which is what one subscriber gets. Beyond them a
    /// connection is closed as soon as it is accepted.
    package var perClient = 1024
    /// Who is not counted by client: proxies, behind which everybody has one address.
    package var isExempt: @Sendable (SocketAddress) -> Bool = { $0.isLoopback }

    package init() {}

    func counts(_ peer: SocketAddress) -> Bool { perClient < inAll && !isExempt(peer) }
}
