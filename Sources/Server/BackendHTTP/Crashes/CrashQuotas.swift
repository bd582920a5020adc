import HTTPServer
import SubGuardDomain
import Telemetry

/// Creates the quota of a client from the allowances of the rate limiter.
struct CrashQuotas: Sendable {
    let limiter: RateLimiter
    let address: ClientAddress
    let now: @Sendable () -> UTCInstant

    func quota(of request: Request) -> any CrashQuota {
        let client = address.of(request)
        // Hasher is seeded per process, so a mark cannot be traced to a network or chosen by a client.
        var hasher = Hasher()
        hasher.combine(Self.network(of: client))
        hasher.combine(now().millisecondsSinceEpoch / 86_400_000)
        return ClientCrashQuota(limiter: limiter, client: client, mark: hasher.finalize() & 63)
    }

    /// A network likely to have a single holder: /24 for IPv4, /48 for IPv6.
    static func network(of client: SocketAddress) -> String {
        let text = client.description
        let separator: Character = text.contains(".") ? "." : ":"
        return text.split(separator: separator, omittingEmptySubsequences: false).prefix(3).joined(separator: ".")
    }
}

private struct ClientCrashQuota: CrashQuota {
    let limiter: RateLimiter
    let client: SocketAddress
    let mark: Int

    func take(_ addition: CrashAddition, _ count: Int64) -> Bool {
        limiter.take(addition.allowance, from: client, count: Int(clamping: count))?.isAllowed ?? true
    }

    func giveBack(_ addition: CrashAddition, _ count: Int64) {
        limiter.giveBack(addition.allowance, to: client, count: Int(clamping: count))
    }
}

extension CrashAddition {
    fileprivate var allowance: Allowance {
        switch self {
        case .group: .newCrashGroups
        case .release: .newReleases
        case .session: .sessions
        }
    }
}
