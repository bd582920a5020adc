import Histogram

/// The result of a simulation.
package struct DeviceResult: Sendable {
    package var plan: DevicePlan
    package let tally: DeviceTally
    package var seconds = 0.0
    /// Maximum number of concurrent connections.
    package var mostConnected = 0
    /// CPU time of the load tool itself, in cores.
    package var processorCores = 0.0
    /// Whether the run was stopped early.
    package var wasStopped = false
    /// The increase of the dashboard's figures during the run; nil without a token.
    package var dashboard: [String: Int]?
    package var usage = ServerUsage()

    package init(plan: DevicePlan, tally: DeviceTally) {
        self.plan = plan
        self.tally = tally
    }

    /// Why the run failed, most serious first. Empty if every call succeeded, every event counted once, and the latency
    /// bound was kept.
    package var failures: [String] {
        var failures: [String] = []
        if wasStopped {
            failures.append("interrupted: what waited on the devices was not sent")
        } else if let fault = tally.account.fault {
            failures.append(fault)
        }
        if let dashboard, dashboard != tally.account.figures, !wasStopped {
            let words = tally.account.figures.sorted { $0.key < $1.key }.map {
                "\($0.key) \(dashboard[$0.key] ?? 0) of \($0.value)"
            }
            failures.append("the dashboard differs from the devices' counts: " + words.joined(separator: ", "))
        }
        // A device cannot use a refusal, so each is one of the errors.
        return failures
            + plan.thresholds.failures(
                tally.calls.total, latency: tally.catalogueLatency, of: " of the catalogue", checksRefusals: false)
    }
}
