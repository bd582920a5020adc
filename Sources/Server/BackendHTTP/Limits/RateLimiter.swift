package import HTTPServer
import SubGuardDomain
import Synchronization

/// Token buckets: one per client and kind of call, and one for all clients together where an ``Allowance`` has a total.
/// They are local to the process: several servers count separately.
///
/// A client is an IPv4 address or an IPv6 network. For IPv6, the networks of 64, 56 and 48 bits around an address are
/// counted in parallel, the wider ones with two and four times the quota, because the owner of a wide network could
/// otherwise use another narrow one for each request. If any bucket rejects a cost, none is charged.
///
/// A fifth of each total is reserved for light clients and preferred requests, so that a few busy clients cannot
/// exhaust it.
package final class RateLimiter: Sendable {
    package struct State: Sendable, Equatable {
        package let isAllowed: Bool
        /// Whole units that the client has left.
        let remaining: Int
        /// Seconds until the units are available (if rejected), or until the bucket is full again.
        package let resetSeconds: Int
        /// The allowance and the quota in force.
        let allowance: Allowance
        let quota: Int
        /// Whether the total of all clients was exhausted.
        var isOfAll = false
    }

    /// An amount of an allowance.
    struct Cost: Sendable {
        let allowance: Allowance
        var count = 1
        /// Whether it may use the reserved part of the total.
        var isPreferred = false
    }

    private struct Bucket {
        var tokens: Double
        var updatedAt: Int64

        /// A clock that is set back neither adds nor removes units.
        mutating func fill(quota: Double, perMillisecond: Double, at time: Int64) {
            tokens = min(quota, tokens + Double(max(0, time - updatedAt)) * perMillisecond)
            updatedAt = time
        }
    }

    private struct Key: Hashable {
        let network: SocketAddress
        /// From ``SocketAddress/network(_:)``; networks with different prefix lengths may start with the same bits.
        let level: UInt8
        let allowance: Allowance
    }

    private struct Buckets {
        var byClient: [Key: Bucket] = [:]
        var inAll: [Allowance: Bucket] = [:]
    }

    private let buckets = Mutex(Buckets())
    private let now: @Sendable () -> UTCInstant
    private let quotas: RateQuotas
    let isEnabled: Bool

    /// Maximum number of buckets. Beyond it, full buckets are removed, then the fuller half.
    private static let maximumBuckets = 100_000
    /// The reserved part of a total.
    private static let reservedShare = 0.2
    /// A client counts as light while it has used at most this part of a total.
    private static let smallShare = 0.002

    init(isEnabled: Bool, quotas: RateQuotas = RateQuotas(), now: @escaping @Sendable () -> UTCInstant) {
        self.isEnabled = isEnabled
        self.quotas = quotas
        self.now = now
    }

    /// Takes one request or an amount from the client's buckets unless one of them has less. Nil if the call is not
    /// limited.
    package func take(_ allowance: Allowance, from client: SocketAddress, count: Int = 1) -> State? {
        guard isEnabled, allowance != .free else { return nil }
        let cost = Cost(allowance: allowance, count: count)
        let time = now().millisecondsSinceEpoch
        return buckets.withLock { buckets in
            let state = look(cost, client, &buckets, at: time)
            if state.isAllowed { charge(cost, client, &buckets, at: time) }
            return state
        }
    }

    /// Takes all costs or, if one is rejected, none. Returns the first rejection.
    func take(_ costs: [Cost], from client: SocketAddress) -> State? {
        guard isEnabled else { return nil }
        let time = now().millisecondsSinceEpoch
        return buckets.withLock { buckets in
            for cost in costs where cost.count > 0 {
                let state = look(cost, client, &buckets, at: time)
                if !state.isAllowed { return state }
            }
            for cost in costs where cost.count > 0 { charge(cost, client, &buckets, at: time) }
            return nil
        }
    }

    /// Checks without charging.
    func peek(_ allowance: Allowance, of client: SocketAddress) -> State? {
        guard isEnabled, allowance != .free else { return nil }
        let time = now().millisecondsSinceEpoch
        return buckets.withLock { buckets in
            look(Cost(allowance: allowance, count: 0), client, &buckets, at: time)
        }
    }

    /// Returns units charged for an operation that did not happen.
    func giveBack(_ allowance: Allowance, to client: SocketAddress, count: Int) {
        guard isEnabled, allowance != .free, count > 0 else { return }
        let time = now().millisecondsSinceEpoch
        buckets.withLock { charge(Cost(allowance: allowance, count: -count), client, &$0, at: time) }
    }

    /// Charges units that were already used, even if fewer are left; the client must then wait until the bucket has
    /// recovered.
    func owe(_ allowance: Allowance, by client: SocketAddress, count: Int) {
        guard isEnabled, count > 0 else { return }
        let cost = Cost(allowance: allowance, count: count)
        let time = now().millisecondsSinceEpoch
        buckets.withLock { buckets in
            _ = look(cost, client, &buckets, at: time)
            charge(cost, client, &buckets, at: time)
        }
    }

    /// Whether the cost can be taken, and the resulting state. Refills all buckets concerned.
    private func look(
        _ cost: Cost, _ client: SocketAddress, _ buckets: inout Buckets, at time: Int64
    ) -> State {
        let allowance = cost.allowance
        let quota = quotas.quota(of: allowance)
        let total = quotas.quotaInAll(of: allowance)
        let needed = max(1, Double(cost.count))
        let window = Double(allowance.windowSeconds * 1000)
        var remaining = Double(quota)
        var wait = 0.0
        var untilFull = 0.0
        var isSmall = true
        for level in 0..<SocketAddress.networkCount {
            guard let network = client.network(level) else { break }
            let key = Key(network: network, level: UInt8(level), allowance: allowance)
            let size = Double(quota << level)
            if buckets.byClient.count >= Self.maximumBuckets, buckets.byClient[key] == nil {
                forget(&buckets.byClient, at: time)
            }
            var bucket = buckets.byClient[key] ?? Bucket(tokens: size, updatedAt: time)
            bucket.fill(quota: size, perMillisecond: size / window, at: time)
            buckets.byClient[key] = bucket
            let used = size - bucket.tokens + Double(cost.count)
            if bucket.tokens < needed { wait = max(wait, (needed - bucket.tokens) / size * window) }
            untilFull = max(untilFull, used / size * window)
            remaining = min(remaining, wait > 0 && cost.count > 0 ? bucket.tokens : size - used)
            if let total, used > max(1, Double(total) * Self.smallShare) * Double(1 << level) { isSmall = false }
        }
        var isOfAll = false
        if let total {
            let size = Double(total)
            var bucket = buckets.inAll[allowance.total] ?? Bucket(tokens: size, updatedAt: time)
            bucket.fill(quota: size, perMillisecond: size / window, at: time)
            buckets.inAll[allowance.total] = bucket
            let line = isSmall || cost.isPreferred ? 0 : size * Self.reservedShare
            if wait == 0, bucket.tokens < needed + line {
                isOfAll = true
                wait = (needed + line - bucket.tokens) / size * window
            }
        }
        // A check with no cost is never rejected.
        let isAllowed = wait == 0 || cost.count == 0
        return State(
            isAllowed: isAllowed, remaining: max(0, Int(remaining)),
            resetSeconds: max(1, Int(((isAllowed ? untilFull : wait) / 1000).rounded(.up))), allowance: allowance,
            quota: quota, isOfAll: isOfAll && !isAllowed)
    }

    /// Call it after a check of the same cost, under the same lock.
    private func charge(_ cost: Cost, _ client: SocketAddress, _ buckets: inout Buckets, at time: Int64) {
        let count = Double(cost.count)
        let quota = quotas.quota(of: cost.allowance)
        for level in 0..<SocketAddress.networkCount {
            guard let network = client.network(level) else { break }
            let key = Key(network: network, level: UInt8(level), allowance: cost.allowance)
            buckets.byClient[key, default: Bucket(tokens: Double(quota << level), updatedAt: time)].tokens -= count
        }
        if let total = quotas.quotaInAll(of: cost.allowance) {
            buckets.inAll[cost.allowance.total, default: Bucket(tokens: Double(total), updatedAt: time)].tokens -= count
        }
    }

    /// Removes buckets to make room. Buckets of clients that used up an allowance are kept longest; otherwise a flood
    /// of addresses could evict them.
    private func forget(_ buckets: inout [Key: Bucket], at time: Int64) {
        buckets = buckets.filter { time - $0.value.updatedAt < Int64($0.key.allowance.windowSeconds) * 1000 }
        guard buckets.count > Self.maximumBuckets / 2 else { return }
        func share(_ entry: (key: Key, value: Bucket)) -> Double {
            entry.value.tokens / Double(quotas.quota(of: entry.key.allowance) << Int(entry.key.level))
        }
        let byUse = buckets.sorted { share(($0.key, $0.value)) < share(($1.key, $1.value)) }
        buckets = Dictionary(byUse.prefix(Self.maximumBuckets / 2).map { ($0.key, $0.value) }) { first, _ in first }
    }
}
