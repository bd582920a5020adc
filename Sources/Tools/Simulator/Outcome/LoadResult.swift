/// A run that is over.
package struct LoadResult: Sendable {
    package let plan: LoadPlan
    package let tally: LoadTally
    /// Without warm-up and without the wait for the last answers.
    package let measuredSeconds: Double
    /// CPU time of the load tool itself over the whole run.
    package let processorCores: Double
    /// Somebody ended it early.
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

    /// Answers of status 2xx.
    package var requestsPerSecond: Double { Double(tally.measuredAnswers) / measuredSeconds }
    /// Events that the server says it has accepted.
    package var eventsPerSecond: Double { Double(tally.measuredEvents) / measuredSeconds }

    /// Why the run has failed; nil when the server's counts are what they must be. Refusals and faults fail a run only
    /// when nothing succeeded: to see them is what one loads a server for.
    package var failure: String? {
        if tally.disagreements > 0 {
            return "the server's counts disagree with what was sent in \(tally.disagreements) answers: "
                + (tally.firstDisagreement ?? "")
        }
        if tally.succeeded == 0 { return "no request succeeded" }
        return nil
    }
}
