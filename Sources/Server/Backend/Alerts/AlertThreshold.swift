package import SubGuardDomain

/// A total of users that is announced once when it is reached.
package struct AlertThreshold: Sendable, Hashable {
    package let users: Int64
    /// Whether it is in the present list. One that has fired stays known after it was taken out.
    package let isActive: Bool
    /// Nil while it has not fired.
    package let firedAt: UTCInstant?
    /// How many users there were when it fired.
    package let userCount: Int64?
}

/// The list of thresholds at one revision.
package struct AlertThresholdList: Sendable, Hashable {
    /// Grows with every change of the list; a firing does not change it.
    package let revision: Int64
    /// By number of users; the active ones and those that have fired.
    package let thresholds: [AlertThreshold]

    package static let maximumCount = 100
    /// More people than there are.
    package static let range: ClosedRange<Int64> = 1...100_000_000_000
}
