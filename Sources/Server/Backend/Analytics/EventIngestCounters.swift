package import SubGuardDomain

/// What the ingest has done since the start of the process.
package struct EventIngestCounters: Sendable, Hashable {
    package var accepted: Int64 = 0
    package var duplicates: Int64 = 0
    package var rejectedByCode: [EventRejection: Int64] = [:]
    /// Batches answered, whether with a receipt or with a failure.
    package var batches: Int64 = 0
    /// Batches that the store failed to take.
    package var failedBatches: Int64 = 0
    /// Batches refused because too many events were waiting.
    package var refusedBatches: Int64 = 0
    /// Times that bringing events into the figures failed; tried again after a pause.
    package var failedUpkeeps: Int64 = 0
    package var commits: Int64 = 0
    /// Time spent in the transactions that succeeded.
    package var commitNanoseconds: Int64 = 0
    /// Events taken and not yet answered for.
    package var waitingEvents = 0
}
