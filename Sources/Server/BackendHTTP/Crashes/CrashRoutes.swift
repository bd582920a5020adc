import HTTPServer
import HTTPTypes
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// Stores crash reports from all ingest protocols.
struct CrashIntake: Sendable {
    let store: CrashStore
    let counters: CrashCounters
    let limits: ClientLimits
    let quotas: CrashQuotas

    /// Charges the items to the client's allowance, then stores and counts them. Throws 429.
    func record(
        _ submission: CrashSubmission, receivedAt: UTCInstant, for request: Request
    ) throws -> CrashTally {
        try limits.take(.reportedItems, count: submission.itemCount, for: request)
        let tally = try store.record(submission, receivedAt: receivedAt, quota: quotas.quota(of: request))
        counters.add(tally)
        return tally
    }
}

/// `POST /api/v1/crashes`: crashes and session counts from clients without an SDK.
struct CrashRoutes: Sendable {
    let intake: CrashIntake
    let now: @Sendable () -> UTCInstant

    private static let maximumBodyBytes = 1 << 20
    private static let maximumInflatedBytes = 4 << 20

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .crashes, allowance: .report, maximumBodyBytes: Self.maximumBodyBytes, .blocking { try submit($0) })
        ]
    }

    private func submit(_ request: Request) throws -> Response {
        let bytes = try ContentCoding.decodedBody(of: request, maximumBytes: Self.maximumInflatedBytes)
        let receivedAt = now()
        var body = CrashBody(receivedAt: receivedAt)
        let submission = try body.read(bytes)
        let tally = try intake.record(submission, receivedAt: receivedAt, for: request)
        return CrashReceipt(
            accepted: Int64(submission.reports.count + submission.counts.count) - tally.duplicates,
            duplicates: tally.duplicates
        ).response(.accepted)
    }
}

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
