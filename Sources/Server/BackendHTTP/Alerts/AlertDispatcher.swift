import Dispatch
import Locking
import Logging
import Outbound
import SubGuardDomain
import Synchronization
import Telemetry

/// Sends the deliveries of the outbox. Each receiver has its own thread, so a slow one delays no other and no request.
final class AlertDispatcher: Sendable {
    let store: AlertStore
    private let channels: AlertChannels
    private let logger: Logger
    private let stopping = OutboundStop()
    private let running = DispatchGroup()
    private let wakeups: [AlertTarget: MonotonicSemaphore]
    private let counters = Mutex<[AlertChannel: [AlertDelivery.State: Int64]]>([:])

    /// Slack accepts about one message per second; the pause does not harm the other channels.
    private static let pause = DispatchTimeInterval.seconds(1)
    private static let pauseAfterFailure = DispatchTimeInterval.seconds(5)
    /// A transfer stops within one second. A hanging resolver may take longer and is then abandoned.
    private static let stopDeadline = DispatchTimeInterval.seconds(3)

    init(store: AlertStore, channels: AlertChannels, logger: Logger) {
        self.store = store
        self.channels = channels
        self.logger = logger
        wakeups = channels.senders.mapValues { _ in MonotonicSemaphore(value: 0) }
    }

    /// Number of results by channel and state since the start of the process.
    var counts: [AlertChannel: [AlertDelivery.State: Int64]] { counters.withLock { $0 } }

    func start() {
        for (target, send) in channels.senders {
            guard let wakeup = wakeups[target] else { continue }
            let label = "subguard.alerts.\(target.channel.rawValue)"
            DispatchQueue(label: label, qos: .utility).async(group: running) { [self] in run(target, send, wakeup) }
        }
    }

    /// Checks the outbox immediately instead of after the pause.
    func wake() {
        for wakeup in wakeups.values { wakeup.signal() }
    }

    /// Cancels running transfers; their deliveries stay in the outbox.
    func stop() {
        stopping.stop()
        wake()
        _ = running.wait(timeout: .now() + Self.stopDeadline)
    }

    private func run(_ target: AlertTarget, _ send: AlertChannels.Sender, _ wakeup: MonotonicSemaphore) {
        while !stopping.isStopped {
            var pause = Self.pause
            do {
                if let lease = try store.claim(target) {
                    try finish(lease, send(lease.delivery, stopping))
                }
            } catch {
                logger.error("alert outbox", metadata: ["channel": "\(target.channel.rawValue)", "error": "\(error)"])
                pause = Self.pauseAfterFailure
            }
            _ = wakeup.wait(timeout: .now() + pause)
        }
    }

    private func finish(_ lease: AlertLease, _ outcome: AlertOutcome) throws {
        let channel = lease.delivery.channel
        guard let state = try store.finish(lease, outcome), outcome != .interrupted else { return }
        counters.withLock { $0[channel, default: [:]][state, default: 0] += 1 }
        var metadata: Logger.Metadata = [
            "delivery": "\(lease.delivery.id.lowercased)", "channel": "\(channel.rawValue)",
            "attempt": "\(lease.delivery.attempts)", "state": "\(state.rawValue)",
        ]
        if let reason = outcome.reason { metadata["reason"] = "\(reason)" }
        logger.log(level: state == .delivered ? .notice : .warning, "alert", metadata: metadata)
    }
}

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
