import Synchronization

/// What has been done with crashes and sessions: of one request, or since the start of the process.
package struct CrashTally: Sendable, Hashable {
    /// Kinds of items that are named in the metrics; every other one counts as `other`.
    package static let itemTypes = [
        "event", "session", "sessions", "client_report", "transaction", "attachment", "user_report", "feedback",
        "check_in", "profile", "replay_event", "replay_recording", "log", "statsd", "span", "other",
    ]

    package var acceptedItems: [String: Int64] = [:]
    /// Items of a kind that is not stored.
    package var skippedItems: [String: Int64] = [:]
    /// Items of a kind that is stored, but not of the form that it must have.
    package var malformedItems: [String: Int64] = [:]
    package var maskings: [Masking: Int64] = [:]
    /// What clients say that they dropped before it came here.
    package var droppedByClients: Int64 = 0
    package var reports: Int64 = 0
    package var duplicates: Int64 = 0
    package var sessions: Int64 = 0
    /// Messages about sessions that had ended or were too old.
    package var lateSessions: Int64 = 0
    /// Sessions that did not count, because the client has reported as many as it may.
    package var refusedSessions: Int64 = 0
    /// Reports and session counts that were not counted under their own group or release.
    package var folded: [CrashFolding: Int64] = [:]
    package var evicted: [CrashEviction: Int64] = [:]
    /// Resolved groups that were reported again.
    package var regressions: Int64 = 0

    package init() {}

    /// Only what was masked.
    package init(_ scrubber: CrashScrubber) { add(scrubber) }

    package mutating func add(_ other: CrashTally) {
        acceptedItems.merge(other.acceptedItems, uniquingKeysWith: +)
        skippedItems.merge(other.skippedItems, uniquingKeysWith: +)
        malformedItems.merge(other.malformedItems, uniquingKeysWith: +)
        maskings.merge(other.maskings, uniquingKeysWith: +)
        droppedByClients += other.droppedByClients
        reports += other.reports
        duplicates += other.duplicates
        sessions += other.sessions
        lateSessions += other.lateSessions
        refusedSessions += other.refusedSessions
        folded.merge(other.folded, uniquingKeysWith: +)
        evicted.merge(other.evicted, uniquingKeysWith: +)
        regressions += other.regressions
    }

    mutating func add(_ scrubber: CrashScrubber) {
        for (kind, count) in scrubber.counts { maskings[kind, default: 0] += Int64(count) }
    }

    static func label(_ type: String) -> String { itemTypes.contains(type) ? type : "other" }
}

/// The running sum of what was done with crashes and sessions, for the metrics.
package final class CrashCounters: Sendable {
    private let sum = Mutex(CrashTally())

    package init() {}

    package var tally: CrashTally { sum.withLock { $0 } }

    package func add(_ tally: CrashTally) { sum.withLock { $0.add(tally) } }
}

/// Why something was counted in ``CrashStore/overflowTitle`` or under ``CrashStore/otherRelease``. The raw value is a label
/// of the metrics.
package enum CrashFolding: String, Sendable, CaseIterable {
    /// The client has added as many groups as it may.
    case groupQuota = "group_quota"
    /// All groups are too new to give way.
    case groupsFull = "groups_full"
    /// The client has added as many releases as it may.
    case releaseQuota = "release_quota"
    /// All releases are too new to give way.
    case releasesFull = "releases_full"
    /// The release is not among those that the operator knows.
    case releaseUnknown = "release_unknown"
}

/// What gave way to something new. The raw value is a label of the metrics.
package enum CrashEviction: String, Sendable, CaseIterable {
    case group
    case release
    /// A release of one group.
    case groupRelease = "group_release"
}
