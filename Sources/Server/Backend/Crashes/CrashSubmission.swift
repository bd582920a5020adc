import Crypto
import Foundation
import SubGuardDomain

/// The contents of one request, scrubbed and ready to be stored.
package struct CrashSubmission: Sendable {
    package var reports: [CrashReport] = []
    package var updates: [SessionUpdate] = []
    package var counts: [SessionCount] = []
    /// Added to ``CrashCounters`` whether or not the rest is stored.
    package var tally = CrashTally()

    package init() {}

    /// The number of reports, sessions and session counts.
    package var itemCount: Int { reports.count + updates.count + counts.count }

    package var isEmpty: Bool { reports.isEmpty && updates.isEmpty && counts.isEmpty }
}

extension CrashSubmission {
    /// Derives ids of session counts from the envelope's bytes, so that a resent envelope counts once. Without
    /// `sent_at`, identical envelopes may be distinct, and no ids are set.
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
