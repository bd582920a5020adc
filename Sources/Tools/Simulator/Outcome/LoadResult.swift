package import Histogram

/// The result of a run.
package struct LoadResult: Sendable {
    package var plan: LoadPlan
    package let tally: LoadTally
    /// The sum of all routes; its latency counts from when requests were due.
    package let total: RouteTally
    /// Excludes the warm-up and the wait for the last responses of traffic at a rate.
    package let measuredSeconds: Double
    /// CPU time of the load tool itself over the whole run, in cores.
    package let processorCores: Double
    /// What the server used over the whole run, as far as it was asked for.
    package var usage: ServerUsage
    /// Whether the run was stopped early.
    package var wasStopped: Bool
    /// The tried rates of a ramp, of which this is the highest that held, or else the last.
    package var ramp: [RampStep] = []
    /// Maximum number of devices that were connected at once.
    package var mostConnected = 0
    /// The increase of the dashboard's figures during a run of devices; nil without a token.
    package var dashboard: [String: Int]?

    package init(
        plan: LoadPlan, tally: LoadTally, measuredSeconds: Double = 0, processorCores: Double = 0,
        usage: ServerUsage = ServerUsage(), wasStopped: Bool = false
    ) {
        self.plan = plan
        self.tally = tally
        total = tally.total
        self.measuredSeconds = measuredSeconds
        self.processorCores = processorCores
        self.usage = usage
        self.wasStopped = wasStopped
    }

    /// What the bounds of latency hold for: all requests, or those with which devices synchronise the catalogue.
    package var latency: Histogram<UInt64> { plan.isOfDevices ? tally.synchronisation : total.latency }

    /// What the dashboard should have gained from the devices.
    var expectedFigures: [String: Int] {
        Dictionary(uniqueKeysWithValues: LoadTally.Count.ofDashboard.map { ($0.rawValue, tally[$0]) })
    }

    /// Why the run failed, most serious first; empty if it passed.
    package var failures: [String] {
        let isOfDevices = plan.isOfDevices
        return (isOfDevices ? deviceFailures : rateFailures)
            // A device cannot use a refusal, so each is one of the errors.
            + plan.thresholds.failures(
                total, latency: latency, of: isOfDevices ? " of the catalogue" : "", checksRefusals: !isOfDevices)
    }

    private var rateFailures: [String] {
        var failures: [String] = []
        if !ramp.isEmpty, !ramp.contains(where: \.holds) { failures.append("--ramp: no rate keeps the bounds") }
        if wasStopped { failures.append("interrupted: the run was stopped early") }
        if let first = tally.firstDisagreement {
            failures.append(
                "the server's counts disagree with what was sent in \(tally[.disagreements]) answers: \(first)")
        }
        if !total.statuses.contains(where: { (200..<300).contains($0.key) }) { failures.append("no request succeeded") }
        return failures
    }

    private var deviceFailures: [String] {
        if wasStopped { return ["interrupted: what waited on the devices was not sent"] }
        var failures = accountFault.map { [$0] } ?? []
        if let dashboard, dashboard != expectedFigures {
            let words = expectedFigures.sorted { $0.key < $1.key }.map {
                "\($0.key) \(dashboard[$0.key] ?? 0) of \($0.value)"
            }
            failures.append("the dashboard differs from the devices' counts: " + words.joined(separator: ", "))
        }
        return failures
    }

    /// The most important discrepancy; nil if every event of the devices is accounted for.
    private var accountFault: String? {
        let (recorded, settled, sent) = (tally[.recorded], tally[.settled], tally[.sent])
        if let first = tally.firstDisagreement {
            return "\(tally[.disagreements]) answers have wrong counts; the first: \(first)"
        }
        if tally[.waiting] > 0 || settled != recorded {
            return "of \(recorded) events \(settled) were answered for: \(recorded - settled) are lost"
        }
        if sent != tally.reported.total { return "\(sent) events were sent, and \(tally.reported.total) answered for" }
        if tally.reported.rejected > 0 { return "\(tally.reported.rejected) events were rejected" }
        if tally[.suggestionsWaiting] > 0 { return "\(tally[.suggestionsWaiting]) suggestions are lost" }
        return nil
    }
}
