import Synchronization

/// Counts open connections over all loops, in all and by client, decides which may still come in, and gives each its
/// client's account. Asked when a connection comes or goes, never for a request.
final class ConnectionGate: Sendable {
    private let limits: ConnectionLimits
    private let count = Atomic<Int>(0)
    private let byClient = Mutex<[SocketAddress: Client]>([:])

    private struct Client {
        var connections = 0
        let account = ClientAccount(isLimited: true)
    }

    init(_ limits: ConnectionLimits) { self.limits = limits }

    var hasRoom: Bool { count.load(ordering: .relaxed) < limits.inAll }

    /// Counts a connection in; `nil` when this client has as many as one may have.
    func enter(_ peer: SocketAddress) -> ClientAccount? {
        guard !limits.isExempt(peer) else {
            count.add(1, ordering: .relaxed)
            return .unlimited
        }
        let account: ClientAccount? = byClient.withLock { open in
            var client = open[peer.client] ?? Client()
            guard client.connections < limits.perClient else { return nil }
            client.connections += 1
            open[peer.client] = client
            return client.account
        }
        if account != nil { count.add(1, ordering: .relaxed) }
        return account
    }

    func leave(_ peer: SocketAddress) {
        count.subtract(1, ordering: .relaxed)
        guard !limits.isExempt(peer) else { return }
        byClient.withLock { open in
            guard var client = open[peer.client] else { return }
            client.connections -= 1
            open[peer.client] = client.connections > 0 ? client : nil
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
    /// Which peers have no limits by client, neither for connections nor for memory: proxies, behind which all clients
    /// have one address.
    package var isExempt: @Sendable (SocketAddress) -> Bool = { $0.isLoopback }

    package init() {}
}
