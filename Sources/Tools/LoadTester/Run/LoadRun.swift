import DeviceSimulation
import Dispatch
import Foundation
import HTTPServer
import Synchronization

/// Runs a plan: one worker on each of its threads, and the sum of their counts.
final class LoadRun: Sendable {
    /// Nanoseconds from the start to the first request, for opening connections.
    private static let lead: Int64 = 200_000_000

    private let plan: LoadPlan
    private let endpoints: [Endpoint]
    private let isStopped = Mutex(false)
    private let tallies: Mutex<[LoadTally]>
    private let problem = Mutex<RunError?>(nil)

    init(_ plan: LoadPlan, _ endpoints: [Endpoint]) {
        (self.plan, self.endpoints) = (plan, endpoints)
        tallies = Mutex(Array(repeating: LoadTally(), count: plan.threads))
    }

    /// Blocks until the run is over.
    ///
    /// - Parameter progress: called five times a second with the counts so far and the seconds since the start, at
    ///   least 0. Returns whether to go on; if not, the run ends soon, and the counts so far are kept.
    func result(
        progress: (LoadTally, _ seconds: Double) -> Bool = { _, _ in true }
    ) throws(RunError) -> LoadResult {
        if plan.isOfDevices { try allowConnections() }
        for endpoint in endpoints { try endpoint.probe() }
        let figures = try dashboard()
        let usage = try ServerUsage.read(process: plan.serverPid, store: plan.serverStore)
        let processor = LoadClock.processorSeconds()
        let begin = LoadClock.now()
        let timing = LoadTiming(plan, start: begin + Self.lead)
        var mostConnected = 0
        try runWorkers(timing) { total in
            mostConnected = max(mostConnected, total[.connected])
            return progress(total, max(0, Double(LoadClock.now() - timing.start) / 1e9))
        }
        let end = LoadClock.now()
        let seconds = Double(end - begin) / 1e9
        let measured = Double((plan.isOfDevices ? end : min(end, timing.end)) - timing.measuredFrom) / 1e9
        return LoadResult(
            plan: plan, tally: total, measuredSeconds: max(0.001, measured),
            processorCores: (LoadClock.processorSeconds() - processor) / seconds,
            usage: try ServerUsage.read(process: plan.serverPid, store: plan.serverStore)
                .since(usage, seconds: seconds),
            wasStopped: isStopped.withLock { $0 }, mostConnected: mostConnected,
            dashboard: try dashboard()?.merging(figures ?? [:], uniquingKeysWith: -))
    }

    private var total: LoadTally {
        tallies.withLock { tallies in tallies.reduce(into: LoadTally()) { $0.add($1) } }
    }

    /// Blocks until every worker has returned. Throws the last error of a worker.
    private func runWorkers(_ timing: LoadTiming, progress: (LoadTally) -> Bool) throws(RunError) {
        let done = DispatchGroup()
        for number in 0..<plan.threads {
            done.enter()
            let thread = Thread { [self] in
                defer { done.leave() }
                do throws(RunError) {
                    let worker: LoadWorker =
                        plan.isOfDevices
                        ? try DeviceWorker(plan, endpoints, timing: timing, thread: number)
                        : try RateWorker(plan, endpoints, timing: timing, thread: number)
                    worker.run { tally in
                        tallies.withLock { $0[number] = tally }
                        return isStopped.withLock { $0 }
                    }
                } catch { problem.withLock { $0 = error } }
            }
            thread.stackSize = 1024 * 1024
            thread.start()
        }
        while done.wait(timeout: .now() + 0.2) == .timedOut {
            if !progress(total) { isStopped.withLock { $0 = true } }
        }
        if let problem = problem.withLock({ $0 }) { throw problem }
    }

    /// Allows this process as many open connections as there are devices, or throws why that is impossible.
    private func allowConnections() throws(RunError) {
        let deviceCount = plan.deviceCount
        let range = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let bounds = (range ?? "").split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        if bounds.count == 2, deviceCount > (bounds[1] - bounds[0] + 1) * endpoints.count {
            throw RunError(
                "--devices: \(deviceCount) connections need as many local ports for each server, and "
                    + "net.ipv4.ip_local_port_range has \(bounds[1] - bounds[0] + 1)")
        }
        // Some are for standard streams, epoll and libraries.
        let needed = deviceCount + 64
        let most = DescriptorLimit.raise(to: needed)
        guard most < needed else { return }
        throw RunError(
            "--devices: \(deviceCount) connections need \(needed) open files, and this process may have "
                + "\(most): `ulimit -Hn \(needed)` as root, or LimitNOFILE")
    }

    /// Those figures of the dashboard that follow from the devices; nil without a token.
    private func dashboard() throws(RunError) -> [String: Int]? {
        guard plan.isOfDevices, let token = plan.credential else { return nil }
        return try ServerCalls(token: token, exchange: endpoints[0].exchange(within: plan.requestTimeout))
            .deviceFigures()
    }
}
