import JSONWire

/// Runs the devices of a plan.
package final class DeviceRun: Sendable {
    private let plan: DevicePlan
    private let endpoints: [Endpoint]
    private let workers: WorkerThreads<DeviceTally>

    package init(_ plan: DevicePlan, _ endpoints: [Endpoint]) {
        self.plan = plan
        self.endpoints = endpoints
        workers = WorkerThreads(count: plan.threads)
    }

    /// Ends the run soon; counts so far are kept.
    package func stop() { workers.stop() }

    /// Blocks until the run is over. `progress` is called five times a second with the counts so far and the simulated
    /// day, from 0.
    package func result(
        progress: (DeviceTally, _ day: Double) -> Void = { _, _ in }
    ) throws(LoadError) -> DeviceResult {
        try DescriptorLimit.allow(connections: plan.devices, servers: endpoints.count)
        for endpoint in endpoints { try endpoint.probe() }
        let figures = try dashboard()
        let usage = try ServerUsage.read(process: plan.serverProcess, store: plan.serverStore)
        let processor = LoadClock.processorSeconds()
        let timing = DeviceTiming(
            plan, start: LoadClock.now() + WorkerThreads<DeviceTally>.lead, calendar: LoadClock.calendarMilliseconds())
        var mostConnected = 0
        try workers.run { [plan, endpoints] thread, publish throws(LoadError) in
            try DeviceWorker(plan, endpoints, timing: timing, thread: thread).run(publish: publish)
        } progress: { total in
            mostConnected = max(mostConnected, total.connected)
            let elapsed = Double(LoadClock.now() - timing.start)
            progress(total, max(0, elapsed / Double(plan.dayLength.nanoseconds)))
        }
        let seconds = Double(LoadClock.now() - timing.start) / 1e9
        var result = DeviceResult(plan: plan, tally: workers.total)
        result.seconds = seconds
        result.mostConnected = mostConnected
        result.processorCores = (LoadClock.processorSeconds() - processor) / seconds
        result.wasStopped = workers.wasStopped
        result.usage = try ServerUsage.read(process: plan.serverProcess, store: plan.serverStore)
            .since(usage, seconds: seconds)
        if let figures, let now = try dashboard() { result.dashboard = now.merging(figures, uniquingKeysWith: -) }
        return result
    }

    /// Those figures of the dashboard that follow from the devices; nil without a token.
    private func dashboard() throws(LoadError) -> [String: Int]? {
        guard let token = plan.token else { return nil }
        let dashboard = try ServerCalls(endpoints[0], token: token, timeout: plan.timeout).dashboard()
        var figures: [String: Int] = [:]
        for name in DeviceAccount().figures.keys {
            guard let value = dashboard[name]?.objectValue?["value"]?.integerValue else {
                throw .unreadable("--token: the dashboard has no figure \(name)")
            }
            figures[name] = Int(value)
        }
        return figures
    }
}
