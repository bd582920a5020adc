/// Runs a plan of constant traffic.
package final class LoadRun: Sendable {
    private let plan: LoadPlan
    private let endpoints: [Endpoint]
    private let workers: WorkerThreads<LoadTally>

    package init(_ plan: LoadPlan, _ endpoints: [Endpoint]) {
        self.plan = plan
        self.endpoints = endpoints
        workers = WorkerThreads(count: plan.threads)
    }

    /// Ends the run soon; counts so far are kept.
    package func stop() { workers.stop() }

    /// Blocks until the run is over. `progress` is called five times a second with the counts so far and the seconds
    /// since the first request was due.
    package func result(progress: (LoadTally, _ seconds: Double) -> Void = { _, _ in }) throws(LoadError) -> LoadResult
    {
        for endpoint in endpoints { try endpoint.probe() }
        let usage = try ServerUsage.read(process: plan.serverProcess, store: plan.serverStore)
        let processor = LoadClock.processorSeconds()
        let begin = LoadClock.now()
        let timing = LoadTiming(plan, start: begin + WorkerThreads<LoadTally>.lead)
        try workers.run { [plan, endpoints] thread, publish throws(LoadError) in
            try LoadWorker(plan, endpoints, timing: timing, thread: thread).run(publish: publish)
        } progress: { total in
            progress(total, max(0, Double(LoadClock.now() - timing.start) / 1e9))
        }
        let end = LoadClock.now()
        let measured = Double(min(end, timing.end) - timing.measuredFrom) / 1e9
        return LoadResult(
            plan: plan, tally: workers.total, measuredSeconds: max(0.001, measured),
            processorCores: (LoadClock.processorSeconds() - processor) / (Double(end - begin) / 1e9),
            usage: try ServerUsage.read(process: plan.serverProcess, store: plan.serverStore)
                .since(usage, seconds: Double(end - begin) / 1e9), wasStopped: workers.wasStopped)
    }
}
