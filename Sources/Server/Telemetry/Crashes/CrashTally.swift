package import SubGuardDomain
import Synchronization

/// Counts of processed crashes and sessions: of one request, or since the process started.
package struct CrashTally: Sendable, Hashable {
    /// Item types named in the metrics; all others count as `other`.
    package static let itemTypes = [
        "event", "session", "sessions", "client_report", "transaction", "attachment", "user_report", "feedback",
        "check_in", "profile", "replay_event", "replay_recording", "log", "statsd", "span", "other",
    ]

    package var acceptedItems: [String: Int64] = [:]
    /// Items of a type that is not stored.
    package var skippedItems: [String: Int64] = [:]
    /// Items of a stored type that are malformed.
    package var malformedItems: [String: Int64] = [:]
    package var maskings: [Masking: Int64] = [:]
    /// Sessions with a status that this server does not know, by its name; see ``note(unknownStatus:)``.
    package private(set) var unknownStatuses: [String: Int64] = [:]
    /// Reports that clients say they dropped before sending.
    package var droppedByClients: Int64 = 0
    package var reports: Int64 = 0
    package var duplicates: Int64 = 0
    /// Reports of crashes that happened before the retention time.
    package var expired: Int64 = 0
    package var sessions: Int64 = 0
    /// Updates of sessions that had ended or were too old.
    package var lateSessions: Int64 = 0
    /// Sessions not counted because the client exceeded its quota.
    package var refusedSessions: Int64 = 0
    /// Reports and session counts that were counted in an overflow group or release.
    package var folded: [CrashFolding: Int64] = [:]
    package var evicted: [CrashEviction: Int64] = [:]
    /// Resolved groups that were reopened by a report.
    package var regressions: Int64 = 0

    package init() {}

    /// Counts only what the scrubber masked.
    package init(_ scrubber: CrashScrubber) { add(scrubber) }

    package mutating func add(_ other: CrashTally) {
        acceptedItems.merge(other.acceptedItems, uniquingKeysWith: +)
        skippedItems.merge(other.skippedItems, uniquingKeysWith: +)
        malformedItems.merge(other.malformedItems, uniquingKeysWith: +)
        maskings.merge(other.maskings, uniquingKeysWith: +)
        for (name, count) in other.unknownStatuses { note(unknownStatus: name, count) }
        droppedByClients += other.droppedByClients
        reports += other.reports
        duplicates += other.duplicates
        expired += other.expired
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

    /// Counts a status under its own name. Clients choose the names and they become labels of the metrics, so only the
    /// first few distinct words are kept; all others count as `other`.
    mutating func note(unknownStatus name: String, _ count: Int64 = 1) {
        let isWord = (1...32).contains(name.utf8.count) && name.utf8.allSatisfy { Octet.isToken($0) }
        let hasRoom = unknownStatuses[name] != nil || unknownStatuses.count < Self.maximumUnknownStatuses
        unknownStatuses[isWord && hasRoom ? name : "other", default: 0] += count
    }

    private static let maximumUnknownStatuses = 16

    static func label(_ type: String) -> String { itemTypes.contains(type) ? type : "other" }
}

/// The running totals for the metrics.
package final class CrashCounters: Sendable {
    private let sum = Mutex(CrashTally())

    package init() {}

    package var tally: CrashTally { sum.withLock { $0 } }

    package func add(_ tally: CrashTally) { sum.withLock { $0.add(tally) } }
}

/// Why something was counted in ``CrashStore/overflowTitle`` or under ``CrashStore/otherRelease``. The raw value is a
/// label of the metrics.
package enum CrashFolding: String, Sendable, CaseIterable {
    /// The client exceeded its quota of groups.
    case groupQuota = "group_quota"
    /// All groups are too new to be evicted.
    case groupsFull = "groups_full"
    /// The client exceeded its quota of releases.
    case releaseQuota = "release_quota"
    /// All releases are too new to be evicted.
    case releasesFull = "releases_full"
    /// The release matches no pattern of ``KnownReleases``.
    case releaseUnknown = "release_unknown"
    /// The release's name is too long or may be a mail address (``ReleaseName``).
    case releaseName = "release_name"
}

/// What was evicted. The raw value is a label of the metrics.
package enum CrashEviction: String, Sendable, CaseIterable {
    case group
    case release
    /// A release of one group.
    case groupRelease = "group_release"
}
