import Mail
import Outbound
import SubGuardDomain
import Telemetry

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
