import Synchronization

/// Counts open connections of all loops, in total and per client, decides which are accepted, and assigns each its
/// client's account. Called when a connection opens or closes, never per request.
final class ConnectionGate: Sendable {
    private let limits: ConnectionLimits
    private let most: Int
    private let count = Atomic<Int>(0)
    private let open = Mutex(Open())

    private struct Open {
        var byNetwork: [Network: Int] = [:]
        var accounts: [SocketAddress: Account] = [:]
    }

    /// The shared state of one client's connections.
    private struct Account {
        var connections = 0
        let account = ClientAccount(isLimited: true)
    }

    /// A network of a certain width; the same bits may also begin a wider one.
    private struct Network: Hashable {
        let address: SocketAddress
        let level: Int

        /// Nil if the address has no network of that level.
        init?(_ peer: SocketAddress, _ level: Int) {
            guard let address = peer.network(level) else { return nil }
            self.address = address
            self.level = level
        }
    }

    /// An encrypted connection takes some 16 kB, so only half as many are accepted.
    init(_ limits: ConnectionLimits, isEncrypted: Bool = false) {
        self.limits = limits
        most = isEncrypted ? max(1, limits.inAll / 2) : limits.inAll
    }

    var hasRoom: Bool { count.load(ordering: .relaxed) < most }

    /// Adds a connection; `nil` when the client has reached its limit. An IPv6 network of 56 bits may have twice and
    /// one of 48 bits four times as many as one of 64 bits.
    func enter(_ peer: SocketAddress) -> ClientAccount? {
        guard !limits.isExempt(peer) else {
            count.add(1, ordering: .relaxed)
            return .unlimited
        }
        let account: ClientAccount? = open.withLock { open in
            let networks = (0..<SocketAddress.networkCount).compactMap { Network(peer, $0) }
            for network in networks {
                guard open.byNetwork[network, default: 0] < limits.perClient << network.level else { return nil }
            }
            for network in networks { open.byNetwork[network, default: 0] += 1 }
            open.accounts[peer.client, default: Account()].connections += 1
            return open.accounts[peer.client]?.account
        }
        if account != nil { count.add(1, ordering: .relaxed) }
        return account
    }

    /// The number of connections of a client that has more than a few, so that others may need their room; nil for
    /// other clients and exempt ones. A wider IPv6 network counts for as much less as its limit is higher.
    func crowd(of peer: SocketAddress) -> Int? {
        guard !limits.isExempt(peer) else { return nil }
        let count = open.withLock { open in
            (0..<SocketAddress.networkCount).compactMap { Network(peer, $0) }
                .map { open.byNetwork[$0, default: 0] >> $0.level }.max() ?? 0
        }
        return count > few ? count : nil
    }

    /// 64 by default: several browsers, or 256 clients to fill the server with.
    private var few: Int { max(8, min(limits.perClient / 16, most / 256)) }

    func leave(_ peer: SocketAddress) {
        count.subtract(1, ordering: .relaxed)
        guard !limits.isExempt(peer) else { return }
        open.withLock { open in
            for network in (0..<SocketAddress.networkCount).compactMap({ Network(peer, $0) }) {
                let present = open.byNetwork[network, default: 0]
                open.byNetwork[network] = present > 1 ? present - 1 : nil
            }
            guard var client = open.accounts[peer.client] else { return }
            client.connections -= 1
            open.accounts[peer.client] = client.connections > 0 ? client : nil
        }
    }
}

/// Limits on open connections.
package struct ConnectionLimits: Sendable {
    /// In total, half as many with TLS; beyond it the longest idle ones are closed, then slow ones of the clients with
    /// the most, and none is accepted until there is room.
    package var inAll = 16_384
    /// Per client: an IPv4 address, or an IPv6 network of 64 bits, which one subscriber gets. A network of 56 bits may
    /// have twice and one of 48 bits four times as many. Further connections are closed when they are accepted.
    package var perClient = 1024
    /// Peers without limits per client, for connections and memory: proxies, which many clients share.
    package var isExempt: @Sendable (SocketAddress) -> Bool = { $0.isLoopback }

    package init() {}
}
