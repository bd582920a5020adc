import Cryptography
package import Foundation
package import SubGuardDomain

/// One message to one receiver.
package struct AlertDelivery: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Not tried yet, or resent on request.
        case pending
        case delivered
        /// Failed at least once; will be retried.
        case retrying
        /// Given up. It is not retried unless a resend is requested.
        case dead
    }

    package enum Subject: Sendable, Hashable {
        /// The threshold `users` was reached, with `userCount` users.
        case threshold(users: Int64, userCount: Int64)
        case test
        /// The storage is nearly full, or full.
        case storage(StorageNotice)
        /// A rule fires, or has recovered.
        case rule(AlertRuleNotice)
        case digest(AlertDigest)

        package var kind: Kind {
            switch self {
            case .threshold: .threshold
            case .test: .test
            case .storage: .storage
            case .rule: .rule
            case .digest: .digest
            }
        }
    }

    /// The kind of message. The raw value is its name on the wire and in the database.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case threshold
        case test
        case storage
        case rule
        case digest
    }

    /// The same in every attempt, so that receivers can recognise duplicates.
    package let id: UUID
    package let subject: Subject
    package let channel: AlertChannel
    /// Readable, without secrets.
    package let target: String
    package let state: State
    package let attempts: Int
    /// For a threshold: when it fired.
    package let createdAt: UTCInstant
    package let lastAttemptAt: UTCInstant?
    /// Nil if no further attempt is planned.
    package let nextAttemptAt: UTCInstant?
    package let deliveredAt: UTCInstant?
    /// The last error, without secrets; nil after a success.
    package let lastError: String?

    /// The number of users of the threshold; nil for other messages.
    package var threshold: Int64? {
        if case .threshold(let users, _) = subject { users } else { nil }
    }

    /// The rule that fires or has recovered; nil for other messages.
    package var rule: AlertRuleNotice? {
        if case .rule(let notice) = subject { notice } else { nil }
    }
}

/// The exclusive right to attempt a delivery until the lease expires.
package struct AlertLease: Sendable {
    package let delivery: AlertDelivery
    /// 1 for the first attempt since the delivery was created or resent.
    package let attempt: Int
    /// Who gets it.
    let target: AlertTarget
    let id: UUID
}

/// The result of an attempt.
package enum AlertOutcome: Sendable, Hashable {
    case delivered
    /// Temporary failure: retry, after at least `retryAfterSeconds` if the receiver sent that.
    case failed(reason: String, retryAfterSeconds: Int? = nil)
    /// Permanent failure: do not retry.
    case refused(reason: String)
    /// As ``refused(reason:)``; also disables the receiver.
    case channelGone(reason: String)
    /// Aborted because the process stops; does not count as an attempt.
    case interrupted
}

/// The delays between attempts.
enum AlertBackoff {
    /// After the first failure, the second and so on; the last value repeats.
    static let pausesInSeconds: [Int64] = [5, 30, 120, 600, 3600, 21_600, 43_200, 86_400]
    /// Upper bound for a delay requested by a receiver.
    static let longestPauseInSeconds: Int64 = 86_400

    /// The delay after failure number `attempt` (from 1), randomised by ±20 % so that simultaneous failures are not
    /// retried together. `retryAfterSeconds` can extend it but never shorten it.
    static func milliseconds(afterAttempt attempt: Int, retryAfterSeconds: Int?, random: UInt64) -> Int64 {
        let index = min(max(attempt, 1), pausesInSeconds.count) - 1
        let pause = pausesInSeconds[index] * 1000
        let jittered = pause * 4 / 5 + Int64(random % UInt64(pause * 2 / 5 + 1))
        let asked = min(Int64(clamping: retryAfterSeconds ?? 0), longestPauseInSeconds) * 1000
        return max(jittered, asked)
    }
}

/// A means of delivery for alerts. The raw value is its name on the wire and in the database.
package enum AlertChannel: String, Sendable, Hashable, CaseIterable {
    case slack
    case email
    case webhook
}

/// A configured receiver of a channel, without secrets.
package struct AlertTarget: Sendable, Hashable {
    package let channel: AlertChannel
    /// Readable scheme and host, without secrets.
    package let label: String
    /// SHA-256 of the whole address. Another address is another receiver.
    let hash: [UInt8]

    /// `address` is everything that identifies the receiver; only its hash is kept.
    package init(channel: AlertChannel, label: String, address: String) {
        self.channel = channel
        self.label = label
        hash = SHA256.hash(of: "\(channel.rawValue)\0\(address)".utf8)
    }
}
