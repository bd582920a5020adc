/// Runs a plan at several rates in sequence.
package struct RampRun: Sendable {
    /// The minimum share of due requests answered during the measurement; below it the rate does not hold.
    private static let keptShare = 0.98

    package struct Outcome: Sendable {
        package let steps: [RampStep]
        /// The run at the highest rate that held; otherwise the last run.
        package let result: LoadResult
        package let holds: Bool
    }

    private let plan: LoadPlan

    /// `plan` sets the rate of the first step and the thresholds that hold. Throws for a closed loop.
    package init(_ plan: LoadPlan) throws(LoadOptionError) {
        guard plan.pace != .closed else { throw LoadOptionError("--ramp", "paces the load; --closed does not") }
        self.plan = plan
    }

    /// `run` runs a plan; `told` receives each step. `isStopped` ends the search.
    package func outcome(
        run: (LoadPlan) throws(LoadError) -> LoadResult, told: (RampStep) -> Void, isStopped: () -> Bool
    ) throws(LoadError) -> Outcome? {
        var search = RampSearch(start: startRate)
        var best: LoadResult?
        var last: LoadResult?
        while let rate = search.next, !isStopped() {
            let result = try run(paced(rate, step: search.steps.count))
            let step = judge(result, rate: rate)
            search.record(step)
            told(step)
            last = result
            if step.holds, search.best == rate { best = result }
        }
        guard let result = best ?? last else { return nil }
        return Outcome(steps: search.steps, result: result, holds: best != nil)
    }

    package func judge(_ result: LoadResult, rate: Double) -> RampStep {
        let due = (result.plan.requestsPerSecond ?? 0) * result.measuredSeconds
        // Each connection may have a running request at the end.
        let isKept = Double(result.tally.measuredAnswers + result.plan.connections) >= Self.keptShare * due
        return RampStep(
            rate: rate, p99Microseconds: result.total.latency.value(at: 99), holds: isKept && result.failures.isEmpty)
    }

    private var startRate: Double {
        switch plan.pace {
        case .events(let rate), .requests(let rate): rate
        case .closed: 0
        }
    }

    /// Each step has its own seed, so that its ids are new to the server.
    private func paced(_ rate: Double, step: Int) -> LoadPlan {
        var plan = plan
        if case .requests = plan.pace {
            plan.pace = .requests(perSecond: rate)
        } else {
            plan.pace = .events(perSecond: rate)
        }
        plan.seed &+= UInt64(step)
        return plan
    }
}
