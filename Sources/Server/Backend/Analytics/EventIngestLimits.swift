/// How much the ingest takes on.
package struct EventIngestLimits: Sendable, Hashable {
    /// Events taken but not yet committed; beyond them a batch is refused. Default 50,000, at about 300 bytes each.
    package var maximumWaitingEvents = 50_000

    /// Batches are added to a transaction until it holds this many events. Default 10,000: large enough that the cost of
    /// reaching the disk is shared, small enough that nobody waits long for a stranger's batch.
    package var maximumEventsPerCommit = 10_000

    /// How long a batch may wait for others to share its trip to the disk, when none is under way. Default 0: it sets off
    /// at once, and those that come meanwhile share the next one.
    package var commitDelayMilliseconds = 0

    package init() {}
}
