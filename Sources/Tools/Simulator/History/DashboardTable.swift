package import JSONWire

/// The dashboard as text: one figure per line, with right-aligned numbers as written by the server.
package struct DashboardTable {
    private static let columns = ["value", "this_week", "last_week", "trend_percent"]

    package let text: String

    package init(_ dashboard: JSONObject) {
        var rows = [["figure", "value", "this week", "last week", "trend"]]
        for (name, value) in dashboard.members {
            guard let figure = value.objectValue else { continue }
            let cells = Self.columns.map { Self.cell(figure[$0], isTrend: $0 == "trend_percent") }
            rows.append([name.map { $0 == "_" ? " " : String($0) }.joined()] + cells)
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            zip(row, widths).enumerated().map { index, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }
        lines.insert(String(repeating: "-", count: lines[0].count), at: 1)
        text = lines.map { $0 + "\n" }.joined()
    }

    private static func cell(_ value: JSONValue?, isTrend: Bool) -> String {
        guard case .number(let number) = value else { return "-" }
        guard isTrend else { return number }
        return (number.hasPrefix("-") ? "" : "+") + number + " %"
    }
}
