import DeviceSimulation
import JSONWire

/// The results as tables, and as text.
enum ReportTables {
    /// What is printed at the end of a run.
    static func text(_ report: JSONObject) -> String {
        var parts = [report["heading"]?.stringValue.map { [$0] } ?? []] + tables(report).map(\.lines)
        parts += [report.texts("notes"), [report.texts("failures").isEmpty ? "passed" : "FAILED"]]
        return parts.filter { !$0.isEmpty }.map { $0.map { "  \($0)\n" }.joined() }.joined(separator: "\n")
    }

    static func tables(_ report: JSONObject) -> [TextTable] {
        var tables = [latencies(report), TextTable(header: ["", ""], rows: facts(report))]
        for title in ["events", "dashboard"] where report[title]?.objectValue != nil {
            let rows = report.object(title).members.map { name, value in
                [name.replacing("_", with: " ")]
                    + (value.objectValue?.members.map { fixed($0.value) } ?? [fixed(value), ""])
            }
            tables.append(TextTable(header: [title, "expected", "server"], rows: rows))
        }
        if let steps = report["ramp"]?.arrayValue?.compactMap(\.objectValue) {
            let rows = steps.map {
                [fixed($0["rate"]), milliseconds($0["p99_us"]), $0["holds"]?.boolValue == true ? "yes" : "no"]
            }
            tables.append(TextTable(header: ["rate/s", "p99, ms", "holds"], rows: rows))
        }
        return tables
    }

    private static func latencies(_ report: JSONObject) -> TextTable {
        let columns = ["p50", "p95", "p99", "p99.9", "max", "mean"]
        var rows: [[String]] = []
        func add(_ name: String, _ latency: JSONObject) {
            guard latency["count"]?.integerValue ?? 0 > 0 else { return }
            rows.append(
                [name, fixed(latency["count"])] + columns.map { milliseconds(latency[$0.replacing(".", with: "")]) })
        }
        add("from due", report.object("from_due_us"))
        add("from sent", report.object("from_sent_us"))
        for (route, value) in report.object("routes").members {
            let classes = value.objectValue?.object("classes") ?? JSONObject()
            for kind in classes.members.map(\.name) { add("\(route), \(kind)", classes.object(kind)) }
        }
        return TextTable(header: ["latency, ms", "requests"] + columns, rows: rows)
    }

    /// Names and values; those that were not measured are missing.
    private static func facts(_ report: JSONObject) -> [[String]] {
        var facts: [[String]] = []
        func add(_ name: String, _ value: JSONValue?, _ decimals: Int = 0, _ unit: String = "") {
            guard let value, !value.isNull else { return }
            facts.append([name.replacing("_", with: " "), fixed(value, decimals) + unit])
        }
        func addCounts(_ title: String, _ name: String) {
            let found = report.object(name).members.filter { $0.value.integerValue ?? 0 > 0 }
            let words = found.map { "\($0.name): \(fixed($0.value))" }.joined(separator: ", ")
            facts.append([title, found.isEmpty ? "none" : words])
        }
        add("throughput", report["requests_per_second"], 1, " requests/s")
        add("", report["accepted_events_per_second"], 1, " accepted events/s")
        add("requests", report["requests"])
        addCounts("status", "statuses")
        addCounts("errors", "errors")
        add("largest backlog", report["largest_backlog"], 0, " requests")
        add("knee", report["knee"], 0, "/s")
        let ofDevices = ["visits", "offline_visits", "answers_thrown_away", "answers_cut", "retries", "most_connected"]
        for name in ofDevices where report["device_day"]?.isNull == false { add(name, report[name]) }
        for (name, value) in report.object("device_day").members { add("each device and day, \(name)", value, 3) }
        add("load tool", report["load_tool_cores"], 2, " cores")
        add("server", report.object("server")["cores"], 2, " cores")
        add("its store", report.object("server")["store_bytes"], 0, " bytes")
        return facts
    }

    private static func fixed(_ value: JSONValue?, _ decimals: Int = 0) -> String {
        NumberText.fixed(value?.doubleValue ?? 0, decimals)
    }

    private static func milliseconds(_ value: JSONValue?) -> String {
        NumberText.fixed((value?.doubleValue ?? 0) / 1000, 2)
    }
}

extension JSONObject {
    /// The member of this name; empty if it is missing or no object.
    func object(_ name: String) -> JSONObject { self[name]?.objectValue ?? JSONObject() }

    /// The strings in the array of this name.
    func texts(_ name: String) -> [String] { self[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }
}
