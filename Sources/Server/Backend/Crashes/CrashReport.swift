package import Foundation
package import SubGuardDomain

/// What is stored of a crash, an error or a message: everything in it has been scrubbed.
package struct CrashReport: Sendable, Hashable {
    /// Made by the sender; decides what is a duplicate. Nil where there was none.
    package let id: UUID?
    package let occurredAt: UTCInstant
    /// What makes two reports the same fault.
    package let groupKey: String
    package let title: String
    /// Where it happened; nil when there is no stack.
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

/// How bad it is, in the words of the Sentry protocol.
package enum CrashLevel: String, Sendable, CaseIterable {
    case debug, info, warning, error, fatal
}
