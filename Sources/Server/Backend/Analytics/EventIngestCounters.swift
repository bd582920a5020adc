package import SubGuardDomain

/// Counters of the ingest since the start of the process.
package struct EventIngestCounters: Sendable, Hashable {
    package var accepted: Int64 = 0
    package var duplicates: Int64 = 0
    package var rejectedByCode: [EventRejection: Int64] = [:]
    /// Batches answered, whether with a receipt or with a failure.
    package var batches: Int64 = 0
    /// Batches that the store failed to write.
    package var failedBatches: Int64 = 0
    /// Batches rejected because too many events were waiting.
    package var refusedBatches: Int64 = 0
    /// Failures to count events; each is retried after a pause.
    package var failedUpkeeps: Int64 = 0
    package var commits: Int64 = 0
    /// Time spent in the transactions that succeeded.
    package var commitNanoseconds: Int64 = 0
    /// Events taken and not yet answered for.
    package var waitingEvents = 0
}
