package import Foundation
package import SubGuardDomain

/// Reports of one fault, counted.
package struct CrashGroup: Sendable, Hashable {
    package let id: UUID
    package let title: String
    package let culprit: String?
    package let platform: String?
    package let level: String
    package let status: String
    package let count: Int64
    package let firstSeenAt: UTCInstant
    package let lastSeenAt: UTCInstant
    /// The ones with most reports first.
    package var releases: [Release]

    package struct Release: Sendable, Hashable {
        /// Nil for reports that named none.
        package let name: String?
        package let count: Int64
        package let lastSeenAt: UTCInstant
    }

    /// A report as it was kept.
    package struct Sample: Sendable, Hashable {
        package let occurredAt: UTCInstant
        /// Compact JSON.
        package let body: String
    }
}

/// Sessions of one release in the last 720 hours.
package struct ReleaseHealth: Sendable, Hashable {
    package let release: String
    package let tally: SessionTally
    /// Nil over no sessions.
    package var crashFree: FigureNumber? { .percent(tally.sessions - tally.crashed, of: tally.sessions) }
}
