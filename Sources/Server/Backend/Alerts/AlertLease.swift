import Foundation

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
