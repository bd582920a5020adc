import Backend
import Outbound

/// Posts to a Slack incoming webhook and interprets its responses.
struct SlackSender: Sendable {
    let url: OutboundURL
    let policy: TargetPolicy
    let limits: OutboundLimits

    func send(_ delivery: AlertDelivery, _ stop: OutboundStop) -> AlertOutcome {
        let post = HTTPPost(
            url: url, fields: [("Content-Type", "application/json")], body: SlackMessage.body(of: delivery))
        do throws(OutboundError) {
            return Self.outcome(of: try post.send(policy: policy, limits: limits, stop: stop))
        } catch {
            return AlertOutcome(error)
        }
    }

    /// Success is 200 with the body `ok`. 403, 404 and 410 mean that the webhook or its channel is permanently gone.
    /// Only 429 and 5xx are retried.
    static func outcome(of answer: HTTPPost.Answer) -> AlertOutcome {
        let reason = "HTTP \(answer.status)" + (word(in: answer.body).map { " \($0)" } ?? "")
        switch answer.status {
        case 200 where answer.body.elementsEqual("ok".utf8): return .delivered
        case 200: return .failed(reason: "HTTP 200 without Slack's ok")
        case 403, 404, 410: return .channelGone(reason: reason)
        case 429, 500...599: return .failed(reason: reason, retryAfterSeconds: answer.retryAfterSeconds)
        default: return .refused(reason: reason)
        }
    }

    /// Slack's error code; nil if the body does not look like one, because it may repeat the sent message.
    private static func word(in body: [UInt8]) -> String? {
        let isWord = (1...40).contains(body.count) && body.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) }
        return isWord ? String(decoding: body, as: UTF8.self) : nil
    }
}
