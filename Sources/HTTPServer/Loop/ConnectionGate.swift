import Synchronization

/// Counts open connections over all loops, in all and by address, and says who may still come in. Asked when a
/// connection comes or goes, never for a request.
final class ConnectionGate: Sendable {
    private let limits: ConnectionLimits
    private let count = Atomic<Int>(0)
    private let byNetwork = Mutex<[Network: Int]>([:])

    /// A network of one width; the same bits may also begin a wider one.
    private struct Network: Hashable {
        let address: SocketAddress
        let level: Int

        /// Nil where the address has no network of that level.
        init?(_ peer: SocketAddress, _ level: Int) {
            guard let address = peer.network(level) else { return nil }
            self.address = address
            self.level = level
        }
    }

    init(_ limits: ConnectionLimits) { self.limits = limits }

    var hasRoom: Bool { count.load(ordering: .relaxed) < limits.inAll }

    /// Counts a connection in; `false` when this client has as many as one may have. An IPv6 network of 56 bits may have
    /// twice and one of 48 bits four times as many as one of 64 bits.
    func enter(_ peer: SocketAddress) -> Bool {
        if limits.counts(peer) {
            let isAdmitted = byNetwork.withLock { open in
                for level in 0..<SocketAddress.networkCount {
                    guard let network = Network(peer, level) else { break }
                    guard open[network, default: 0] < limits.perClient << level else { return false }
                }
                for level in 0..<SocketAddress.networkCount {
                    guard let network = Network(peer, level) else { break }
                    open[network, default: 0] += 1
                }
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
        byNetwork.withLock { open in
            for level in 0..<SocketAddress.networkCount {
                guard let network = Network(peer, level) else { break }
                let present = open[network, default: 0]
                open[network] = present > 1 ? present - 1 : nil
            }
        }
    }
}

/// How many connections may be open.
package struct ConnectionLimits: Sendable {
    /// In all; beyond them the longest idle ones are closed, and nobody is accepted until there is room.
    package var inAll = 16_384
    /// Of one client: an IPv4 address, or an IPv6 network of 64 bits, which is what one subscriber gets. A network of 56
    /// bits may have twice and one of 48 bits four times as many. Beyond them a connection is closed as soon as it is
    /// accepted.
    package var perClient = 1024
    /// Who is not counted by client: proxies, behind which everybody has one address.
    package var isExempt: @Sendable (SocketAddress) -> Bool = { $0.isLoopback }

    package init() {}

    func counts(_ peer: SocketAddress) -> Bool { perClient < inAll && !isExempt(peer) }
}
