import DeviceSimulation
import Histogram
import JSONWire
import LatencyHistogram

/// The results as JSON, from which the other reports are made. Every kind of run has the same members; those that it
/// does not measure are null or 0.
enum ReportDocument {
    /// The numbers that stand in the report as they are.
    private static let shown: [ClientTally.Count] = [
        .disagreements, .bytesSent, .bytesReceived, .largestBacklog, .reopened, .visits, .offlineVisits, .deviceDays,
        .answersThrownAway, .answersCut, .retries,
    ]

    static func of(_ result: LoadResult, writtenAt: String) -> JSONObject {
        let (plan, tally, total) = (result.plan, result.tally, result.total)
        let failures = result.failures.map { JSONValue.string($0) }
        let errors = LoadFault.allCases.map { ("\($0)", total.faults[$0] ?? 0) } + [("unusable", total.unusable)]
        let steps: [JSONValue] = result.ramp.map {
            ["rate": number($0.rate), "p99_us": .integer($0.p99Microseconds), "holds": .bool($0.holds)]
        }
        var report: JSONObject = [
            "heading": .string(plan.heading), "written_at": .string(writtenAt), "failures": .array(failures),
            "failure": failures.first ?? .null, "notes": .array(notes(result).map { .string($0) }),
            "plan": self.plan(plan), "seconds": number(result.measuredSeconds),
            "requests": .integer(total.requests), "statuses": statuses(total), "errors": counts(errors),
            "requests_per_second": number(Double(tally[.measuredAnswers]) / result.measuredSeconds),
            "accepted_events_per_second": number(Double(tally[.measuredEvents]) / result.measuredSeconds),
            "from_due_us": latencies(total.latency), "from_sent_us": latencies(tally.fromSent),
            "catalogue_p99_us": plan.isOfDevices ? .integer(tally.synchronisation.value(at: 99)) : .null,
            "routes": routes(tally.routes),
            "events": plan.isOfDevices
                ? counts(tally.client.deviceEvents) : plan.profile == .catalogue ? .null : rateEvents(tally),
            "dashboard": dashboard(result), "most_connected": .integer(result.mostConnected),
        ]
        report.members += shown.map { ($0.name, .integer(tally[$0])) }
        report.members += [
            ("device_day", deviceDay(result)), ("load_tool_cores", number(result.processorCores)),
            (
                "server",
                [
                    "processor_seconds": number(result.usage.processorSeconds), "cores": number(result.usage.cores),
                    "store_bytes": result.usage.storeBytes.map { .integer($0) } ?? .null,
                ]
            ), ("series", series(tally.slices, plan.slice)), ("ramp", steps.isEmpty ? .null : .array(steps)),
            ("knee", number(result.ramp.filter(\.holds).map(\.rate).max())),
        ]
        return report
    }

    private static func notes(_ result: LoadResult) -> [String] {
        let (plan, measured) = (result.plan, result.latency.totalCount)
        let few = [(100, "p99"), (1000, "p99.9")].first { !plan.isOfDevices && (1..<$0.0).contains(measured) }
        return [
            plan.isOfDevices && plan.credential == nil
                ? "dashboard not compared: \(LoadPlan.tokenVariable) with the permission metrics.read" : nil,
            few.map { "fewer than \($0.0) requests were measured: their \($0.1) is the slowest of them" },
            plan.closed ? "closed loop: a slow server is asked less often, so these latencies favour it" : nil,
            result.total.statuses[429] == nil
                ? nil : "429: the server limits clients; SUBGUARD_RATE_LIMIT_ENABLED=false lets one machine load it",
        ].compactMap(\.self)
    }

    private static func plan(_ plan: LoadPlan) -> JSONValue {
        [
            "urls": .array(plan.urls.map { .string($0) }), "devices": plan.devices.map { .integer($0) } ?? .null,
            "days": .integer(plan.dayCount), "profile": .string(plan.profile.rawValue),
            "is_closed_loop": .bool(plan.closed),
            "requests_per_second": plan.isOfDevices ? .null : number(plan.requestsPerSecond),
            "duration_seconds": number(plan.length.inSeconds),
            "warm_up_seconds": number(plan.warmUpLength.inSeconds), "connections": .integer(plan.connections),
            "batch_sizes": .string("\(plan.batchSizes)"), "duplicates_percent": number(plan.duplicates),
            "bad_percent": number(plan.bad), "gzip_percent": number(plan.gzip), "users": .integer(plan.users),
            // A string, because a seed may have more bits than a double.
            "seed": .string("\(plan.seedNumber)"),
        ]
    }

    private static func rateEvents(_ tally: LoadTally) -> JSONValue {
        let (expected, reported) = (tally.expected, tally.client.reported)
        return [
            "accepted": pair(expected.accepted, reported.accepted),
            "duplicates": pair(expected.duplicates, reported.duplicates),
            "rejected": pair(expected.rejected, reported.rejected),
            ClientTally.Count.refusedEvents.name: .integer(tally[.refusedEvents]),
            ClientTally.Count.unansweredEvents.name: .integer(tally[.unansweredEvents]),
        ]
    }

    private static func dashboard(_ result: LoadResult) -> JSONValue {
        guard let dashboard = result.dashboard else { return .null }
        let figures = ClientTally.Count.ofDashboard
        return .object(JSONObject(figures.map { ($0.name, pair(result.tally[$0], dashboard[$0.name] ?? 0)) }))
    }

    /// What a device and day costs; null without devices.
    private static func deviceDay(_ result: LoadResult) -> JSONValue {
        guard result.plan.isOfDevices else { return .null }
        let (tally, usage) = (result.tally, result.usage)
        func each(_ value: Double?) -> JSONValue { number(value.map { $0 / Double(max(1, tally[.deviceDays])) }) }
        return [
            "requests": each(Double(result.total.requests)),
            "processor_us": each(usage.processorSeconds.map { $0 * 1e6 }),
            "bytes_sent": each(Double(tally[.bytesSent])), "bytes_received": each(Double(tally[.bytesReceived])),
            "store_bytes": each(usage.storeBytes.map { Double($0) }),
        ]
    }

    private static func routes(_ routes: [ClientRoute?: RouteTally]) -> JSONValue {
        let members = (ClientRoute.allCases + [nil]).compactMap { route in
            routes[route].map { tally -> (String, JSONValue) in
                let classes = StatusClass.allCases.compactMap { kind in
                    tally.latencies[kind].map { (kind.rawValue, latencies($0)) }
                }
                let members: JSONValue = [
                    "requests": .integer(tally.requests), "statuses": statuses(tally),
                    "latency_us": latencies(tally.latency), "classes": .object(JSONObject(classes)),
                ]
                return (route?.rawValue ?? LoadFault.unsent.rawValue, members)
            }
        }
        return .object(JSONObject(members))
    }

    /// Microseconds, and the histogram in HdrHistogram's own format.
    private static func latencies(_ histogram: Histogram<UInt64>) -> JSONValue {
        var members: JSONObject = ["count": .integer(histogram.totalCount)]
        for (name, percent) in [("p50", 50.0), ("p90", 90), ("p95", 95), ("p99", 99), ("p999", 99.9), ("max", 100)] {
            members.set(name, .integer(histogram.value(at: percent)))
        }
        members.set("mean", number(histogram.totalCount == 0 ? 0 : histogram.mean))
        members.set("histogram", .string(HistogramText.encoded(histogram)))
        return .object(members)
    }

    private static func series(_ slices: [RouteTally], _ interval: Duration) -> JSONValue {
        let slices = slices.map { slice -> JSONValue in
            let latency = slice.latency
            return counts([
                ("answers", slice.answers()), ("accepted_events", slice.acceptedEvents),
                ("refused", slice.answers(from: 400)), ("errors", slice.faultCount),
                ("p50_us", Int(latency.value(at: 50))), ("p99_us", Int(latency.value(at: 99))),
                ("max_us", Int(latency.value(at: 100))),
            ])
        }
        return ["interval_seconds": number(interval.inSeconds), "slices": .array(slices)]
    }

    private static func statuses(_ tally: RouteTally) -> JSONValue {
        counts(tally.statuses.sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) })
    }

    private static func counts(_ counts: [(String, Int)]) -> JSONValue {
        .object(JSONObject(counts.map { ($0.0, .integer($0.1)) }))
    }

    private static func pair(_ expected: Int, _ server: Int) -> JSONValue {
        counts([("expected", expected), ("server", server)])
    }

    private static func number(_ value: Double?) -> JSONValue {
        guard let value, value.isFinite else { return .null }
        return .number(NumberText.fixed(value, 3).replacing(",", with: ""))
    }
}

extension LoadPlan {
    /// What the run does, in one line.
    fileprivate var heading: String {
        let (urls, time) = (urls.joined(separator: ", "), "\(NumberText.fixed(length.inSeconds, 1)) s")
        if isOfDevices {
            return "\(NumberText.grouped(deviceCount)) devices of \(urls), \(dayCount) days in \(time), "
                + "a day in \(NumberText.fixed(dayLength.inSeconds, 2)) s, seed \(seedNumber)"
        }
        let pace =
            switch pace {
            case .closed: "as fast as it answers"
            case .events(let rate): "\(NumberText.fixed(rate)) events/s"
            case .requests(let rate): "\(NumberText.fixed(rate)) requests/s"
            }
        let batches = profile == .catalogue ? "" : ", batches \(batchSizes)"
        return "\(profile.rawValue) to \(urls), \(pace), \(time), \(connections) connections\(batches), "
            + "seed \(seedNumber)"
    }
}
