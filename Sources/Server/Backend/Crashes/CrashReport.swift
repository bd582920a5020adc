package import Foundation
package import SubGuardDomain

/// The stored form of a crash, an error or a message, entirely scrubbed.
package struct CrashReport: Sendable, Hashable {
    /// Set by the sender and used to detect duplicates; nil if absent.
    package let id: UUID?
    package let occurredAt: UTCInstant
    /// Equal for reports with the same cause.
    package let groupKey: String
    package let title: String
    /// The location of the fault; nil without a stack trace.
    package let culprit: String?
    package let platform: String?
    package let level: CrashLevel
    package let release: String?
    /// Compact JSON of the fields that ``CrashRegistry`` lists.
    package let sample: [UInt8]

    package init(
        id: UUID?, occurredAt: UTCInstant, groupKey: String, title: String, culprit: String?, platform: String?,
        level: CrashLevel, release: String?, sample: [UInt8]
    ) {
        self.id = id
        self.occurredAt = occurredAt
        self.groupKey = groupKey
        self.title = title
        self.culprit = culprit
        self.platform = platform
        self.level = level
        self.release = release
        self.sample = sample
    }
}
