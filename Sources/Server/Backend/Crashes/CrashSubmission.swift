import Crypto
import Foundation
import SubGuardDomain

/// What one request brought, scrubbed and ready to be stored.
package struct CrashSubmission: Sendable {
    package var reports: [CrashReport] = []
    package var updates: [SessionUpdate] = []
    package var counts: [SessionCount] = []
    /// Counted by ``CrashCounters`` whatever becomes of the rest.
    package var tally = CrashTally()

    package init() {}

    /// How many reports, sessions and counts it holds.
    package var itemCount: Int { reports.count + updates.count + counts.count }

    package var isEmpty: Bool { reports.isEmpty && updates.isEmpty && counts.isEmpty }
}

extension CrashSubmission {
    /// Gives counts of sessions an id made of the envelope's own bytes, so that an envelope that is sent twice counts once.
    /// Without `sent_at`, which tells one from the next, two of the same bytes may well be two.
    package mutating func nameAggregates(of envelope: Envelope, body: [UInt8]) {
        guard envelope.sentAt != nil, !counts.isEmpty else { return }
        let digest = Array(SHA256.hash(data: body))
        for index in counts.indices {
            let bytes = Array(SHA256.hash(data: digest + withUnsafeBytes(of: index) { Array($0) })).prefix(16)
            counts[index] = SessionCount(
                id: UUID(rawBytes: bytes), startedAt: counts[index].startedAt, release: counts[index].release,
                tally: counts[index].tally)
        }
    }
}
