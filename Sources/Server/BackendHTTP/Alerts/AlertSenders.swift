import Foundation
import JSONWire
import Mail
import Outbound
import SubGuardDomain
import Telemetry

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

    /// Any 2xx is a success: Slack says `ok`, compatible receivers say `ok` with a line end, `OK`, JSON or nothing. A
    /// body that is one of Slack's errors is a failure all the same. 403, 404 and 410 mean that the webhook or its
    /// channel is permanently gone. Only 429, 5xx and errors of load are retried.
    static func outcome(of answer: HTTPPost.Answer) -> AlertOutcome {
        let error = (200..<300).contains(answer.status) ? error(in: answer.body) : word(in: answer.body)
        let reason = "HTTP \(answer.status)" + (error.map { " \($0)" } ?? "")
        switch answer.status {
        case 200..<300:
            guard let error else { return .delivered }
            return temporaryErrors.contains(error) ? .failed(reason: reason) : .refused(reason: reason)
        case 403, 404, 410: return .channelGone(reason: reason)
        case 429, 500...599: return .failed(reason: reason, retryAfterSeconds: answer.retryAfterSeconds)
        default: return .refused(reason: reason)
        }
    }

    private static let temporaryErrors: Set<String> = ["rollup_error", "message_limit_exceeded", "rate_limited"]

    /// The errors of incoming webhooks in Slack's documentation.
    private static let errors: Set<String> = temporaryErrors.union([
        "action_prohibited", "channel_is_archived", "channel_not_found", "invalid_auth", "invalid_blocks",
        "invalid_payload", "invalid_token", "no_active_hooks", "no_service", "no_service_id", "no_team", "no_text",
        "posting_to_general_channel_denied", "team_disabled", "too_many_attachments", "user_not_found",
    ])

    /// The error in the body of a 2xx: one of Slack's, as plain text or in JSON, or the word that a receiver gives with
    /// `"ok": false` or `"success": false`; nil without one.
    private static func error(in body: [UInt8]) -> String? {
        let text = String(decoding: body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if errors.contains(text.lowercased()) { return text.lowercased() }
        guard let object = (try? JSONValue.parse(Array(text.utf8), maximumValues: 200))?.objectValue else { return nil }
        let given = object["error"]?.stringValue
        if let given, errors.contains(given.lowercased()) { return given.lowercased() }
        guard object["ok"]?.boolValue == false || object["success"]?.boolValue == false else { return nil }
        return given.flatMap { word(in: Array($0.utf8)) } ?? "without success"
    }

    /// Slack's error code; nil if the body does not look like one, because it may repeat the sent message.
    private static func word(in body: [UInt8]) -> String? {
        let isWord = (1...40).contains(body.count) && body.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) }
        return isWord ? String(decoding: body, as: UTF8.self) : nil
    }
}

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

/// Sends alerts through a mail server.
struct EmailSender: Sendable {
    let url: OutboundURL
    let recipients: [EmailMailbox]
    private let from: EmailMailbox
    private let allowsPlain: Bool
    private let greeting: String?
    private let policy: TargetPolicy
    private let limits: OutboundLimits
    private let now: @Sendable () -> UTCInstant

    /// Nil unless server, sender and recipients are configured.
    init?(
        _ settings: Settings, policy: TargetPolicy, limits: OutboundLimits, now: @escaping @Sendable () -> UTCInstant
    ) {
        let recipients = settings[\.alertsEmailTo]
        guard let url = settings[\.alertsSMTPURL], let from = settings[\.alertsEmailFrom].first, !recipients.isEmpty
        else { return nil }
        self.url = url
        self.recipients = recipients
        self.from = from
        allowsPlain = settings[\.alertsSMTPAllowPlain]
        let name = settings[\.alertsSMTPGreeting]
        greeting = name.isEmpty ? settings[\.publicURL]?.host : name
        self.policy = policy
        self.limits = limits
        self.now = now
    }

    func send(_ delivery: AlertDelivery, _ stop: OutboundStop) -> AlertOutcome {
        var mail = MailSubmission(
            url: url, from: from.address, to: recipients.map(\.address),
            message: AlertEmail.bytes(of: delivery, from: from, to: recipients, sentAt: now()),
            allowsPlain: allowsPlain)
        mail.greeting = greeting
        do throws(OutboundError) {
            try mail.send(policy: policy, limits: limits, stop: stop)
            return .delivered
        } catch {
            // A 5xx reply is permanent for this message, a 4xx reply is not (RFC 5321 section 4.2.1).
            if case .replied(_, 500...599) = error { return .refused(reason: "\(error)") }
            return AlertOutcome(error)
        }
    }
}
