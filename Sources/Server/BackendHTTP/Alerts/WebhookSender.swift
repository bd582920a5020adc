import Backend
import Outbound
import SubGuardDomain

/// Posts signed messages to the operator's webhook.
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

    /// Most errors are retried, because a receiver may return any status while it is being set up.
    static func outcome(of answer: HTTPPost.Answer) -> AlertOutcome {
        switch answer.status {
        case 200...299: .delivered
        case 300...399: .refused(reason: "HTTP \(answer.status): redirects are not followed")
        case 410: .channelGone(reason: "HTTP 410")
        default: .failed(reason: "HTTP \(answer.status)", retryAfterSeconds: answer.retryAfterSeconds)
        }
    }
}
