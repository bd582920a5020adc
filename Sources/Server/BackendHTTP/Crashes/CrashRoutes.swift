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
