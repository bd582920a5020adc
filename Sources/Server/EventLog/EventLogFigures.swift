/// What an operator watches of the log.
package struct EventLogFigures: Sendable, Hashable {
    /// Accepted events that are not in the figures yet.
    package var unfoldedEvents = 0
    /// Ids that are in memory only, beside the log.
    package var recentIDs = 0
    /// Ids in sorted runs on disk.
    package var indexedIDs = 0
    /// Runs that an id is looked up in.
    package var runs = 0

    init() {}

    init(_ memory: EventLogMemory) {
        recentIDs = memory.index.recent.count
        indexedIDs = memory.index.runIDCount
        runs = memory.index.runCount
    }
}
