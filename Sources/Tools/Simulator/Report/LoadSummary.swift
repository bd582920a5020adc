import Histogram

/// The report printed at the end, and texts shared with other reports.
package enum LoadSummary {
    package static func text(_ result: LoadResult) -> String {
        var lines = [heading(result.plan)]
        if result.wasStopped { lines.append("stopped early") }
        lines.append("")
        lines += LatencyTable(result.tally).lines(isClosed: result.plan.pace == .closed)
        lines.append("")
        lines += facts(result).map { NumberText.left($0.name, 16) + $0.value }
        if result.plan.profile != .catalogue {
            lines.append("")
            lines += eventLines(result.tally)
        }
        lines += hints(result)
        return lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n") + "\n"
    }

    static func heading(_ plan: LoadPlan) -> String {
        let pace =
            switch plan.pace {
            case .closed: "as fast as it answers"
            case .events(let rate): "\(NumberText.fixed(rate)) events/s"
            case .requests(let rate): "\(NumberText.fixed(rate)) requests/s"
            }
        let batches = plan.profile == .catalogue ? "" : ", batches \(plan.batchSizes.text), ids \(plan.ids.rawValue)"
        return "\(plan.profile.rawValue) to http://\(plan.target.authority), \(pace), "
            + "\(NumberText.fixed(plan.duration.inSeconds, 1)) s, \(plan.connections) connections\(batches), "
            + "seed \(plan.seed)"
    }

    static func facts(_ result: LoadResult) -> [(name: String, value: String)] {
        let tally = result.tally
        let perAnswer = Double(tally.bytesSent) / Double(max(1, tally.requests))
        var facts = [("throughput", "\(NumberText.fixed(result.requestsPerSecond, 1)) requests/s")]
        if result.plan.profile != .catalogue {
            facts.append(("", "\(NumberText.fixed(result.eventsPerSecond, 1)) accepted events/s"))
        }
        facts.append(("requests", "\(NumberText.grouped(tally.requests)), \(NumberText.fixed(perAnswer)) bytes each"))
        facts.append(("status", words(tally.statuses.sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) })))
        facts.append(
            (
                "errors",
                words(
                    LoadFault.allCases.compactMap { fault in
                        tally.faults[fault].map { (fault.rawValue, $0) }
                    })
            ))
        if result.plan.pace != .closed {
            facts.append(("largest backlog", "\(NumberText.grouped(tally.largestBacklog)) requests"))
        }
        facts.append(("load tool", "\(NumberText.fixed(result.processorCores, 2)) cores"))
        return facts
    }

    /// Expected and reported counts of the batches with status 202.
    static func eventRows(_ tally: LoadTally) -> [(name: String, expected: Int, reported: Int)] {
        [
            ("accepted", tally.expected.accepted, tally.reported.accepted),
            ("duplicates", tally.expected.duplicates, tally.reported.duplicates),
            ("rejected", tally.expected.rejected, tally.reported.rejected),
        ]
    }

    private static func eventLines(_ tally: LoadTally) -> [String] {
        var lines = [NumberText.left("events", 16) + NumberText.right("expected", 12) + NumberText.right("server", 12)]
        for row in eventRows(tally) {
            lines.append(
                NumberText.left("  \(row.name)", 16) + NumberText.right(NumberText.grouped(row.expected), 12)
                    + NumberText.right(NumberText.grouped(row.reported), 12))
        }
        lines.append(NumberText.left("  not taken", 16) + NumberText.right(NumberText.grouped(tally.refusedEvents), 12))
        lines.append(
            NumberText.left("  unanswered", 16) + NumberText.right(NumberText.grouped(tally.unansweredEvents), 12))
        lines.append(
            tally.disagreements == 0
                ? "the server's counts agree"
                : "\(tally.disagreements) answers DISAGREE; the first: \(tally.firstDisagreement ?? "")")
        return lines
    }

    private static func hints(_ result: LoadResult) -> [String] {
        var hints: [String] = []
        if result.tally.statuses[429] != nil {
            hints.append("429: the server limits clients; SUBGUARD_RATE_LIMIT_ENABLED=false lets one machine load it")
        }
        if (1..<100).contains(result.tally.fromDue.totalCount) {
            hints.append("fewer than 100 requests were measured: their p99 is the slowest of them")
        }
        if result.plan.pace == .closed {
            hints.append("closed loop: a slow server is asked less often, so these latencies flatter it")
        }
        return hints.isEmpty ? [] : [""] + hints
    }

    private static func words(_ counts: [(String, Int)]) -> String {
        counts.isEmpty ? "none" : counts.map { "\($0.0): \(NumberText.grouped($0.1))" }.joined(separator: ", ")
    }
}

/// The progress of a run in one line.
package enum ProgressLine {
    /// `previous` are the counts of `interval` seconds before.
    package static func text(
        _ tally: LoadTally, seconds: Double, previous: LoadTally, interval: Double, showsEvents: Bool
    ) -> String {
        let done =
            showsEvents ? tally.reported.accepted - previous.reported.accepted : tally.answered - previous.answered
        let rate = interval > 0 ? Double(done) / interval : 0
        let p99 = NumberText.milliseconds(fromMicroseconds: LatencyTable.value(of: tally.fromDue, at: 99))
        let failed = tally.faultCount + tally.answered - tally.succeeded
        return "\(NumberText.fixed(seconds, 1)) s  \(NumberText.fixed(rate)) \(showsEvents ? "events" : "requests")/s  "
            + "p99 \(p99) ms  \(NumberText.grouped(tally.answered)) answers  \(NumberText.grouped(failed)) failed"
    }
}
