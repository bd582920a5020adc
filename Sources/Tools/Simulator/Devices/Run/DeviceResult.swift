import Histogram

/// The result of a simulation.
package struct DeviceResult: Sendable {
    package let plan: DevicePlan
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

    /// The resources for ten million such devices.
    package var scale: DeviceScale { DeviceScale(self) }

    package var catalogueP99Microseconds: UInt64 { LatencyTable.value(of: tally.catalogueLatency, at: 99) }

    /// Why the run failed, most serious first. Empty if every call succeeded, every event counted once, and the latency
    /// bound was kept.
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
                "the dashboard differs from the devices' counts: users \(dashboard.users) of \(believed.users), "
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
                    "--p99: the catalogue's is \(NumberText.milliseconds(fromMicroseconds: p99)) ms, over the bound"
                )
            }
        }
        return failures
    }
}
