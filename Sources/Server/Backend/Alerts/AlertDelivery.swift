package import Foundation
package import SubGuardDomain

/// One message on its way through one channel.
package struct AlertDelivery: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Not tried yet, or asked for again.
        case pending
        case delivered
        /// Failed at least once and will be tried again.
        case retrying
        /// Given up. Nothing is tried any more until somebody asks for it.
        case dead
    }

    package enum Subject: Sendable, Hashable {
        /// A threshold of `users`, reached with `userCount` of them.
        case threshold(users: Int64, userCount: Int64)
        case test
        /// The storage is nearly full, or full.
        case storage(StorageNotice)

        package var kind: Kind {
            switch self {
            case .threshold: .threshold
            case .test: .test
            case .storage: .storage
            }
        }
    }

    /// What a message is about. The raw value is its name on the wire and in the store.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case threshold
        case test
        case storage
    }

    /// The same at every attempt: receivers recognise a repetition by it.
    package let id: UUID
    package let subject: Subject
    package let channel: AlertChannel
    /// For people; holds no secret.
    package let target: String
    package let state: State
    package let attempts: Int
    /// For a threshold, when it fired.
    package let createdAt: UTCInstant
    package let lastAttemptAt: UTCInstant?
    /// Nil when nothing more will be tried.
    package let nextAttemptAt: UTCInstant?
    package let deliveredAt: UTCInstant?
    /// What went wrong last, in words that hold no secret; nil after a success.
    package let lastError: String?

    /// The number of users that was reached; nil for a message about something else.
    package var threshold: Int64? {
        if case .threshold(let users, _) = subject { users } else { nil }
    }
}

/// The right to try a delivery now, which nobody else has until it runs out.
package struct AlertLease: Sendable {
    package let delivery: AlertDelivery
    /// 1 for the first attempt since the delivery was made or asked for again.
    package let attempt: Int
    let id: UUID
}

/// How an attempt ended.
package enum AlertOutcome: Sendable, Hashable {
    case delivered
    /// Worth another attempt, not before `retryAfterSeconds` where the receiver said so.
    case failed(reason: String, retryAfterSeconds: Int? = nil)
    /// Another attempt would end in the same way.
    case refused(reason: String)
    /// As ``refused(reason:)``, and the channel is not to be used again for this target.
    case channelGone(reason: String)
    /// Not tried to the end, because the process stops: as if it had not begun.
    case interrupted
}

/// The pauses between attempts.
enum AlertBackoff {
    /// After the first failure, the second …; the last one repeats.
    static let pausesInSeconds: [Int64] = [5, 30, 120, 600, 3600, 21_600, 43_200, 86_400]
    /// No receiver can put us off for longer.
    static let longestPauseInSeconds: Int64 = 86_400

    /// The pause after failure number `attempt` (from 1), a fifth shorter or longer at random, so that messages that
    /// failed together do not come back together. `retryAfterSeconds` makes it longer, never shorter.
    static func milliseconds(afterAttempt attempt: Int, retryAfterSeconds: Int?, random: UInt64) -> Int64 {
        let index = min(max(attempt, 1), pausesInSeconds.count) - 1
        let pause = pausesInSeconds[index] * 1000
        let jittered = pause * 4 / 5 + Int64(random % UInt64(pause * 2 / 5 + 1))
        let asked = min(Int64(clamping: retryAfterSeconds ?? 0), longestPauseInSeconds) * 1000
        return max(jittered, asked)
    }
}
