package import SubGuardDomain

/// A number of users that triggers an alert once.
package struct AlertThreshold: Sendable, Hashable {
    package let users: Int64
    /// Whether it is in the current list. A fired threshold is kept after its removal from the list.
    package let isActive: Bool
    /// Nil if it has not fired.
    package let firedAt: UTCInstant?
    /// The number of users when it fired.
    package let userCount: Int64?
    /// Until when its message waits for a first channel; nil if it does not wait.
    package let waitsUntil: UTCInstant?

    /// How long a message waits, in days of 24 hours: one that is older surprises more than it tells.
    static let waitingDays = 30
}

/// The list of thresholds at one revision.
package struct AlertThresholdList: Sendable, Hashable {
    /// Incremented by every change of the list, not when a threshold fires.
    package let revision: Int64
    /// Sorted by number of users; the active ones and those that have fired.
    package let thresholds: [AlertThreshold]

    package static let maximumCount = 100
    /// The upper bound exceeds the world population.
    package static let range: ClosedRange<Int64> = 1...100_000_000_000
}
