import Dispatch
import Logging
import Outbound
import ServerAccess
import Synchronization
import Telemetry

/// Sends ranges of the log to ClickHouse while this server has the lease.
///
/// Nothing else depends on it: when ClickHouse is away, the range waits in the ledger and the log keeps its blocks.
final class EventSinkSender: Sendable {
    /// What this process has done, for the metrics.
    struct Counts: Sendable {
        var events: Int64 = 0
        var ranges: Int64 = 0
        var failures: Int64 = 0
    }

    private struct State {
        var cluster: EventSinkCluster?
        var counts = Counts()
        /// Failures since the last success.
        var failuresInARow = 0
        var nextAttemptAt = DispatchTime(uptimeNanoseconds: 0)
        var nextWarningAt = DispatchTime(uptimeNanoseconds: 0)
    }

    let sink: EventSink
    private let settings: Settings
    private let url: EventSinkURL
    private let epoch: String
    private let identity: String
    private let leases: JobLeases
    private let stop: OutboundStop
    private let logger: Logger
    private let state = Mutex(State())

    private static let job = "event sink"
    /// A run ends within its lease, so that usually one process sends.
    private static let leaseSeconds: Int64 = 30
    private static let secondsOfARun: Double = 10
    private static let mostSecondsBetweenAttempts = 60
    private static let lagToWarnOf: Double = 900

    /// Nil while no sink is configured.
    init?(_ settings: Settings, context: BackendContext, stop: OutboundStop, logger: Logger) throws {
        guard let url = settings[\.eventSinkURL] else { return nil }
        self.settings = settings
        self.url = url
        sink = EventSink(context: context)
        let store = try StoreIdentity(context: context)
        // Written as before, because ClickHouse knows blocks by it.
        epoch = store.epoch.map { String($0, radix: 16) }.joined()
        identity = store.text
        leases = JobLeases(context: context)
        self.stop = stop
        self.logger = logger
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Looks whether something is due, and sends it if no other server does. Throws errors of the database only.
    func run() throws {
        try sink.sign()
        warnOfLag()
        guard state.withLock({ $0.nextAttemptAt <= .now() }), try sink.isDue() else { return }
        try leases.run(Self.job, everySeconds: 1, leaseSeconds: Self.leaseSeconds) {
            let end = DispatchTime.now() + Self.secondsOfARun
            try send(while: { !stop.isStopped && DispatchTime.now() < end })
        }
    }

    private func send(while goesOn: () -> Bool) throws {
        do {
            let cluster = try connected()
            let order = EventSink.Order(shardCount: cluster.shards.count)
            let stream = EventSinkStream(
                sink: sink, order: order, cluster: cluster, database: url.database, epoch: epoch)
            try stream.send(while: goesOn, noteSuccess)
        } catch let error as EventSinkError {
            noteFailure(error)
        }
    }

    private func connected() throws(EventSinkError) -> EventSinkCluster {
        if let cluster = state.withLock({ $0.cluster }) { return cluster }
        let cluster = try EventSinkCluster(settings, url: url, stop: stop)
        try EventSinkTables(cluster: cluster, database: url.database, number: 1).checkOwner(identity)
        state.withLock { $0.cluster = cluster }
        return cluster
    }

    private func noteSuccess(_ range: EventSink.Range) {
        let failures = state.withLock { state in
            defer { state.failuresInARow = 0 }
            state.counts.ranges += 1
            state.counts.events += range.eventCount
            return state.failuresInARow
        }
        guard failures > 0 else { return }
        logger.notice("the event sink responds again", metadata: ["failed_attempts": "\(failures)"])
    }

    /// Waits longer after each failure, and asks for the servers of the cluster again.
    private func noteFailure(_ error: EventSinkError) {
        guard !stop.isStopped else { return }
        let failures = state.withLock { state in
            state.cluster = nil
            state.counts.failures += 1
            state.failuresInARow += 1
            let seconds = min(1 << min(state.failuresInARow, 10), Self.mostSecondsBetweenAttempts)
            state.nextAttemptAt = .now() + .seconds(seconds)
            return state.failuresInARow
        }
        // The first one, and then about one an hour.
        guard failures == 1 || failures % 60 == 0 else { return }
        logger.warning(
            "the event sink does not take events; they wait in the log",
            metadata: ["error": "\(error)", "failed_attempts": "\(failures)"])
    }

    private func warnOfLag() {
        guard state.withLock({ $0.nextWarningAt <= .now() }) else { return }
        guard let lag = try? sink.lag(), lag.seconds > Self.lagToWarnOf else { return }
        state.withLock { $0.nextWarningAt = .now() + .seconds(3600) }
        logger.warning(
            "the event sink is behind",
            metadata: ["lag_seconds": "\(Int(lag.seconds))", "waiting_blocks": "\(lag.blocks)"])
    }
}
