import Backend
import Outbound
import SubGuardDomain

/// Posts signed messages to a receiver of the operator's own.
struct WebhookSender: Sendable {
    let url: OutboundURL
    let secret: String
    let policy: TargetPolicy
    let limits: OutboundLimits
    let now: @Sendable () -> UTCInstant

    func send(_ delivery: AlertDelivery, _ stop: OutboundStop) -> AlertOutcome {
        let message = WebhookMessage(delivery, secret: secret, sentAt: now())
        let post = HTTPPost(url: url, fields: message.fields, body: message.body)
        do throws(OutboundError) {
            return Self.outcome(of: try post.send(policy: policy, limits: limits, stop: stop))
        } catch {
            return AlertOutcome(error)
        }
    }

    /// A receiver that is being set up answers in many ways before it answers 2xx, so nearly everything is tried again.
    static func outcome(of answer: HTTPPost.Answer) -> AlertOutcome {
        switch answer.status {
        case 200...299: .delivered
        case 300...399: .refused(reason: "HTTP \(answer.status): redirects are not followed")
        case 410: .channelGone(reason: "HTTP 410")
        default: .failed(reason: "HTTP \(answer.status)", retryAfterSeconds: answer.retryAfterSeconds)
        }
    }
}
