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
    package var dashboard: DashboardFigures?
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
        let believed = DashboardFigures(tally.account)
        if let dashboard, dashboard != believed, !wasStopped {
            failures.append(
                "the dashboard differs from the devices' counts: users \(dashboard.users) of \(believed.users), "
                    + "subscriptions \(dashboard.subscriptions) of \(believed.subscriptions), "
                    + "conversions \(dashboard.conversions) of \(believed.conversions)")
        }
        // A device cannot use a refusal, so each is one of the errors.
        return failures
            + plan.thresholds.failures(
                tally.calls.total, latency: tally.catalogueLatency, of: " of the catalogue", checksRefusals: false)
    }
}
