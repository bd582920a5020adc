/// How much of a discard is done at a time.
package struct DiscardTuning: Sendable, Hashable {
    /// Selected events that are searched for at once. Default 500,000, at about 200 bytes of memory for each of their users
    /// and 24 for each event of these users.
    package var eventsInAPortion = 500_000
    /// Events that one transaction takes out. Default 2,000, some ten milliseconds.
    package var eventsInAStep = 2000
    /// Blocks that one transaction rewrites. Default 200.
    package var blocksInAStep = 200
    /// How long a discard may rest before a server believes that whoever began it is gone, and goes on with it. Default a
    /// minute.
    package var patience = Duration.seconds(60)

    package init() {}
}
