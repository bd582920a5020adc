/// How much is kept of crashes, so that a crash loop cannot fill the disk.
package struct CrashStoreLimits: Sendable, Hashable {
    /// Beyond them, reports of new faults go to one group, ``CrashStore/overflowTitle``.
    package var groups: Int64 = 1000
    /// Of each group, the newest.
    package var samplesPerGroup: Int64 = 5
    /// A report that is larger leaves no sample.
    package var sampleBytes = 32 << 10
    /// Beyond them, releases count as ``CrashStore/otherRelease``.
    package var releases: Int64 = 500
    /// Beyond them, of one group, too.
    package var releasesPerGroup: Int64 = 50
    /// Ids that are remembered, the newest.
    package var receipts: Int64 = 200_000
    /// Sessions that are remembered, the newest.
    package var sessions: Int64 = 2_000_000

    package init() {}
}
