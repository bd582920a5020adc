/// A tried rate.
package struct RampStep: Sendable, Equatable {
    /// Events or requests per second, depending on the plan.
    package let rate: Double
    package let p99Microseconds: UInt64
    /// Whether the server kept the bounds and the rate.
    package let holds: Bool

    package init(rate: Double, p99Microseconds: UInt64, holds: Bool) {
        self.rate = rate
        self.p99Microseconds = p99Microseconds
        self.holds = holds
    }
}

/// Runs a plan at several rates in sequence.
package struct RampRun: Sendable {
    /// The minimum share of due requests answered during the measurement; below it the rate does not hold.
    private static let keptShare = 0.98

    private var plan: LoadPlan

    /// `plan` sets the rate of the first step and the thresholds that hold, with a p99 of 20 ms unless it has another.
    package init(_ plan: LoadPlan) {
        self.plan = plan
        self.plan.thresholds.p99 = plan.thresholds.p99 ?? .milliseconds(20)
    }

    /// The result at the highest rate that holds, otherwise that of the last run; nil if there was none.
    ///
    /// - Parameters:
    ///   - run: runs a plan.
    ///   - told: receives each step.
    ///   - isStopped: ends the search.
    package func result(
        run: (LoadPlan) throws(LoadError) -> LoadResult, told: (RampStep) -> Void, isStopped: () -> Bool
    ) throws(LoadError) -> LoadResult? {
        var search = RampSearch(start: startRate)
        var shown: LoadResult?
        while let rate = search.next, !isStopped() {
            let result = try run(paced(rate, step: search.steps.count))
            let step = judge(result, rate: rate)
            search.record(step)
            told(step)
            if search.best == nil || search.best == rate { shown = result }
        }
        shown?.ramp = search.steps
        shown?.wasStopped = isStopped()
        return shown
    }

    package func judge(_ result: LoadResult, rate: Double) -> RampStep {
        let due = (result.plan.requestsPerSecond ?? 0) * result.measuredSeconds
        // Each connection may have a running request at the end.
        let isKept = Double(result.tally[.measuredAnswers] + result.plan.connections) >= Self.keptShare * due
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
        if case .requests = plan.pace { plan.requestRate = rate } else { plan.rate = rate }
        plan.seed = plan.seedNumber &+ UInt64(step)
        return plan
    }
}
