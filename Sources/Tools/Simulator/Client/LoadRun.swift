import Dispatch
import Foundation
import Synchronization

/// Carries a plan out.
package final class LoadRun: Sendable {
    /// From the decision to start to the first request, for connections to be made.
    private static let lead: Int64 = 200_000_000

    private let plan: LoadPlan
    private let address: NetworkAddress
    private let isStopped = Mutex(false)
    private let tallies: Mutex<[LoadTally]>
    private let problem = Mutex<LoadError?>(nil)

    package init(_ plan: LoadPlan, _ address: NetworkAddress) {
        self.plan = plan
        self.address = address
        tallies = Mutex(Array(repeating: LoadTally(), count: plan.threads))
    }

    /// Ends the run soon; what was counted stays.
    package func stop() { isStopped.withLock { $0 = true } }

    /// Blocks until the run is over. `progress` is called five times a second with what was counted so far and the
    /// seconds since the first request was due.
    package func result(progress: (LoadTally, _ seconds: Double) -> Void = { _, _ in }) throws(LoadError) -> LoadResult
    {
        guard address.acceptsConnections() else { throw .cannotConnect(plan.target.authority) }
        let processor = LoadClock.processorSeconds()
        let timing = LoadTiming(plan, start: LoadClock.now() + Self.lead)
        let done = DispatchGroup()
        for thread in 0..<plan.threads {
            done.enter()
            let worker = Thread { [self] in
                work(thread, timing)
                done.leave()
            }
            worker.stackSize = 1024 * 1024
            worker.start()
        }
        while done.wait(timeout: .now() + 0.2) == .timedOut {
            progress(total, max(0, Double(LoadClock.now() - timing.start) / 1e9))
        }
        if let problem = problem.withLock({ $0 }) { throw problem }
        let end = LoadClock.now()
        let measured = Double(min(end, timing.end) - timing.measuredFrom) / 1e9
        return LoadResult(
            plan: plan, tally: total, measuredSeconds: max(0.001, measured),
            processorCores: (LoadClock.processorSeconds() - processor) / (Double(end - timing.start + Self.lead) / 1e9),
            wasStopped: isStopped.withLock { $0 })
    }

    private var total: LoadTally {
        tallies.withLock { tallies in
            var sum = LoadTally()
            for tally in tallies { sum.add(tally) }
            return sum
        }
    }

    private func work(_ thread: Int, _ timing: LoadTiming) {
        do {
            let worker = try LoadWorker(plan, address, timing: timing, thread: thread)
            worker.run { tally in
                tallies.withLock { $0[thread] = tally }
                return isStopped.withLock { $0 }
            }
        } catch {
            problem.withLock { $0 = error }
        }
    }
}
