import Cryptography
import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardDomain

/// Stores crashes by group, and sessions by hour and release.
package struct CrashStore: Sendable {
    let context: BackendContext
    let limits: CrashStoreLimits
    let knownReleases: KnownReleases

    /// The title of the group that counts reports without a group of their own.
    package static let overflowTitle = "(other crashes)"
    /// The name that counts releases without a row of their own.
    package static let otherRelease = "(other)"

    package init(
        context: BackendContext, limits: CrashStoreLimits = CrashStoreLimits(), knownReleases: KnownReleases = .all
    ) {
        self.context = context
        self.limits = limits
        self.knownReleases = knownReleases
    }

    /// Stores a submission in one transaction and returns what was counted. Duplicates count once. Reports beyond the
    /// quota count in the overflow group or release, and sessions beyond it are not counted. A failed transaction takes
    /// nothing from the quota.
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

    static func digest(_ text: String) -> [UInt8] { SHA256.hash(of: text.utf8) }
}

/// Limits of the crash store, so that a crash loop cannot fill the disk.
package struct CrashStoreLimits: Sendable, Hashable {
    /// At the limit, the group of the lowest rank is evicted; its reports count in ``CrashStore/overflowTitle``.
    package var groups: Int64 = 1000
    /// Per group: the first report and the newest others.
    package var samplesPerGroup: Int64 = 5
    /// Larger reports are counted without a sample.
    package var sampleBytes = 32 << 10
    /// At the limit, the release of the lowest rank is evicted; it counts as ``CrashStore/otherRelease``.
    package var releases: Int64 = 500
    /// As ``releases``, but for each group.
    package var releasesPerGroup: Int64 = 50
    /// Ids kept to detect duplicates; the oldest are deleted first.
    package var receipts: Int64 = 200_000
    /// Sessions kept for updates; the oldest are deleted first.
    package var sessions: Int64 = 2_000_000

    /// Reports of older crashes are counted and dropped, in days of 24 hours; ``CrashStore/purge(before:)`` would
    /// delete them.
    package var retentionDays: Int

    package init(retentionDays: Int = 90) { self.retentionDays = retentionDays }

    /// The newest half of the groups, which are never evicted.
    var newGroups: Int64 { max(1, groups / 2) }
    /// The newest half of the releases, which are never evicted.
    var newReleases: Int64 { max(1, releases / 2) }
}
