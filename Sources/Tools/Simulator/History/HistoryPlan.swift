package import Foundation
package import SubGuardDomain

/// What history to make. Its end only says when the events happened; which events there are follows from the rest.
package struct HistoryPlan: Sendable {
    package static let devices = 1...1_000_000
    /// The oldest events must stay within the days that the server accepts, also when a sign-up is moved off a weekend.
    package static let weeks = 1...(AnalyticsLimits.maximumDaysBehind - 8) / 7

    package let deviceCount: Int
    package let dayCount: Int
    package let seed: UInt64
    /// Nothing happens after it.
    package let endsAt: UTCInstant
    /// Items to subscribe to, the most popular first.
    package let catalogue: [UUID]

    /// Devices and weeks are held within their ranges.
    package init(devices: Int, weeks: Int, seed: UInt64, endsAt: UTCInstant, catalogue: [UUID]) {
        deviceCount = min(max(devices, Self.devices.lowerBound), Self.devices.upperBound)
        dayCount = 7 * min(max(weeks, Self.weeks.lowerBound), Self.weeks.upperBound)
        self.seed = seed
        self.endsAt = endsAt
        self.catalogue = catalogue
    }
}
