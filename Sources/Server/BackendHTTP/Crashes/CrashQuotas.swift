import Backend
import HTTPServer
import SubGuardDomain

/// Makes the quota of whoever sends a request, from the allowances of the rate limiter.
struct CrashQuotas: Sendable {
    let limiter: RateLimiter
    let address: ClientAddress
    let now: @Sendable () -> UTCInstant

    func quota(of request: Request) -> any CrashQuota {
        let client = address.of(request)
        // Hasher has a key of this process, so nothing leads from a mark back to a network, and none can be chosen.
        var hasher = Hasher()
        hasher.combine(Self.network(of: client))
        hasher.combine(now().millisecondsSinceEpoch / 86_400_000)
        return ClientCrashQuota(limiter: limiter, client: client, mark: hasher.finalize() & 63)
    }

    /// The addresses that one holder is likely to have: an IPv4 network of 24 bits, an IPv6 network of 48 bits.
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
