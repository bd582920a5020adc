package import JSONWire

/// The results as tables, and as text.
package enum ReportTables {
    struct Table {
        var header: [String]
        var rows: [[String]]

        /// The first column is aligned to the left, the others to the right. Without the header if that is empty.
        var lines: [String] {
            let rows = header.allSatisfy(\.isEmpty) ? rows : [header] + rows
            let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
            return rows.map { row in
                let cells = zip(row, widths).enumerated().map { index, cell in
                    index == 0 ? NumberText.left(cell.0, cell.1) : NumberText.right(cell.0, cell.1)
                }
                return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    /// What is printed at the end of a run.
    package static func text(_ report: JSONObject) -> String {
        var lines = [report["heading"]?.stringValue ?? ""]
        for table in tables(report) {
            lines += [""] + table.lines
        }
        let notes = report["notes"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if !notes.isEmpty { lines += [""] + notes }
        lines += ["", report["failures"]?.arrayValue?.isEmpty == true ? "passed" : "FAILED"]
        return lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n") + "\n"
    }

    static func tables(_ report: JSONObject) -> [Table] {
        var tables = [latencies(report), Table(header: ["", ""], rows: facts(report))]
        for (name, title) in [("events", "events"), ("dashboard", "dashboard")] {
            guard let counts = report[name]?.objectValue else { continue }
            tables.append(
                Table(
                    header: [title, "expected", "server"],
                    rows: counts.members.map { member in
                        let name = member.name.replacing("_", with: " ")
                        guard let pair = member.value.objectValue else { return [name, grouped(member.value), ""] }
                        return [name, grouped(pair["expected"]), grouped(pair["server"])]
                    }))
        }
        if let steps = report["ramp"]?.arrayValue?.compactMap(\.objectValue) {
            let rows = steps.map {
                [fixed($0["rate"], 0), milliseconds($0["p99_us"]), $0["holds"]?.boolValue == true ? "yes" : "no"]
            }
            tables.append(Table(header: ["rate/s", "p99, ms", "holds"], rows: rows))
        }
        return tables
    }

    private static func latencies(_ report: JSONObject) -> Table {
        let columns = [("p50", "p50"), ("p95", "p95"), ("p99", "p99"), ("p999", "p99.9"), ("max", "max")]
        var rows: [[String]] = []
        func add(_ name: String, _ latency: JSONValue?) {
            guard let latency = latency?.objectValue, latency["count"]?.integerValue ?? 0 > 0 else { return }
            rows.append(
                [name, grouped(latency["count"])] + columns.map { milliseconds(latency[$0.0]) } + [
                    milliseconds(latency["mean"])
                ])
        }
        add("from due", report["from_due_us"])
        add("from sent", report["from_sent_us"])
        for route in report["routes"]?.objectValue?.members ?? [] {
            for kind in route.value.objectValue?["classes"]?.objectValue?.members ?? [] {
                add("\(route.name), \(kind.name)", kind.value)
            }
        }
        return Table(header: ["latency, ms", "requests"] + columns.map(\.1) + ["mean"], rows: rows)
    }

    /// Names and values; those that were not measured are missing.
    private static func facts(_ report: JSONObject) -> [[String]] {
        func object(_ name: String) -> JSONObject { report[name]?.objectValue ?? JSONObject() }
        func counts(_ name: String) -> String {
            let found = object(name).members.filter { $0.value.integerValue ?? 0 > 0 }
            return found.isEmpty ? "none" : found.map { "\($0.name): \(grouped($0.value))" }.joined(separator: ", ")
        }
        var facts: [[String]] = []
        func add(_ name: String, _ value: JSONValue?, _ decimals: Int = 0, _ unit: String = "") {
            guard let value, !value.isNull else { return }
            facts.append([name, fixed(value, decimals) + unit])
        }
        add("throughput", report["requests_per_second"], 1, " requests/s")
        add("", report["accepted_events_per_second"], 1, " accepted events/s")
        add("requests", report["requests"])
        facts += [["status", counts("statuses")], ["errors", counts("errors")]]
        add("largest backlog", report["largest_backlog"], 0, " requests")
        add("knee", report["knee"], 0, "/s")
        for name in ["visits", "offline_visits", "answers_thrown_away", "answers_cut", "retries", "most_connected"] {
            add(name.replacing("_", with: " "), report[name])
        }
        for member in object("device_day").members {
            add("each device and day, " + member.name.replacing("_", with: " "), member.value, 3)
        }
        add("load tool", report["load_tool_cores"], 2, " cores")
        add("server", object("server")["cores"], 2, " cores")
        return facts
    }

    private static func grouped(_ value: JSONValue?) -> String { fixed(value, 0) }

    static func double(_ value: JSONValue?) -> Double {
        if case .number(let text)? = value { Double(text) ?? 0 } else { 0 }
    }

    private static func fixed(_ value: JSONValue?, _ decimals: Int) -> String {
        NumberText.fixed(double(value), decimals)
    }

    private static func milliseconds(_ value: JSONValue?) -> String { NumberText.fixed(double(value) / 1000, 2) }
}
