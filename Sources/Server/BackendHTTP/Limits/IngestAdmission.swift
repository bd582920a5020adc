import Backend
import EventLog
import HTTPServer

/// What a batch of events must pass before it is stored: allowances for what it takes on disk and for the users that it
/// makes up.
struct IngestAdmission: Sendable {
    let limits: ClientLimits
    let users: KnownUsers
    let signatures: IngestSignatures

    /// Throws 429 when the batch takes more than its client, or all clients together, may still send; nothing of it may be
    /// stored then. A signed batch may use what is reserved of the totals, and bring more new users.
    ///
    /// Asks the store for users that this process has not seen, so it belongs on a worker.
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
