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
