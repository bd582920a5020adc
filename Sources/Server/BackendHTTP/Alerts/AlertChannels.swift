import Backend
import Outbound
import SubGuardDomain

/// The configured channels with their senders.
struct AlertChannels: Sendable {
    typealias Sender = @Sendable (AlertDelivery, OutboundStop) -> AlertOutcome

    private(set) var targets: [AlertTarget] = []
    private(set) var senders: [AlertChannel: Sender] = [:]

    init(settings: Settings, now: @escaping @Sendable () -> UTCInstant) {
        let policy = TargetPolicy(settings)
        let limits = OutboundLimits(settings)
        if let url = settings[\.alertsSlackWebhookURL] {
            let sender = SlackSender(url: url, policy: policy, limits: limits)
            add(AlertTarget(channel: .slack, label: "\(url.label)/…", address: url.text)) { sender.send($0, $1) }
        }
        if let sender = EmailSender(settings, policy: policy, limits: limits, now: now) {
            let count = sender.recipients.count
            let label = "\(sender.url.label), \(count) recipient\(count == 1 ? "" : "s")"
            add(AlertTarget(channel: .email, label: label, address: sender.url.text)) { sender.send($0, $1) }
        }
        if let url = settings[\.alertsWebhookURL] {
            let sender = WebhookSender(
                url: url, secret: settings[\.alertsWebhookSecret], policy: policy, limits: limits, now: now)
            add(AlertTarget(channel: .webhook, label: "\(url.label)/…", address: url.text)) { sender.send($0, $1) }
        }
    }

    private mutating func add(_ target: AlertTarget, _ sender: @escaping Sender) {
        targets.append(target)
        senders[target.channel] = sender
    }
}

extension AlertOutcome {
    /// The outcome of a transfer without a response. A forbidden target is rejected: retries cannot succeed.
    init(_ error: OutboundError) {
        switch error {
        case .stopped: self = .interrupted
        case .notAllowed: self = .refused(reason: "\(error)")
        case .cannotResolve, .failed, .replied, .answerTooLarge: self = .failed(reason: "\(error)")
        }
    }
}
