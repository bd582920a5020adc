import Histogram

/// The report printed at the end of a device simulation.
package enum DeviceSummary {
    package static func text(_ result: DeviceResult) -> String {
        var lines = [heading(result.plan)]
        if result.wasStopped { lines.append("stopped early") }
        lines.append("")
        lines += callLines(result.tally)
        lines.append("")
        lines += facts(result).map { NumberText.left($0.name, 16) + $0.value }
        lines.append("")
        lines += accountLines(result)
        lines.append("")
        lines.append("for 10 million devices, by what these cost over a life of \(result.plan.days) days")
        lines += result.scale.lines.map { "  " + $0 }
        if result.tally.calls.values.contains(where: { $0.statuses[429] != nil }) {
            lines += ["", "429: the server limits clients; SUBGUARD_RATE_LIMIT_ENABLED=false lets one machine load it"]
        }
        return lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n") + "\n"
    }

    /// The progress in one line.
    package static func progress(_ tally: DeviceTally, day: Double) -> String {
        let p99 = NumberText.milliseconds(fromMicroseconds: LatencyTable.value(of: tally.catalogueLatency, at: 99))
        let answers = tally.calls.values.reduce(0) { $0 + $1.statuses.values.reduce(0, +) }
        return "day \(NumberText.fixed(day, 1))  \(NumberText.grouped(tally.connected)) connected  "
            + "\(NumberText.grouped(answers)) answers  catalogue p99 \(p99) ms  "
            + "\(NumberText.grouped(tally.errors.reduce(0) { $0 + $1.count })) errors"
    }

    private static func heading(_ plan: DevicePlan) -> String {
        "\(NumberText.grouped(plan.devices)) devices of http://\(plan.target.authority), \(plan.days) days in "
            + "\(NumberText.fixed(plan.duration.inSeconds, 1)) s, a day in "
            + "\(NumberText.fixed(plan.dayLength.inSeconds, 2)) s, seed \(plan.seed)"
    }

    private static func callLines(_ tally: DeviceTally) -> [String] {
        let heading =
            NumberText.left("latency, ms", 18)
            + ["requests", "p50", "p90", "p99", "max"].map { NumberText.right($0, 11) }.joined()
        var lines = [heading]
        for call in DeviceCall.allCases {
            guard let figures = tally.calls[call] else { continue }
            lines.append(row(call.title, NumberText.grouped(figures.requests), figures.latency))
        }
        lines.append(row("catalogue, all", "", tally.catalogueLatency))
        return lines
    }

    private static func row(_ name: String, _ count: String, _ latency: Histogram<UInt64>) -> String {
        let values = [50.0, 90, 99, 100].map { percent in
            NumberText.milliseconds(fromMicroseconds: LatencyTable.value(of: latency, at: percent))
        }
        return NumberText.left("  " + name, 18) + ([count] + values).map { NumberText.right($0, 11) }.joined()
    }

    private static func facts(_ result: DeviceResult) -> [(name: String, value: String)] {
        let tally = result.tally
        let statuses = DeviceCall.allCases.compactMap { call in
            tally.calls[call].map { figures in
                "\(call.title) "
                    + figures.statuses.sorted { $0.key < $1.key }
                    .map { "\($0.key): \(NumberText.grouped($0.value))" }.joined(separator: ", ")
            }
        }
        let errors = tally.errors.map { "\($0.name): \(NumberText.grouped($0.count))" }.joined(separator: ", ")
        return [
            ("status", statuses.joined(separator: "; ")), ("errors", errors.isEmpty ? "none" : errors),
            (
                "connected",
                "\(NumberText.grouped(result.mostConnected)) at once, \(NumberText.grouped(tally.reopened)) opened again"
            ),
            (
                "visits",
                "\(NumberText.grouped(tally.visits)), \(NumberText.grouped(tally.offlineVisits)) of them offline, in "
                    + "\(NumberText.grouped(tally.deviceDays)) device-days"
            ),
            (
                "answers lost",
                "\(NumberText.grouped(tally.answersThrownAway)) thrown away, \(NumberText.grouped(tally.answersCut)) cut, "
                    + "on purpose; \(NumberText.grouped(tally.retries)) requests sent again"
            ),
            ("load tool", "\(NumberText.fixed(result.processorCores, 2)) cores"),
        ]
    }

    private static func accountLines(_ result: DeviceResult) -> [String] {
        let account = result.tally.account
        let grouped = NumberText.grouped
        var lines = [
            "events          \(grouped(account.recorded)) recorded, \(grouped(account.settled)) answered for, "
                + "\(grouped(account.recorded - account.settled)) lost",
            "                \(grouped(account.sent)) sent = \(grouped(account.reported.accepted)) accepted + "
                + "\(grouped(account.reported.duplicates)) duplicates + \(grouped(account.reported.rejected)) rejected; "
                + "\(grouped(result.tally.lateBatches)) batches of several days",
            "suggestions     \(grouped(account.suggestionsTaken)) taken, \(grouped(account.suggestionsWaiting)) lost",
        ]
        guard let dashboard = result.dashboard else {
            return lines + ["dashboard       not compared: SUBGUARD_TOKEN with the permission metrics.read"]
        }
        let believed = DashboardFigures(account)
        lines.append(
            "dashboard       " + NumberText.right("devices", 12) + NumberText.right("server", 12))
        for (name, mine, theirs) in [
            ("users", believed.users, dashboard.users),
            ("subscriptions", believed.subscriptions, dashboard.subscriptions),
            ("conversions", believed.conversions, dashboard.conversions),
        ] {
            lines.append(
                NumberText.left("  " + name, 16) + NumberText.right(grouped(mine), 12)
                    + NumberText.right(grouped(theirs), 12))
        }
        return lines
    }
}
