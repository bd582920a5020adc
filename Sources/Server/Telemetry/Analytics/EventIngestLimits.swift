package import SubGuardDomain

/// The limits of the ingest.
package struct EventIngestLimits: Sendable, Hashable {
    /// Accepted but uncommitted events; at the limit a batch is rejected. Default 100,000, at about 300 bytes each.
    package var maximumWaitingEvents = 100_000

    /// A transaction takes further batches until it has this many events. Default 10,000: large enough to share the
    /// cost of a disk write, small enough that no batch waits long for others.
    package var maximumEventsPerCommit = 10_000

    package init() {}
}

/// Counters of the ingest since the start of the process.
package struct EventIngestCounters: Sendable, Hashable {
    package var accepted: Int64 = 0
    package var duplicates: Int64 = 0
    package var rejectedByCode: [EventRejection: Int64] = [:]
    /// Batches answered, whether with a receipt or with a failure.
    package var batches: Int64 = 0
    /// Batches that could not be written.
    package var failedBatches: Int64 = 0
    /// Batches rejected because too many events were waiting.
    package var refusedBatches: Int64 = 0
    /// Failures while counting events; each is retried after a pause.
    package var failedUpkeeps: Int64 = 0
    package var commits: Int64 = 0
    /// Time spent in successful transactions.
    package var commitNanoseconds: Int64 = 0
    /// Events accepted and not yet answered.
    package var waitingEvents = 0
}
