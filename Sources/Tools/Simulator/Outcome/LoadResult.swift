/// The result of a run.
package struct LoadResult: Sendable {
    package let plan: LoadPlan
    package let tally: LoadTally
    /// Excludes the warm-up and the wait for the last responses.
    package let measuredSeconds: Double
    /// CPU time of the load tool itself over the whole run, in cores.
    package let processorCores: Double
    /// Whether the run was stopped early.
    package let wasStopped: Bool

    package init(
        plan: LoadPlan, tally: LoadTally, measuredSeconds: Double, processorCores: Double, wasStopped: Bool = false
    ) {
        self.plan = plan
        self.tally = tally
        self.measuredSeconds = measuredSeconds
        self.processorCores = processorCores
        self.wasStopped = wasStopped
    }

    /// Responses with status 2xx.
    package var requestsPerSecond: Double { Double(tally.measuredAnswers) / measuredSeconds }
    /// Events reported as accepted by the server.
    package var eventsPerSecond: Double { Double(tally.measuredEvents) / measuredSeconds }

    /// Why the run failed; nil if the server's counts are correct. Rejected requests and errors fail a run only if
    /// nothing succeeded, because a load test is expected to provoke them.
    package var failure: String? {
        if tally.disagreements > 0 {
            return "the server's counts disagree with what was sent in \(tally.disagreements) answers: "
                + (tally.firstDisagreement ?? "")
        }
        if tally.succeeded == 0 { return "no request succeeded" }
        return nil
    }
}
