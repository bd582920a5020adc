import EventLog
import HTTPServer
import Telemetry

/// Checks a batch of events before it is stored: the allowances for disk space and new users.
struct IngestAdmission: Sendable {
    let limits: ClientLimits
    let users: KnownUsers
    let signatures: IngestSignatures

    /// Throws 429 if the batch exceeds an allowance of its client or of all clients; the batch must then not be stored.
    /// A signed batch may use the reserved part of the totals and report more new users.
    ///
    /// It queries the database for users unknown to this process, so it must run on a worker.
    func admit(_ batch: EventBatch, of request: Request) throws {
        guard limits.limiter.isEnabled, !batch.events.isEmpty else { return }
        let isSigned = batch.signer != nil
        let strangers = try users.strangers(in: batch.events)
        let refusal = limits.limiter.take(
            [
                RateLimiter.Cost(allowance: .events, count: batch.storedUnits, isPreferred: isSigned),
                RateLimiter.Cost(allowance: .eventsAhead, count: batch.eventsAhead, isPreferred: isSigned),
                RateLimiter.Cost(
                    allowance: isSigned ? .signedUsers : .newUsers, count: strangers.count, isPreferred: isSigned),
            ], from: limits.address.of(request))
        if let refusal { throw refusal.failure }
        users.remember(strangers)
    }
}
