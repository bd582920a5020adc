import Outbound
import SubGuardDomain
import Telemetry

/// The configured receivers with their senders.
struct AlertChannels: Sendable {
    typealias Sender = @Sendable (AlertDelivery, OutboundStop) -> AlertOutcome

    private(set) var targets: [AlertTarget] = []
    private(set) var senders: [AlertTarget: Sender] = [:]

    init(settings: Settings, now: @escaping @Sendable () -> UTCInstant) {
        let policy = TargetPolicy(settings)
        let limits = OutboundLimits(settings)
        for url in settings[\.alertsSlackWebhookURLs] {
            let sender = SlackSender(url: url, policy: policy, limits: limits)
            add(.slack, "\(url.label)/…", url) { sender.send($0, $1) }
        }
        if let sender = EmailSender(settings, policy: policy, limits: limits, now: now) {
            let count = sender.recipients.count
            let label = "\(sender.url.label), \(count) recipient\(count == 1 ? "" : "s")"
            add(.email, label, sender.url) { sender.send($0, $1) }
        }
        let webhooks = settings[\.alertsWebhookURLs]
        let secrets = Self.secrets(settings[\.alertsWebhookSecret], count: webhooks.count)
        for (url, secret) in zip(webhooks, secrets) {
            let sender = WebhookSender(url: url, secret: secret, policy: policy, limits: limits, now: now)
            add(.webhook, "\(url.label)/…", url) { sender.send($0, $1) }
        }
    }

    /// One secret for each of several receivers, or the same for all.
    private static func secrets(_ text: String, count: Int) -> [String] {
        let each = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return count > 1 && each.count == count ? each : Array(repeating: text, count: count)
    }

    /// Receivers at one host are told apart by their number.
    private mutating func add(
        _ channel: AlertChannel, _ label: String, _ url: OutboundURL, _ sender: @escaping Sender
    ) {
        let place = targets.count { $0.channel == channel } + 1
        let target = AlertTarget(
            channel: channel, label: place == 1 ? label : "\(label) (\(place))", address: url.text)
        targets.append(target)
        senders[target] = sender
    }
}

extension AlertOutcome {
    /// The outcome of a transfer without a response. A forbidden target is rejected: retries cannot succeed.
    init(_ error: OutboundError) {
        switch error {
        case .stopped: self = .interrupted
        case .notAllowed: self = .refused(reason: "\(error)")
        case .cannotResolve, .failed, .libcurl, .replied, .answerTooLarge: self = .failed(reason: "\(error)")
        }
    }
}
