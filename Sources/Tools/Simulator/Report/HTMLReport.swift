import HTML
import JSONWire
import TextCoding

/// A page with the results and plots: one self-contained file that is also valid XML and follows the reader's light or
/// dark setting.
enum HTMLReport {
    /// - Parameter report: made by ``ReportDocument``.
    static func page(_ report: JSONObject) -> String {
        func quiet(_ text: String) -> String { "<p class=\"quiet\">\(escape(text))</p>" }
        var parts = ["<h1>Load report</h1>", "<p>\(escape(report["heading"]?.stringValue ?? ""))</p>"]
        parts.append(quiet(report["written_at"]?.stringValue ?? ""))
        let failures = report.texts("failures").map { "<p class=\"failure\">\(escape($0))</p>" }
        parts += failures.isEmpty ? ["<p>passed</p>"] : failures
        parts += plots(report.object("series"))
        parts += ReportTables.tables(report).map(table)
        parts += report.texts("notes").map(quiet)
        return """
            <!DOCTYPE html>
            <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
            <head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/>
            <title>Load report</title><style>\(style)</style></head>
            <body>
            \(parts.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private static func plots(_ series: JSONObject) -> [String] {
        let slices = (series["slices"]?.arrayValue ?? []).compactMap(\.objectValue)
        let interval = series["interval_seconds"]?.double ?? 0
        func values(_ name: String, per unit: Double) -> [Double] { slices.map { ($0[name]?.double ?? 0) / unit } }
        return [
            ("Latency over time", "ms", [("p50", "p50_us"), ("p99", "p99_us"), ("max", "max_us")], 1000),
            (
                "Each second", "",
                [("answers", "answers"), ("accepted events", "accepted_events"), ("errors", "errors")], interval
            ),
        ].flatMap { title, unit, lines, divisor in
            let words = zip(["first", "second", "third"], lines).map { "<b class=\"\($0)\">\($1.0)</b>" }
            return [
                "<h2>\(title)</h2>", "<p>\(words.joined(separator: ", "))</p>",
                Plot.svg(
                    title, unit: unit, seconds: Double(slices.count) * interval,
                    lines: lines.map { values($0.1, per: max(divisor, 0.001)) }),
            ]
        }
    }

    private static func table(_ table: ReportTables.Table) -> String {
        func row(_ cells: [String], _ first: String, _ others: String) -> String {
            let cells = cells.enumerated().map { index, cell in
                let tag = index == 0 ? first : others
                return "<\(tag)>\(escape(cell))</\(tag.prefix(2))>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        let body = table.rows.map { row($0, "th scope=\"row\"", "td") }
        return """
            <table><thead>\(row(table.header, "th", "th"))</thead><tbody>\(body.joined(separator: "\n"))</tbody></table>
            """
    }

    static func escape(_ text: String) -> String {
        text.escaping(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
    }

    private static let style = """
        :root{color-scheme:light dark;--text:#1c1f23;--page:#fff;--quiet:#667;--grid:#d8dbe0;--a:#0b62c4;--b:#b3560a;\
        --c:#c01c28}
        @media(prefers-color-scheme:dark){:root{--text:#e6e8eb;--page:#16181c;--quiet:#9aa3ad;--grid:#343940;\
        --a:#6cb2ff;--b:#f0a35e;--c:#ff7b80}}
        body{font:15px/1.5 system-ui,sans-serif;max-width:760px;margin:2rem auto;padding:0 1rem;color:var(--text);\
        background:var(--page)}
        h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}.quiet{color:var(--quiet)}.failure{color:var(--c);\
        font-weight:600}
        b.first{color:var(--a)}b.second{color:var(--b)}b.third{color:var(--c)}svg{width:100%;height:auto}
        polyline{fill:none;stroke-width:2}.first{stroke:var(--a)}.second{stroke:var(--b)}.third{stroke:var(--c)}\
        b{stroke:none}
        .grid{stroke:var(--grid);stroke-width:1}.tick{fill:var(--quiet);font-size:11px}
        table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin-top:1.5rem}
        th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid var(--grid)}th[scope=row]{text-align:left;\
        font-weight:400}
        """
}

/// A frame with axes and lines over time, as inline SVG. The page defines the colours by class.
enum Plot {
    private static let (width, height) = (720.0, 280.0)
    private static let (left, right, top, bottom) = (64.0, 16.0, 16.0, 36.0)

    /// - Parameter lines: values of equally long intervals, up to three lines.
    static func svg(_ title: String, unit: String, seconds: Double, lines: [[Double]]) -> String {
        let scale = PlotScale(of: lines.joined() + [0.001], wholeNumbers: false)
        func y(_ value: Double) -> String {
            text(height - bottom - min(max(value / scale.maximum, 0), 1) * (height - top - bottom))
        }
        func x(_ share: Double) -> String { text(left + min(max(share, 0), 1) * (width - left - right)) }
        var content: [String] = []
        for tick in scale.ticks {
            let label = NumberText.fixed(tick, scale.step < 0.1 ? 3 : scale.step < 1 ? 1 : 0)
            content += [
                "<line class=\"grid\" x1=\"\(x(0))\" x2=\"\(x(1))\" y1=\"\(y(tick))\" y2=\"\(y(tick))\"/>",
                "<text class=\"tick\" x=\"\(text(left - 8))\" y=\"\(y(tick))\" text-anchor=\"end\" dy=\"4\">"
                    + "\(label)\(unit.isEmpty ? "" : " \(unit)")</text>",
            ]
        }
        for share in [0, 0.25, 0.5, 0.75, 1] {
            content.append(
                "<text class=\"tick\" x=\"\(x(share))\" y=\"\(text(height - bottom + 20))\" text-anchor=\"middle\">"
                    + "\(NumberText.fixed(seconds * share, 1)) s</text>")
        }
        for (kind, values) in zip(["first", "second", "third"], lines) {
            let count = Double(max(1, values.count))
            // Each interval is constant from its beginning to its end.
            let points = values.enumerated().flatMap { index, value in
                ["\(x(Double(index) / count)),\(y(value))", "\(x(Double(index + 1) / count)),\(y(value))"]
            }
            content.append("<polyline class=\"\(kind)\" points=\"\(points.joined(separator: " "))\"/>")
        }
        return "<svg viewBox=\"0 0 \(Int(width)) \(Int(height))\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\">"
            + "<title>\(title)</title>\n\(content.joined(separator: "\n"))\n</svg>"
    }

    private static func text(_ value: Double) -> String { NumberText.fixed(value, 1).replacing(",", with: "") }
}
