/// The proportions of the index of event ids.
package struct EventIDIndexShape: Sendable, Hashable {
    /// Ids in memory that become a run. Default 32,256, half a megabyte.
    package var runSize = 128 * EventIDSegment.chunkSize
    /// Ids that one step of a merge writes at most. Default 32,256, which takes some milliseconds.
    package var segmentSize = 128 * EventIDSegment.chunkSize
    /// Runs of a level that are merged into one of the next. Default 8: an id is written about once a level, and each level
    /// has up to 7 runs to look into.
    package var fanOut = 8

    /// How long the clock must have said that ids are too old to matter before they are forgotten, counted by a clock that
    /// nobody sets. Default a day: the time of day may be wrong for a while, and ids do not come back.
    package var patience = Duration.seconds(86_400)

    package init() {}
}
