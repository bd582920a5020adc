import Crypto
import Foundation
import SQLDatabase
package import SubGuardDomain

/// Keeps crashes by group and sessions by hour and release.
package struct CrashStore: Sendable {
    let context: BackendContext
    let limits: CrashStoreLimits
    let knownReleases: KnownReleases

    /// The title of the group that counts what has no group of its own.
    package static let overflowTitle = "(other crashes)"
    /// The name under which releases without a row of their own are counted.
    package static let otherRelease = "(other)"

    package init(
        context: BackendContext, limits: CrashStoreLimits = CrashStoreLimits(), knownReleases: KnownReleases = .all
    ) {
        self.context = context
        self.limits = limits
        self.knownReleases = knownReleases
    }

    /// Stores all of it in one transaction, and returns what was counted. What is known already counts once. What the
    /// quota does not cover is counted together with others, and sessions beyond it are not counted; a transaction that
    /// fails takes nothing out of it.
    @discardableResult
    package func record(
        _ submission: CrashSubmission, receivedAt: UTCInstant, quota: any CrashQuota = UnlimitedCrashQuota()
    ) throws -> CrashTally {
        guard !submission.isEmpty else { return submission.tally }
        var taken: [CrashAddition: Int64] = [:]
        do {
            return try context.store.write { transaction in
                var writer = CrashWriter(
                    transaction: transaction, store: self, quota: quota, receivedAt: receivedAt,
                    tally: submission.tally)
                defer { taken = writer.taken }
                for report in submission.reports { try writer.write(report) }
                for update in submission.updates { try writer.write(update) }
                for count in submission.counts { try writer.write(count) }
                try writer.trim()
                return writer.tally
            }
        } catch {
            for (addition, count) in taken where count > 0 { quota.giveBack(addition, count) }
            throw error
        }
    }

    static func digest(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }
}

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
