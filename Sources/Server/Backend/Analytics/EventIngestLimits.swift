/// The limits of the ingest.
package struct EventIngestLimits: Sendable, Hashable {
    /// Accepted but uncommitted events; beyond them a batch is rejected. Default 50,000, at about 300 bytes each.
    package var maximumWaitingEvents = 50_000

    /// Batches are added to a transaction until it has this many events. Default 10,000: large enough to share the cost
    /// of a disk write, small enough that no batch waits long for others.
    package var maximumEventsPerCommit = 10_000

    /// How long a batch waits for others to share its commit when none is running. Default 0: it commits at once, and
    /// batches that arrive meanwhile share the next commit.
    package var commitDelayMilliseconds = 0

    package init() {}
}
