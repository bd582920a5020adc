import Foundation
import TextCoding

/// A page with results and plots: one self-contained file that is also valid XML and follows the reader's light or dark
/// setting.
package enum HTMLReport {
    package static func page(_ result: LoadResult, ramp: [RampStep] = [], writtenAt: String) -> String {
        let isClosed = result.plan.pace == .closed
        let table = LatencyTable(result.tally)
        var parts = [
            "<h1>Load report</h1>",
            "<p>\(Markup.escape(LoadSummary.heading(result.plan)))</p>",
            "<p class=\"quiet\">\(Markup.escape(writtenAt))</p>",
        ]
        if let failure = result.failure { parts.append("<p class=\"failure\">\(Markup.escape(failure))</p>") }
        parts += ["<h2>Latency</h2>", latencyNote(isClosed), LoadPlots.latency(result.tally, isClosed: isClosed)]
        parts.append(
            Markup.table(
                table.rows.map {
                    [
                        $0.name, NumberText.milliseconds(fromMicroseconds: $0.fromDueMicroseconds),
                        NumberText.milliseconds(fromMicroseconds: $0.fromSentMicroseconds),
                    ]
                }, header: ["percentile", "from due, ms", "from sent, ms"]))
        parts += ["<h2>Throughput</h2>", LoadPlots.throughput(result)]
        parts.append(Markup.table(LoadSummary.facts(result).map { [$0.name, $0.value] }, header: ["", ""]))
        if result.plan.profile != .catalogue { parts += events(result.tally) }
        if !ramp.isEmpty { parts += ["<h2>Ramp</h2>", rampTable(ramp)] }
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

    private static func latencyNote(_ isClosed: Bool) -> String {
        let words =
            isClosed
            ? "A closed loop: each connection asks again when it is answered, so a slow server is asked less often and these "
                + "latencies flatter it."
            : "<b class=\"first\">From due</b> counts from the moment at which the schedule wanted the request sent, and so "
                + "includes the wait for a server that stalled; <b class=\"second\">from sent</b> does not."
        return "<p>\(words)</p>"
    }

    private static func events(_ tally: LoadTally) -> [String] {
        let rows = LoadSummary.eventRows(tally).map {
            [$0.name, NumberText.grouped($0.expected), NumberText.grouped($0.reported)]
        }
        let rest = [
            ["not taken", NumberText.grouped(tally.refusedEvents), ""],
            ["unanswered", NumberText.grouped(tally.unansweredEvents), ""],
        ]
        return ["<h2>Events</h2>", Markup.table(rows + rest, header: ["", "expected", "server"])]
    }

    private static func rampTable(_ steps: [RampStep]) -> String {
        Markup.table(
            steps.map {
                [
                    NumberText.fixed($0.rate), NumberText.milliseconds(fromMicroseconds: $0.p99Microseconds),
                    $0.holds ? "holds" : "does not",
                ]
            }, header: ["rate/s", "p99, ms", ""])
    }

    private static let style = """
        :root{color-scheme:light dark;--text:#1c1f23;--page:#fff;--quiet:#667;--grid:#d8dbe0;--a:#0b62c4;--b:#b3560a;--f:#c01c28}
        @media(prefers-color-scheme:dark){:root{--text:#e6e8eb;--page:#16181c;--quiet:#9aa3ad;--grid:#343940;--a:#6cb2ff;--b:#f0a35e;--f:#ff7b80}}
        body{font:15px/1.5 system-ui,sans-serif;max-width:760px;margin:2rem auto;padding:0 1rem;color:var(--text);background:var(--page)}
        h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}.quiet{color:var(--quiet)}.failure{color:var(--f);font-weight:600}
        b.first{color:var(--a)}b.second{color:var(--b)}svg{width:100%;height:auto}
        polyline{fill:none;stroke-width:2}.first{stroke:var(--a)}.second{stroke:var(--b)}.fault{stroke:var(--f)}b{stroke:none}
        .grid{stroke:var(--grid);stroke-width:1}.tick{fill:var(--quiet);font-size:11px}
        table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid var(--grid)}
        th[scope=row]{text-align:left;font-weight:400}
        """
}

/// Text for HTML and SVG.
enum Markup {
    static func escape(_ text: String) -> String {
        text.escaping(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
    }

    static func table(_ rows: [[String]], header: [String]) -> String {
        let head = header.map { "<th>\(escape($0))</th>" }.joined()
        let body = rows.map { row in
            let cells = row.enumerated().map { index, cell in
                index == 0 ? "<th scope=\"row\">\(escape(cell))</th>" : "<td>\(escape(cell))</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        return "<table><thead><tr>\(head)</tr></thead><tbody>\(body.joined(separator: "\n"))</tbody></table>"
    }
}
