package import Foundation
package import SubGuardDomain

/// Suggestions of one name, case and accents aside: what a moderator decides on.
package struct SuggestionGroup: Sendable, Hashable {
    package enum Status: String, Sendable, CaseIterable {
        case pending
        case approved
        case rejected
    }

    package let id: UUID
    /// The first spelling that came.
    package let name: String
    package let status: Status
    /// How many suggestions there were, each device's each time.
    package let count: Int64
    package let firstSeenAt: UTCInstant
    package let lastSeenAt: UTCInstant
    /// What it became, when it was approved.
    package let itemID: UUID?
    package let decidedAt: UTCInstant?
}
