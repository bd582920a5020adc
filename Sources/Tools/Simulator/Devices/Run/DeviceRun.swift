import Dispatch
import Foundation
import Synchronization

/// Lets the devices of a plan live.
package final class DeviceRun: Sendable {
    private static let lead: Int64 = 200_000_000

    private let plan: DevicePlan
    private let address: NetworkAddress
    private let isStopped = Mutex(false)
    private let tallies: Mutex<[DeviceTally]>
    private let problem = Mutex<LoadError?>(nil)

    package init(_ plan: DevicePlan, _ address: NetworkAddress) {
        self.plan = plan
        self.address = address
        tallies = Mutex(Array(repeating: DeviceTally(), count: plan.threads))
    }

    /// Ends the run soon; what was counted stays.
    package func stop() { isStopped.withLock { $0 = true } }

    /// Blocks until the run is over. `progress` is called five times a second with what was counted so far and the day of
    /// the simulation, from 0.
    package func result(
        progress: (DeviceTally, _ day: Double) -> Void = { _, _ in }
    ) throws(LoadError) -> DeviceResult {
        try DescriptorLimit.allow(connections: plan.devices)
        guard address.acceptsConnections() else { throw .cannotConnect(plan.target.authority) }
        let figures = try dashboard()
        let usage = try ServerUsage.read(plan)
        let processor = LoadClock.processorSeconds()
        let timing = DeviceTiming(
            plan, start: LoadClock.now() + Self.lead, calendar: LoadClock.calendarMilliseconds())
        let done = begin(timing)
        var mostConnected = 0
        while done.wait(timeout: .now() + 0.2) == .timedOut {
            let total = total
            mostConnected = max(mostConnected, total.connected)
            let elapsed = Double(LoadClock.now() - timing.start)
            progress(total, max(0, elapsed / Double(plan.dayLength.nanoseconds)))
        }
        if let problem = problem.withLock({ $0 }) { throw problem }
        let seconds = Double(LoadClock.now() - timing.start) / 1e9
        var result = DeviceResult(plan: plan, tally: total)
        result.seconds = seconds
        result.mostConnected = mostConnected
        result.processorCores = (LoadClock.processorSeconds() - processor) / seconds
        result.wasStopped = isStopped.withLock { $0 }
        result.usage = try ServerUsage.read(plan).since(usage)
        if let figures, let now = try dashboard() { result.dashboard = now - figures }
        return result
    }

    private func dashboard() throws(LoadError) -> DashboardFigures? {
        guard let token = plan.token else { return nil }
        return try DashboardFigures.read(plan.target, address, token: token, timeout: plan.timeout)
    }

    private func begin(_ timing: DeviceTiming) -> DispatchGroup {
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
        return done
    }

    private func work(_ thread: Int, _ timing: DeviceTiming) {
        do {
            let worker = try DeviceWorker(plan, address, timing: timing, thread: thread)
            worker.run { tally in
                tallies.withLock { $0[thread] = tally }
                return isStopped.withLock { $0 }
            }
        } catch {
            problem.withLock { $0 = error }
        }
    }

    private var total: DeviceTally {
        tallies.withLock { tallies in
            var sum = DeviceTally()
            for tally in tallies { sum.add(tally) }
            return sum
        }
    }
}
