import JSONWire

/// The results of a simulation as JSON.
package enum DeviceJSONReport {
    package static func bytes(_ result: DeviceResult) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        writePlan(result.plan, &json)
        writeCalls(result.tally, &json)
        writeCourse(result, &json)
        writeAccount(result, &json)
        writeScale(result, &json)
        json.key("failures")
        json.beginArray()
        for failure in result.failures { json.string(failure) }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func writePlan(_ plan: DevicePlan, _ json: inout JSONWriter) {
        json.key("plan")
        json.beginObject()
        json.field("url", "http://\(plan.target.authority)")
        json.field("devices", plan.devices)
        json.field("days", plan.days)
        number("duration_seconds", plan.duration.inSeconds, &json)
        // A string, because a seed may have more bits than a double.
        json.field("seed", String(plan.seed))
        json.endObject()
    }

    private static func writeCalls(_ tally: DeviceTally, _ json: inout JSONWriter) {
        json.key("calls")
        json.beginObject()
        for call in DeviceCall.allCases {
            let figures = tally.calls[call] ?? DeviceTally.Call()
            json.key(call.rawValue)
            json.beginObject()
            json.field("requests", figures.requests)
            json.key("statuses")
            json.beginObject()
            for (status, count) in figures.statuses.sorted(by: { $0.key < $1.key }) { json.field("\(status)", count) }
            json.endObject()
            json.key("latency_us")
            json.beginObject()
            for (name, percent) in [("p50", 50.0), ("p90", 90), ("p99", 99), ("max", 100)] {
                json.field(name, Int(LatencyTable.value(of: figures.latency, at: percent)))
            }
            json.endObject()
            json.endObject()
        }
        json.endObject()
        json.key("errors")
        json.beginObject()
        for (name, count) in tally.errors { json.field(name, count) }
        json.endObject()
    }

    private static func writeCourse(_ result: DeviceResult, _ json: inout JSONWriter) {
        let tally = result.tally
        json.field("catalogue_p99_us", Int(result.catalogueP99Microseconds))
        json.field("most_connected", result.mostConnected)
        json.field("connections_reopened", tally.reopened)
        json.field("visits", tally.visits)
        json.field("offline_visits", tally.offlineVisits)
        json.field("device_days", tally.deviceDays)
        json.field("answers_thrown_away", tally.answersThrownAway)
        json.field("answers_cut", tally.answersCut)
        json.field("retries", tally.retries)
        json.field("bytes_sent", tally.bytesSent)
        json.field("bytes_received", tally.bytesReceived)
        number("seconds", result.seconds, &json)
        number("load_tool_cores", result.processorCores, &json)
    }

    private static func writeAccount(_ result: DeviceResult, _ json: inout JSONWriter) {
        let account = result.tally.account
        json.key("events")
        json.beginObject()
        json.field("recorded", account.recorded)
        json.field("answered_for", account.settled)
        json.field("lost", account.recorded - account.settled)
        json.field("sent", account.sent)
        json.field("accepted", account.reported.accepted)
        json.field("duplicates", account.reported.duplicates)
        json.field("rejected", account.reported.rejected)
        json.field("miscounts", account.miscounts)
        json.endObject()
        json.field("suggestions_taken", account.suggestionsTaken)
        json.key("dashboard")
        guard let dashboard = result.dashboard else { return json.null() }
        let believed = DashboardFigures(account)
        json.beginObject()
        for (name, mine, theirs) in [
            ("total_users", believed.users, dashboard.users),
            ("subscriptions_tracked", believed.subscriptions, dashboard.subscriptions),
            ("premium_conversions", believed.conversions, dashboard.conversions),
        ] {
            json.key(name)
            json.beginObject()
            json.field("devices", mine)
            json.field("server", theirs)
            json.endObject()
        }
        json.endObject()
    }

    private static func writeScale(_ result: DeviceResult, _ json: inout JSONWriter) {
        let scale = result.scale
        number("server_processor_seconds", result.usage.processorSeconds, &json)
        json.field("server_store_bytes", result.usage.storeBytes)
        json.key("device_day")
        json.beginObject()
        number("requests", scale.requests, &json)
        number("processor_us", scale.processorSeconds.map { $0 * 1e6 }, &json)
        number("bytes_sent", scale.bytesSent, &json)
        number("bytes_received", scale.bytesReceived, &json)
        number("store_bytes", scale.storeBytes, &json)
        json.endObject()
        json.key("ten_million_devices")
        json.beginObject()
        number("requests_per_second", scale.requestsPerSecond, &json)
        number("mean_cores", scale.meanCores, &json)
        number("cores_needed", scale.coresNeeded, &json)
        number("bytes_to_devices_per_day", scale.bytesReceivedPerDay, &json)
        number("bytes_from_devices_per_day", scale.bytesSentPerDay, &json)
        number("store_bytes_per_day", scale.storeBytesPerDay, &json)
        json.endObject()
    }

    private static func number(_ name: String, _ value: Double?, _ json: inout JSONWriter) {
        JSONReport.number(name, value, &json)
    }
}
