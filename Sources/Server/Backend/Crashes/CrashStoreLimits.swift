/// How much is kept of crashes, so that a crash loop cannot fill the disk.
package struct CrashStoreLimits: Sendable, Hashable {
    /// Beyond them, the one that ranks lowest gives way: its reports count in ``CrashStore/overflowTitle``.
    package var groups: Int64 = 1000
    /// Of each group: the first report and the newest others.
    package var samplesPerGroup: Int64 = 5
    /// A report that is larger leaves no sample.
    package var sampleBytes = 32 << 10
    /// Beyond them, the one that ranks lowest gives way: it counts as ``CrashStore/otherRelease``.
    package var releases: Int64 = 500
    /// The same of one group.
    package var releasesPerGroup: Int64 = 50
    /// Ids that are remembered, the newest.
    package var receipts: Int64 = 200_000
    /// Sessions that are remembered, the newest.
    package var sessions: Int64 = 2_000_000

    package init() {}

    /// The newest groups, which do not give way: half of all.
    var newGroups: Int64 { max(1, groups / 2) }
    /// The newest releases, which do not give way: half of all.
    var newReleases: Int64 { max(1, releases / 2) }
}
