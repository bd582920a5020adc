import Histogram
package import JSONWire

/// The results as JSON, from which the other reports are made.
package enum ReportDocument {
    /// - Parameter moreFailures: those of several runs, such as of a ramp.
    package static func of(
        _ result: LoadResult, ramp: [RampStep] = [], moreFailures: [String] = [], writtenAt: String
    ) -> JSONObject {
        let (tally, plan) = (result.tally, result.plan)
        let latency = result.total.latency
        var notes: [String] = []
        if (1..<100).contains(latency.totalCount) {
            notes.append("fewer than 100 requests were measured: their p99 is the slowest of them")
        }
        if plan.pace == .closed {
            notes.append("closed loop: a slow server is asked less often, so these latencies favour it")
        }
        var json = head(
            heading(plan), result.total, failures: moreFailures + result.failures, notes: notes, writtenAt: writtenAt)
        json.set(
            "plan",
            [
                "urls": .array(plan.targets.map { .string($0.url) }), "profile": .string(plan.profile.rawValue),
                "is_closed_loop": .bool(plan.pace == .closed), "requests_per_second": number(plan.requestsPerSecond),
                "duration_seconds": number(plan.duration.inSeconds), "warm_up_seconds": number(plan.warmUp.inSeconds),
                "connections": .integer(plan.connections), "batch_sizes": .string(plan.batchSizes.text),
                "duplicates_percent": number(plan.duplicates),
                "bad_percent": number(plan.bad), "gzip_percent": number(plan.gzip), "users": .integer(plan.users),
                // A string, because a seed may have more bits than a double.
                "seed": .string("\(plan.seed)"),
            ])
        json.set("requests_per_second", number(result.requestsPerSecond))
        json.set("accepted_events_per_second", number(result.eventsPerSecond))
        json.set("from_due_us", latencies(latency))
        json.set("from_sent_us", latencies(tally.fromSent))
        json.set(
            "routes",
            routes(LoadRoute.allCases.compactMap { route in tally.routes[route].map { (route.rawValue, $0) } }))
        if plan.profile != .catalogue {
            let pairs = [
                ("accepted", tally.expected.accepted, tally.reported.accepted),
                ("duplicates", tally.expected.duplicates, tally.reported.duplicates),
                ("rejected", tally.expected.rejected, tally.reported.rejected),
            ].map { ($0.0, ["expected": .integer($0.1), "server": .integer($0.2)] as JSONValue) }
            json.set(
                "events",
                .object(
                    JSONObject(
                        pairs + [
                            ("not_taken", .integer(tally.refusedEvents)),
                            ("unanswered", .integer(tally.unansweredEvents)),
                        ])))
        }
        json.set("disagreements", .integer(tally.disagreements))
        json.set("bytes_sent", .integer(tally.bytesSent))
        json.set("largest_backlog", .integer(tally.largestBacklog))
        json.set("load_tool_cores", number(result.processorCores))
        json.set("server", server(result.usage))
        json.set("series", series(tally.series, LoadTiming.slice(of: plan.warmUp + plan.duration + plan.timeout)))
        if !ramp.isEmpty {
            json.set(
                "ramp",
                .array(
                    ramp.map {
                        ["rate": number($0.rate), "p99_us": .integer($0.p99Microseconds), "holds": .bool($0.holds)]
                    }))
            json.set("knee", number(ramp.filter(\.holds).map(\.rate).max()))
        }
        return json
    }

    package static func of(_ result: DeviceResult, writtenAt: String) -> JSONObject {
        let (tally, plan, account) = (result.tally, result.plan, result.tally.account)
        var json = head(
            heading(plan), tally.calls.total, failures: result.failures,
            notes: plan.token == nil ? ["dashboard not compared: SUBGUARD_TOKEN with the permission metrics.read"] : [],
            writtenAt: writtenAt)
        json.set(
            "plan",
            [
                "urls": .array(plan.targets.map { .string($0.url) }), "devices": .integer(plan.devices),
                "days": .integer(plan.days), "duration_seconds": number(plan.duration.inSeconds),
                "seed": .string("\(plan.seed)"),
            ])
        json.set("routes", routes(DeviceCall.allCases.map { ($0.rawValue, tally.calls[$0] ?? RouteTally()) }))
        json.set("catalogue_p99_us", .integer(tally.catalogueLatency.value(at: 99)))
        json.set("most_connected", .integer(result.mostConnected))
        for (name, count) in [
            ("connections_reopened", tally.reopened), ("visits", tally.visits), ("offline_visits", tally.offlineVisits),
            ("device_days", tally.deviceDays), ("answers_thrown_away", tally.answersThrownAway),
            ("answers_cut", tally.answersCut), ("retries", tally.retries), ("bytes_sent", tally.bytesSent),
            ("bytes_received", tally.bytesReceived),
        ] { json.set(name, .integer(count)) }
        json.set("seconds", number(result.seconds))
        json.set("load_tool_cores", number(result.processorCores))
        json.set(
            "events",
            [
                "recorded": .integer(account.recorded), "answered_for": .integer(account.settled),
                "lost": .integer(account.recorded - account.settled), "sent": .integer(account.sent),
                "accepted": .integer(account.reported.accepted), "duplicates": .integer(account.reported.duplicates),
                "rejected": .integer(account.reported.rejected), "miscounts": .integer(account.miscounts),
                "suggestions_taken": .integer(account.suggestionsTaken),
            ])
        json.set("dashboard", .null)
        if let dashboard = result.dashboard {
            let pairs = account.figures.sorted { $0.key > $1.key }
            json.set(
                "dashboard",
                .object(
                    JSONObject(
                        pairs.map {
                            ($0.key, ["expected": .integer($0.value), "server": .integer(dashboard[$0.key] ?? 0)])
                        })))
        }
        json.set("server", server(result.usage))
        let days = Double(max(1, tally.deviceDays))
        json.set(
            "device_day",
            [
                "requests": number(Double(tally.calls.total.requests) / days),
                "processor_us": number(result.usage.processorSeconds.map { $0 * 1e6 / days }),
                "bytes_sent": number(Double(tally.bytesSent) / days),
                "bytes_received": number(Double(tally.bytesReceived) / days),
                "store_bytes": number(result.usage.storeBytes.map { Double($0) / days }),
            ])
        json.set("series", series(tally.series, LoadTiming.slice(of: plan.duration)))
        return json
    }

    static func heading(_ plan: LoadPlan) -> String {
        let pace =
            switch plan.pace {
            case .closed: "as fast as it answers"
            case .events(let rate): "\(NumberText.fixed(rate)) events/s"
            case .requests(let rate): "\(NumberText.fixed(rate)) requests/s"
            }
        let batches = plan.profile == .catalogue ? "" : ", batches \(plan.batchSizes.text)"
        return "\(plan.profile.rawValue) to \(plan.targets.map(\.url).joined(separator: ", ")), \(pace), "
            + "\(NumberText.fixed(plan.duration.inSeconds, 1)) s, \(plan.connections) connections\(batches), "
            + "seed \(plan.seed)"
    }

    private static func heading(_ plan: DevicePlan) -> String {
        "\(NumberText.grouped(plan.devices)) devices of \(plan.targets.map(\.url).joined(separator: ", ")), "
            + "\(plan.days) days in \(NumberText.fixed(plan.duration.inSeconds, 1)) s, a day in "
            + "\(NumberText.fixed(plan.dayLength.inSeconds, 2)) s, seed \(plan.seed)"
    }

    private static func head(
        _ heading: String, _ total: RouteTally, failures: [String], notes: [String], writtenAt: String
    ) -> JSONObject {
        let limit = "429: the server limits clients; SUBGUARD_RATE_LIMIT_ENABLED=false lets one machine load it"
        let errors = LoadFault.allCases.map { ("\($0)", total.faults[$0] ?? 0) } + [("unusable", total.unusable)]
        return [
            "heading": .string(heading), "written_at": .string(writtenAt),
            "failures": .array(failures.map { .string($0) }), "failure": failures.first.map { .string($0) } ?? .null,
            "notes": .array((notes + (total.statuses[429] == nil ? [] : [limit])).map { .string($0) }),
            "requests": .integer(total.requests), "statuses": statuses(total),
            "errors": .object(JSONObject(errors.map { ($0.0, .integer($0.1)) })),
        ]
    }

    private static func statuses(_ tally: RouteTally) -> JSONValue {
        .object(JSONObject(tally.statuses.sorted { $0.key < $1.key }.map { ("\($0.key)", .integer($0.value)) }))
    }

    private static func routes(_ routes: [(name: String, tally: RouteTally)]) -> JSONValue {
        .object(
            JSONObject(
                routes.map { name, tally in
                    let classes = StatusClass.allCases.compactMap { kind in
                        tally.latencies[kind].map { (kind.rawValue, latencies($0)) }
                    }
                    return (
                        name,
                        [
                            "requests": .integer(tally.requests), "statuses": statuses(tally),
                            "latency_us": latencies(tally.latency), "classes": .object(JSONObject(classes)),
                        ]
                    )
                }))
    }

    /// Microseconds, and the histogram in HdrHistogram's own format.
    private static func latencies(_ histogram: Histogram<UInt64>) -> JSONValue {
        let percentiles = [("p50", 50.0), ("p90", 90), ("p95", 95), ("p99", 99), ("p999", 99.9), ("max", 100)]
        return .object(
            JSONObject(
                [("count", .integer(histogram.totalCount))]
                    + percentiles.map { ($0.0, .integer(histogram.value(at: $0.1))) }
                    + [
                        ("mean", number(histogram.totalCount == 0 ? 0 : histogram.mean)),
                        ("histogram", .string(HistogramText.encoded(histogram))),
                    ]))
    }

    private static func server(_ usage: ServerUsage) -> JSONValue {
        [
            "processor_seconds": number(usage.processorSeconds), "cores": number(usage.cores),
            "store_bytes": usage.storeBytes.map { .integer($0) } ?? .null,
        ]
    }

    private static func series(_ series: TimeSeries, _ interval: Duration) -> JSONValue {
        [
            "interval_seconds": number(interval.inSeconds),
            "slices": .array(
                series.slices.map { slice in
                    [
                        "answers": .integer(slice.answers), "accepted_events": .integer(slice.acceptedEvents),
                        "refused": .integer(slice.refused), "errors": .integer(slice.faults),
                        "p50_us": .integer(slice.latency.value(at: 50)),
                        "p99_us": .integer(slice.latency.value(at: 99)),
                        "max_us": .integer(slice.latency.value(at: 100)),
                    ]
                }),
        ]
    }

    private static func number(_ value: Double?) -> JSONValue {
        guard let value, value.isFinite else { return .null }
        return .number(NumberText.fixed(value, 3).replacing(",", with: ""))
    }
}
