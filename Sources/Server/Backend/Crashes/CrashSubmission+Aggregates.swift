import Crypto
import Foundation
import SubGuardDomain

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
