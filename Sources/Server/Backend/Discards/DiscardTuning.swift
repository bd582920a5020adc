/// How much of a discard one step does.
package struct DiscardTuning: Sendable, Hashable {
    /// Events selected at a time. Default 500,000; each of their users takes about 200 bytes of memory, and each event
    /// of these users 24.
    package var eventsInAPortion = 500_000
    /// Events that one transaction removes. Default 2,000, about 10 ms.
    package var eventsInAStep = 2000
    /// Blocks that one transaction rewrites. Default 200.
    package var blocksInAStep = 200
    /// How long a discard may make no progress before another server continues it. Default 1 minute.
    package var takeoverTimeout = Duration.seconds(60)

    package init() {}
}
