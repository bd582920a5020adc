import Dispatch
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
    private let wakeups: [AlertTarget: DispatchSemaphore]
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
        wakeups = channels.senders.mapValues { _ in DispatchSemaphore(value: 0) }
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

    private func run(_ target: AlertTarget, _ send: AlertChannels.Sender, _ wakeup: DispatchSemaphore) {
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
