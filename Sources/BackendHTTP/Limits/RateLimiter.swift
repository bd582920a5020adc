import HTTPServer
import HTTPTypes
import SubGuardAPI
import SubGuardDomain
import Synchronization

/// Token buckets, one per client and kind of call. A client is an IPv4 address or an IPv6 network of 64 bits, whose owner
/// could take another address with each request. Kept by this process alone: several servers each count for themselves.
final class RateLimiter: Sendable {
    struct State: Sendable, Equatable {
        let isAllowed: Bool
        /// Whole requests left.
        let remaining: Int
        /// Seconds until one more is there (when refused), or until the bucket is full again.
        let resetSeconds: Int
    }

    private struct Bucket {
        var tokens: Double
        var updatedAt: Int64
    }

    private struct Key: Hashable {
        let client: SocketAddress
        let allowance: Allowance

        var quota: Double { Double(allowance.quota) }
    }

    private let buckets = Mutex<[Key: Bucket]>([:])
    private let now: @Sendable () -> UTCInstant
    let isEnabled: Bool

    /// Clients that are remembered at once; beyond them full buckets are forgotten, then the fuller half.
    private static let maximumBuckets = 100_000

    init(isEnabled: Bool, now: @escaping @Sendable () -> UTCInstant) {
        self.isEnabled = isEnabled
        self.now = now
    }

    /// Takes one request, or so many of what is counted, out of the client's bucket, unless there is less in it.
    func take(_ allowance: Allowance, from client: SocketAddress, count: Int = 1) -> State? {
        visit(allowance, client, taking: Double(count))
    }

    /// Looks without taking.
    func peek(_ allowance: Allowance, of client: SocketAddress) -> State? { visit(allowance, client, taking: 0) }

    /// Returns what was taken for something that did not happen.
    func giveBack(_ allowance: Allowance, to client: SocketAddress, count: Int) {
        guard isEnabled, allowance != .free else { return }
        buckets.withLock { buckets in
            let key = Key(client: client.client, allowance: allowance)
            guard let tokens = buckets[key]?.tokens else { return }
            buckets[key]?.tokens = min(key.quota, tokens + Double(count))
        }
    }

    private func visit(_ allowance: Allowance, _ client: SocketAddress, taking count: Double) -> State? {
        guard isEnabled, allowance != .free else { return nil }
        let time = now().millisecondsSinceEpoch
        let quota = Double(allowance.quota)
        let perMillisecond = quota / Double(allowance.windowSeconds * 1000)
        return buckets.withLock { buckets in
            let key = Key(client: client.client, allowance: allowance)
            if buckets.count >= Self.maximumBuckets, buckets[key] == nil { Self.forget(&buckets, at: time) }
            var bucket = buckets[key] ?? Bucket(tokens: quota, updatedAt: time)
            // A clock that steps back gives nothing and takes nothing.
            bucket.tokens = min(quota, bucket.tokens + Double(max(0, time - bucket.updatedAt)) * perMillisecond)
            bucket.updatedAt = time
            let isAllowed = bucket.tokens >= max(1, count)
            if isAllowed { bucket.tokens -= count }
            buckets[key] = bucket
            let missing = isAllowed ? quota - bucket.tokens : max(1, count) - bucket.tokens
            return State(
                isAllowed: isAllowed, remaining: Int(bucket.tokens),
                resetSeconds: max(1, Int((missing / perMillisecond / 1000).rounded(.up))))
        }
    }

    /// Makes room for others. Who has used up an allowance is remembered longest: else a crowd of addresses could be used
    /// to be forgotten.
    private static func forget(_ buckets: inout [Key: Bucket], at time: Int64) {
        buckets = buckets.filter { time - $0.value.updatedAt < Int64($0.key.allowance.windowSeconds) * 1000 }
        guard buckets.count > maximumBuckets / 2 else { return }
        let byUse = buckets.sorted { $0.value.tokens / $0.key.quota < $1.value.tokens / $1.key.quota }
        buckets = Dictionary(byUse.prefix(maximumBuckets / 2).map { ($0.key, $0.value) }) { first, _ in first }
    }
}

extension RateLimiter.State {
    /// `RateLimit-Policy` and `RateLimit` as structured fields.
    func fields(of allowance: Allowance) -> [(HTTPField.Name, String)] {
        let name = allowance.rawValue
        return [
            (.rateLimitPolicy, "\"\(name)\";q=\(allowance.quota);w=\(allowance.windowSeconds)"),
            (.rateLimit, "\"\(name)\";r=\(remaining);t=\(resetSeconds)"),
        ]
    }

    func failure(of allowance: Allowance) -> HTTPFailure {
        var failure = HTTPFailure(
            .rateLimited,
            "More than \(allowance.quota) requests of this kind within \(allowance.windowSeconds) seconds.")
        failure.fields[.retryAfter] = String(resetSeconds)
        for (name, value) in fields(of: allowance) { failure.fields[name] = value }
        return failure
    }
}

extension HTTPField.Name {
    // The names are tokens, so they can be made.
    static let rateLimitPolicy = HTTPField.Name("RateLimit-Policy") ?? .retryAfter
    static let rateLimit = HTTPField.Name("RateLimit") ?? .retryAfter
}
