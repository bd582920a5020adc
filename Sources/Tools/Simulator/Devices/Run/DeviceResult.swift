import Histogram

/// A simulation that is over.
package struct DeviceResult: Sendable {
    package let plan: DevicePlan
    package let tally: DeviceTally
    package var seconds = 0.0
    /// Connections that stood at the same moment.
    package var mostConnected = 0
    /// CPU time of the load tool itself.
    package var processorCores = 0.0
    /// Somebody ended it early.
    package var wasStopped = false
    /// What the run added to the dashboard; nil without a token.
    package var dashboard: DashboardFigures?
    package var usage = ServerUsage()

    package init(plan: DevicePlan, tally: DeviceTally) {
        self.plan = plan
        self.tally = tally
    }

    /// What it needs for ten million of such devices.
    package var scale: DeviceScale { DeviceScale(self) }

    package var catalogueP99Microseconds: UInt64 { LatencyTable.value(of: tally.catalogueLatency, at: 99) }

    /// Why the run has failed, the worst first; empty when every call was answered well, every event counted once, and the
    /// bound kept.
    package var failures: [String] {
        var failures: [String] = []
        if wasStopped {
            failures.append("stopped early: what waited on the devices was not sent")
        } else if let fault = tally.account.fault {
            failures.append(fault)
        }
        let believed = DashboardFigures(tally.account)
        if let dashboard, dashboard != believed, !wasStopped {
            failures.append(
                "the dashboard does not count what the devices believe: users \(dashboard.users) of \(believed.users), "
                    + "subscriptions \(dashboard.subscriptions) of \(believed.subscriptions), "
                    + "conversions \(dashboard.conversions) of \(believed.conversions)")
        }
        let errors = tally.errors
        if !errors.isEmpty {
            failures.append("errors: " + errors.map { "\($0.name): \($0.count)" }.joined(separator: ", "))
        }
        if let bound = plan.p99Bound {
            let p99 = catalogueP99Microseconds
            if tally.catalogueLatency.totalCount == 0 {
                failures.append("--p99: the catalogue was never asked")
            } else if p99 > UInt64(max(0, bound.nanoseconds / 1000)) {
                failures.append(
                    "--p99: that of the catalogue is \(NumberText.milliseconds(fromMicroseconds: p99)) ms, over the bound"
                )
            }
        }
        return failures
    }
}
