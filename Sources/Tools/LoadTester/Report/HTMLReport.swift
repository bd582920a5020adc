import DeviceSimulation
import HTML
import JSONWire

/// A page with the results and plots: one self-contained file that is also valid XML and follows the reader's light or
/// dark setting.
enum HTMLReport {
    /// - Parameter report: made by ``ReportDocument``.
    static func page(_ report: JSONObject) -> String {
        var html = HTMLWriter()
        html.add(.h1, text: "Load report")
        html.add(.p, text: report["heading"]?.stringValue ?? "")
        html.add(.p, .class("quiet"), text: report["written_at"]?.stringValue ?? "")
        let failures = report.texts("failures")
        for failure in failures { html.add(.p, .class("failure"), text: failure) }
        if failures.isEmpty { html.add(.p, text: "passed") }
        addPlots(of: report.object("series"), to: &html)
        for table in ReportTables.tables(report) {
            let columns = table.header.enumerated().map { index, name -> TableColumn<[String]> in
                index == 0 ? .heading(name) { $1.text($0[index]) } : .number(name) { $0[index] }
            }
            html.table(.label(table.header[0].isEmpty ? "figures" : table.header[0]), of: table.rows, columns)
        }
        for note in report.texts("notes") { html.add(.p, .class("quiet"), text: note) }
        return """
            <!DOCTYPE html>
            <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
            <head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/>
            <title>Load report</title><style>\(style)</style></head>
            <body>
            \(String(decoding: html.bytes, as: UTF8.self))
            </body>
            </html>

            """
    }

    private static func addPlots(of series: JSONObject, to html: inout HTMLWriter) {
        let slices = (series["slices"]?.arrayValue ?? []).compactMap(\.objectValue)
        let interval = series["interval_seconds"]?.doubleValue ?? 0
        let times = [0, 0.25, 0.5, 0.75, 1].map { "\(NumberText.fixed(Double(slices.count) * interval * $0, 1)) s" }
        for (title, unit, lines, divisor) in [
            ("Latency over time", " ms", [("p50", "p50_us"), ("p99", "p99_us"), ("max", "max_us")], 1000),
            (
                "Each second", "",
                [("answers", "answers"), ("accepted events", "accepted_events"), ("errors", "errors")], interval
            ),
        ] {
            html.add(.h2, text: title)
            html.add(.p) { html in
                for (style, line) in zip(["first", "second", "third"] as [StaticString], lines) {
                    html.add(.b, .class(style), text: line.0)
                    html.text(" ")
                }
            }
            let values = lines.map { line in slices.map { ($0[line.1]?.doubleValue ?? 0) / max(divisor, 0.001) } }
            SeriesPlot(title: title, lines: values, times: times) { tick, step in
                NumberText.fixed(tick, step < 0.1 ? 3 : step < 1 ? 1 : 0) + unit
            }.write(to: &html)
        }
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
