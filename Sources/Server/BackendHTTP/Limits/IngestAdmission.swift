import Backend
import EventLog
import HTTPServer

/// The checks of a batch of events before it is stored: allowances for its size on disk and for its new users.
struct IngestAdmission: Sendable {
    let limits: ClientLimits
    let users: KnownUsers
    let signatures: IngestSignatures

    /// Throws 429 when the batch exceeds an allowance of its client or of all clients; nothing of it may be stored
    /// then. A signed batch may use the reserved part of the totals and report more new users.
    ///
    /// It queries the store for users unknown to this process, so it must run on a worker.
    func admit(_ batch: EventBatch, of request: Request) throws {
        guard limits.limiter.isEnabled, !batch.events.isEmpty else { return }
        let isSigned = batch.signer != nil
        let strangers = try users.strangers(in: batch.events)
        let refusal = limits.limiter.take(
            [
                RateLimiter.Cost(allowance: .events, count: batch.storedUnits, isPreferred: isSigned),
                RateLimiter.Cost(
                    allowance: isSigned ? .signedUsers : .newUsers, count: strangers.count, isPreferred: isSigned),
            ], from: limits.address.of(request))
        if let refusal { throw refusal.failure }
        users.remember(strangers)
    }
}
