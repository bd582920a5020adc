import Foundation
import JSONWire

/// The results as JSON.
package enum JSONReport {
    package static func bytes(_ result: LoadResult, ramp: [RampStep] = []) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        writePlan(result.plan, &json)
        writeFigures(result, &json)
        if !ramp.isEmpty { write(ramp, &json) }
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func writePlan(_ plan: LoadPlan, _ json: inout JSONWriter) {
        json.key("plan")
        json.beginObject()
        json.field("url", "http://\(plan.target.authority)")
        json.field("profile", plan.profile.rawValue)
        json.field("is_closed_loop", plan.pace == .closed)
        number("requests_per_second", plan.requestsPerSecond, &json)
        number("duration_seconds", plan.duration.inSeconds, &json)
        json.field("connections", plan.connections)
        json.field("batch_sizes", plan.batchSizes.text)
        json.field("ids", plan.ids.rawValue)
        number("duplicates_percent", plan.duplicates, &json)
        number("bad_percent", plan.bad, &json)
        number("gzip_percent", plan.gzip, &json)
        json.field("users", plan.users)
        // A string, because a seed may have more bits than a double.
        json.field("seed", String(plan.seed))
        json.endObject()
    }

    private static func writeFigures(_ result: LoadResult, _ json: inout JSONWriter) {
        let tally = result.tally
        number("requests_per_second", result.requestsPerSecond, &json)
        number("accepted_events_per_second", result.eventsPerSecond, &json)
        let table = LatencyTable(tally)
        for (name, value) in [
            ("from_due_us", \LatencyTable.Row.fromDueMicroseconds), ("from_sent_us", \.fromSentMicroseconds),
        ] {
            json.key(name)
            json.beginObject()
            for row in table.rows { json.field(row.name.replacing(".", with: ""), Int(row[keyPath: value])) }
            json.endObject()
        }
        json.field("requests", tally.requests)
        json.key("statuses")
        json.beginObject()
        for (status, count) in tally.statuses.sorted(by: { $0.key < $1.key }) { json.field("\(status)", count) }
        json.endObject()
        json.key("errors")
        json.beginObject()
        for fault in LoadFault.allCases { json.field("\(fault)", tally.faults[fault] ?? 0) }
        json.endObject()
        json.key("events")
        json.beginObject()
        for row in LoadSummary.eventRows(tally) {
            json.key(row.name)
            json.beginObject()
            json.field("expected", row.expected)
            json.field("server", row.reported)
            json.endObject()
        }
        json.field("not_taken", tally.refusedEvents)
        json.field("unanswered", tally.unansweredEvents)
        json.endObject()
        json.field("disagreements", tally.disagreements)
        json.field("largest_backlog", tally.largestBacklog)
        number("load_tool_cores", result.processorCores, &json)
        json.field("failure", result.failure)
    }

    private static func write(_ ramp: [RampStep], _ json: inout JSONWriter) {
        json.key("ramp")
        json.beginArray()
        for step in ramp {
            json.beginObject()
            number("rate", step.rate, &json)
            json.field("p99_us", Int(step.p99Microseconds))
            json.field("holds", step.holds)
            json.endObject()
        }
        json.endArray()
    }

    static func number(_ name: String, _ value: Double?, _ json: inout JSONWriter) {
        json.key(name)
        guard let value, value.isFinite else { return json.null() }
        json.raw(NumberText.fixed(value, 3).replacing(",", with: "").utf8)
    }
}
