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
