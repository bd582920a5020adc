import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// Writes reports into one open transaction.
struct CrashWriter {
    let transaction: any SQLTransaction
    let context: BackendContext
    let limits: CrashStoreLimits
    let knownReleases: KnownReleases
    let quota: any CrashQuota
    let receivedAt: UTCInstant
    var tally: CrashTally
    /// What was taken from the quota, to be returned if the transaction fails.
    private(set) var taken: [CrashAddition: Int64] = [:]
    // Counted at most once in a transaction, when a new group arrives.
    var groupCount: Int64?
    var releaseCount: Int64?
    var otherReleaseNumber: Int64?

    init(
        transaction: any SQLTransaction, store: CrashStore, quota: any CrashQuota, receivedAt: UTCInstant,
        tally: CrashTally
    ) {
        self.transaction = transaction
        context = store.context
        limits = store.limits
        knownReleases = store.knownReleases
        self.quota = quota
        self.receivedAt = receivedAt
        self.tally = tally
    }

    mutating func write(_ report: CrashReport) throws {
        guard report.occurredAt >= receivedAt.adding(days: -limits.retentionDays) else {
            tally.expired += 1
            return
        }
        guard try isNew(report.id) else {
            tally.duplicates += 1
            return
        }
        tally.reports += 1
        let counting = try group(of: report)
        let groupID = counting.own
        let release = try releaseID(report.release ?? "", seenAt: report.occurredAt)
        for group in counting.all {
            try count(1, lastSeenAt: report.occurredAt, of: release, in: group)
            try countDay(of: report.occurredAt, in: group)
        }
        guard report.sample.count <= limits.sampleBytes else { return }
        try transaction.execute(
            "INSERT INTO crash_samples (group_id, occurred_at, body) VALUES (?, ?, ?)",
            [.blob(groupID), .instant(report.occurredAt), .text(String(decoding: report.sample, as: UTF8.self))])
        try CrashStore.trimSamples(of: groupID, to: limits.samplesPerGroup, in: transaction)
        if counting.isNew { try CrashRegrouping(transaction, context).name(groupID, by: report.sample) }
    }

    /// Counts a report on the day of the crash (UTC).
    private func countDay(of instant: UTCInstant, in groupID: [UInt8]) throws {
        try transaction.execute(
            """
            INSERT INTO crash_group_days (group_id, day_number, event_count) VALUES (?, ?, 1)
            ON CONFLICT (group_id, day_number) DO UPDATE SET event_count = crash_group_days.event_count + 1
            """, [.blob(groupID), .integer(Int64(instant.day.daysSinceEpoch))])
    }

    /// Deletes the oldest report ids and sessions beyond the limits.
    func trim() throws {
        try transaction.execute(
            "DELETE FROM crash_receipts WHERE id <= (SELECT max(id) FROM crash_receipts) - ?",
            [.integer(limits.receipts)])
        try transaction.execute(
            "DELETE FROM crash_sessions WHERE id <= (SELECT max(id) FROM crash_sessions) - ?",
            [.integer(limits.sessions)])
    }

    /// Stores the id; returns false if it was already known. A report without an id is always new.
    func isNew(_ id: UUID?) throws -> Bool {
        guard let id else { return true }
        return try transaction.execute(
            "INSERT INTO crash_receipts (receipt_id) VALUES (?) ON CONFLICT (receipt_id) DO NOTHING", [.uuid(id)]) == 1
    }

    /// Takes from the client's quota. Returns false, taking nothing, if less is left.
    mutating func take(_ addition: CrashAddition, _ count: Int64 = 1) -> Bool {
        guard quota.take(addition, count) else { return false }
        taken[addition, default: 0] += count
        return true
    }

    /// Returns quota for something that was not added after all.
    mutating func giveBack(_ addition: CrashAddition, _ count: Int64 = 1) {
        quota.giveBack(addition, count)
        taken[addition, default: 0] -= count
    }
}

/// The releases that the operator has published, as patterns. Without patterns, every release is known.
package struct KnownReleases: Sendable, Hashable {
    private let names: Set<String>
    private let prefixes: [String]

    /// Accepts every release.
    package static let all = KnownReleases([])

    /// A pattern is a release, or a prefix followed by `*`.
    package init(_ patterns: [String]) {
        names = Set(patterns.filter { !$0.hasSuffix("*") })
        prefixes = patterns.filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }
    }

    package func contains(_ release: String) -> Bool {
        (names.isEmpty && prefixes.isEmpty) || names.contains(release) || prefixes.contains { release.hasPrefix($0) }
    }

    /// Whether a text is a pattern: 1 to 96 bytes of a release name, with `*` only at the end.
    package static func isPattern(_ text: String) -> Bool {
        let name = text.hasSuffix("*") ? text.dropLast() : text[...]
        return (1...96).contains(text.utf8.count)
            && name.utf8.allSatisfy { Octet.isToken($0) || Octet.isOneOf($0, ".+/ ()@~:") }
    }
}
