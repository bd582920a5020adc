import Crypto
import Foundation
import SQLDatabase
package import SubGuardDomain

/// Keeps crashes by group and sessions by hour and release.
package struct CrashStore: Sendable {
    let context: BackendContext
    let limits: CrashStoreLimits

    /// The title of the group that takes what comes beyond the most.
    package static let overflowTitle = "(other crashes)"
    /// The name under which releases beyond the most are counted.
    package static let otherRelease = "(other)"

    package init(context: BackendContext, limits: CrashStoreLimits = CrashStoreLimits()) {
        self.context = context
        self.limits = limits
    }

    /// Stores all of it in one transaction, and returns what was counted. What is known already counts once.
    @discardableResult
    package func record(_ submission: CrashSubmission, receivedAt: UTCInstant) throws -> CrashTally {
        guard !submission.isEmpty else { return submission.tally }
        return try context.store.write { transaction in
            var writer = CrashWriter(
                transaction: transaction, context: context, limits: limits, receivedAt: receivedAt,
                tally: submission.tally)
            for report in submission.reports { try writer.write(report) }
            for update in submission.updates { try writer.write(update) }
            for count in submission.counts { try writer.write(count) }
            try writer.trim()
            return writer.tally
        }
    }

    static func digest(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }
}
