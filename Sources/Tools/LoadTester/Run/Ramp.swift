import DeviceSimulation
import LatencyHistogram

/// A tried rate.
struct RampStep: Sendable, Equatable {
    /// Events or requests per second, depending on the plan.
    let rate: Double
    let p99Microseconds: UInt64
    /// What the server did not keep; nil if the rate holds.
    let failure: String?

    var holds: Bool { failure == nil }
}

/// Searches for the highest rate that holds: doubles the rate until it does not hold, then bisects the gap. The caller
/// runs each ``next`` rate and appends the step.
struct RampSearch: Sendable {
    /// The search ends when the gap between the highest rate that holds and the lowest that does not is at most this
    /// fraction of the former.
    private static let precision = 0.05
    /// Doubling a rate thirty times exceeds any server.
    private static let maximumSteps = 40

    /// The first rate, which should be low; if it does not hold, rates down to a hundredth of it are tried.
    let start: Double
    /// With the outcome of each ``next``.
    var steps: [RampStep] = []

    /// The highest rate that held; nil if none did.
    var best: Double? { steps.filter(\.holds).map(\.rate).max() }

    /// The rate to try next; nil when the search is over.
    var next: Double? {
        guard steps.count < Self.maximumSteps else { return nil }
        switch (best, steps.filter { !$0.holds }.map(\.rate).min()) {
        case (let holding?, let failing?):
            return failing - holding <= Self.precision * holding ? nil : (holding + failing) / 2
        case (let holding?, nil): return holding * 2
        case (nil, let failing?): return failing / 2 < start / 100 ? nil : failing / 2
        case (nil, nil): return start
        }
    }
}

/// Runs a plan at several rates in sequence.
struct RampRun: Sendable {
    /// The minimum share of due requests answered during the measurement; below it the rate does not hold.
    private static let keptShare = 0.98

    private var plan: LoadPlan

    /// `plan` sets the rate of the first step and the thresholds that hold, with a p99 of 20 ms unless it has another.
    init(_ plan: LoadPlan) {
        self.plan = plan
        self.plan.thresholds.p99 = plan.thresholds.p99 ?? .milliseconds(20)
    }

    /// The result at the highest rate that holds, otherwise that of the last run; nil if there was none.
    ///
    /// - Parameters:
    ///   - run: runs a plan.
    ///   - told: receives each step.
    ///   - isStopped: ends the search.
    func result(
        run: (LoadPlan) throws(RunError) -> LoadResult, told: (RampStep) -> Void, isStopped: () -> Bool
    ) throws(RunError) -> LoadResult? {
        var search: RampSearch
        var shown: LoadResult?
        switch plan.pace {
        case .events(let start), .requests(let start): search = RampSearch(start: start)
        case .closed: return nil
        }
        while let rate = search.next, !isStopped() {
            var paced = plan
            if case .requests = plan.pace { paced.requestRate = rate } else { paced.rate = rate }
            // Each step has its own seed, so that its ids are new to the server.
            paced.seed = plan.seedNumber &+ UInt64(search.steps.count)
            let result = try run(paced)
            let step = judge(result, rate: rate)
            search.steps.append(step)
            told(step)
            if search.best == nil || search.best == rate { shown = result }
        }
        shown?.ramp = search.steps
        shown?.wasStopped = isStopped()
        return shown
    }

    func judge(_ result: LoadResult, rate: Double) -> RampStep {
        let due = (result.plan.requestsPerSecond ?? 0) * result.measuredSeconds
        // Each connection may have a running request at the end.
        let isKept = Double(result.tally[.measuredAnswers] + result.plan.connections) >= Self.keptShare * due
        return RampStep(
            rate: rate, p99Microseconds: result.total.latency.value(at: 99),
            failure: result.failures.first ?? (isKept ? nil : "too few of the due requests were answered"))
    }
}
