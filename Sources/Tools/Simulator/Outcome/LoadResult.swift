/// The result of a run.
package struct LoadResult: Sendable {
    package var plan: LoadPlan
    package let tally: LoadTally
    /// The sum of all routes; its latency counts from when requests were due.
    package let total: RouteTally
    /// Excludes the warm-up and the wait for the last responses.
    package let measuredSeconds: Double
    /// CPU time of the load tool itself over the whole run, in cores.
    package let processorCores: Double
    /// What the server used over the whole run, as far as it was asked for.
    package let usage: ServerUsage
    /// Whether the run was stopped early.
    package let wasStopped: Bool

    package init(
        plan: LoadPlan, tally: LoadTally, measuredSeconds: Double, processorCores: Double,
        usage: ServerUsage = ServerUsage(), wasStopped: Bool = false
    ) {
        self.plan = plan
        self.tally = tally
        total = tally.routes.total
        self.measuredSeconds = measuredSeconds
        self.processorCores = processorCores
        self.usage = usage
        self.wasStopped = wasStopped
    }

    /// Responses with status 2xx.
    package var requestsPerSecond: Double { Double(tally.measuredAnswers) / measuredSeconds }
    /// Events reported as accepted by the server.
    package var eventsPerSecond: Double { Double(tally.measuredEvents) / measuredSeconds }

    /// Why the run failed, most serious first; empty if it passed.
    package var failures: [String] {
        var failures: [String] = []
        if wasStopped { failures.append("interrupted: the run was stopped early") }
        if tally.disagreements > 0 {
            failures.append(
                "the server's counts disagree with what was sent in \(tally.disagreements) answers: "
                    + (tally.firstDisagreement ?? ""))
        }
        if !total.statuses.contains(where: { (200..<300).contains($0.key) }) { failures.append("no request succeeded") }
        return failures + plan.thresholds.failures(total, latency: total.latency)
    }
}
