import Cryptography
import EventLog

/// The numbers that stand for users in an export. A number is always the same for the same user of a database, so that
/// a reader can join the events of a user, but leads neither to the hash nor to the numbers of another database.
///
/// A number has 53 bits, so that every JSON reader keeps it. Among ten million users, the chance that any two have the
/// same one is 1 in 180.
struct UserNumbers: Sendable {
    private let key: HMACKey
    /// Computed ones; at most those of a few pieces of an export.
    private var known: [UserHash: Int64] = [:]

    private static let mostKnown = 10_000

    init(seed: EventIDSeed) {
        // The seed keys the filters of ids, which are no cryptographic hashes. A derived key tells nothing about it.
        key = HMACKey(HMACKey(seed.bytes).code(for: "subguard user numbers of event exports".utf8))
    }

    mutating func number(of user: UserHash) -> Int64 {
        if let number = known[user] { return number }
        let code = key.code(for: user.bytes)
        let bits = code.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
        let number = Int64(bits >> 11)
        if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
        known[user] = number
        return number
    }
}
