import DeviceSimulation
import Histogram

/// The result of a run.
struct LoadResult: Sendable {
    var plan: LoadPlan
    let tally: LoadTally
    /// Excludes the warm-up and the wait for the last responses of traffic at a rate.
    var measuredSeconds = 0.0
    /// CPU time of the load tool itself over the whole run, in cores.
    var processorCores = 0.0
    /// What the server used over the whole run, as far as it was asked for.
    var usage = ServerUsage()
    /// Whether the run was stopped early.
    var wasStopped = false
    /// The tried rates of a ramp, of which this is the highest that held, or else the last.
    var ramp: [RampStep] = []
    /// Maximum number of devices that were connected at once.
    var mostConnected = 0
    /// The increase of the dashboard's figures during a run of devices; nil without a token.
    var dashboard: [String: Int]?

    /// The sum of all routes; its latency counts from when requests were due.
    var total: RouteTally { tally.total }

    /// What the bounds of latency hold for: all requests, or those with which devices synchronise the catalogue.
    var latency: Histogram<UInt64> { plan.isOfDevices ? tally.synchronisation : total.latency }

    /// Why the run failed, most serious first; empty if it passed.
    var failures: [String] {
        let interruption = "interrupted: what waited on the devices was not sent"
        let ofDevices = wasStopped ? [interruption] : tally.client.deviceFailures(dashboard: dashboard)
        return (plan.isOfDevices ? ofDevices : rateFailures) + plan.thresholds.failures(of: self)
    }

    private var rateFailures: [String] {
        var failures: [String] = []
        if !ramp.isEmpty, !ramp.contains(where: \.holds) { failures.append("--ramp: no rate keeps the bounds") }
        if wasStopped { failures.append("interrupted: the run was stopped early") }
        if let first = tally.client.firstDisagreement {
            failures.append(
                "the server's counts disagree with what was sent in \(tally[.disagreements]) answers: \(first)")
        }
        if !total.statuses.contains(where: { (200..<300).contains($0.key) }) { failures.append("no request succeeded") }
        return failures
    }
}
