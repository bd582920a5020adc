package import Foundation
package import SubGuardDomain

/// The items that were added most often.
package struct Ranking: Sendable, Hashable {
    /// When the counts were taken.
    package let computedAt: UTCInstant
    /// Most first; equal ones in the order of their names.
    package let items: [Item]

    package struct Item: Sendable, Hashable {
        package let id: UUID
        package let name: String
        package let logoURL: String?
        /// Accepted `subscription_added` events that name the item, or one that was merged into it.
        package let count: Int64
    }

    package static let definition =
        "Accepted subscription_added events by the catalogue item that they name, ever, most first; counted once a day, "
        + "at as_of (UTC). An item merged into another counts for that one; deleted items are left out."
}
