package import Foundation
package import SubGuardDomain

/// Reports of one fault, counted.
package struct CrashGroup: Sendable, Hashable {
    package let id: UUID
    package let title: String
    package let culprit: String?
    package let platform: String?
    package let level: CrashLevel
    package let status: CrashStatus
    package let count: Int64
    package let firstSeenAt: UTCInstant
    package let lastSeenAt: UTCInstant
    /// When an administrator resolved or ignored it; nil while it is open.
    package let decidedAt: UTCInstant?
    /// When it was opened again by a report, after it had been resolved; nil after the next decision.
    package let regressedAt: UTCInstant?
    /// Grows with each change of ``status``, and not with reports.
    package let revision: Int64
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

/// What is to be done about a group.
package enum CrashStatus: String, Sendable, CaseIterable {
    case open
    /// Opened again by a report of a later crash.
    case resolved
    /// Counted, but not worth a look, whatever comes.
    case ignored
}

/// Sessions of one release in the last 720 hours, and its reports.
package struct ReleaseHealth: Sendable, Hashable {
    package let release: String
    package let tally: SessionTally
    /// Crash reports in all groups that are kept.
    package let reports: Int64
    /// Nil over no sessions.
    package var crashFree: FigureNumber? { .percent(tally.sessions - tally.crashed, of: tally.sessions) }
}
