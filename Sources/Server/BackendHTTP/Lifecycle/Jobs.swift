import Backend
import Dispatch
import Logging

/// Runs recurring work in the background. A failed run is logged and repeated at the next interval.
final class Jobs: Sendable {
    private let queue = DispatchQueue(label: "subguard.jobs", qos: .utility)
    private let stopped = Flag()
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// Whether long-running work must stop early.
    var isStopping: Bool { stopped.isSet }

    /// The first run is after one interval, or after `first`; every further run is one interval after the end of the
    /// previous one.
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

    /// Like ``every(_:first:_:_:)``, but when the job is due, only one of the servers sharing the database runs it.
    func everyOnce(
        seconds: Int64, first: DispatchTimeInterval? = nil, _ name: String, _ leases: JobLeases,
        _ work: @escaping @Sendable () throws -> Void
    ) {
        every(.seconds(Int(clamping: min(seconds, 60))), first: first, name) {
            try leases.run(name, everySeconds: seconds, work)
        }
    }

    /// Returns when all running jobs have ended.
    func stop() {
        stopped.set()
        queue.sync {}
    }
}
