import Backend
import Dispatch
import Logging

/// Work that is done again and again beside the requests. A run that fails is logged and tried again at its next turn.
final class Jobs: Sendable {
    private let queue = DispatchQueue(label: "subguard.jobs", qos: .utility)
    private let stopped = Flag()
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// Asked by work that takes long.
    var isStopping: Bool { stopped.isSet }

    /// First after one interval, or after `first`; then one interval after each end.
    func every(
        _ interval: DispatchTimeInterval, first: DispatchTimeInterval? = nil, _ name: String,
        _ work: @escaping @Sendable () throws -> Void
    ) {
        queue.asyncAfter(deadline: .now() + (first ?? interval)) { [self] in
            guard !stopped.isSet else { return }
            do { try work() } catch { logger.error("job failed", metadata: ["job": "\(name)", "error": "\(error)"]) }
            every(interval, name, work)
        }
    }

    /// Like ``every(_:first:_:_:)``, by one server for all that share the store: each asks in turn whether it is due.
    func everyOnce(
        seconds: Int64, first: DispatchTimeInterval? = nil, _ name: String, _ leases: JobLeases,
        _ work: @escaping @Sendable () throws -> Void
    ) {
        every(.seconds(Int(clamping: min(seconds, 60))), first: first, name) {
            try leases.run(name, everySeconds: seconds, work)
        }
    }

    /// Returns when no job runs any more.
    func stop() {
        stopped.set()
        queue.sync {}
    }
}
