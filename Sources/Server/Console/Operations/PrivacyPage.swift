package import Backend
import HTML
import SubGuardDomain

/// What the server stores, table by table, as the public privacy report says.
package struct PrivacyPage: Sendable {
    private let report: PrivacyReport

    package init(_ report: PrivacyReport) { self.report = report }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.operations, title: words["Stored data"]) { html in
            frame.top(
                "Stored data",
                "What the database contains, how much of it, and for how long: the public privacy report.", to: &html
            ) { html in
                html.add(
                    .a, .class("button"), .href(HTMLLink("api", "v1", "privacy")), text: words["Public report (JSON)"])
            }
            OperationsTab.write(.privacy, frame, to: &html)
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: words["Never stored"])
                html.add(.ul, .class("bullets")) { html in
                    for sentence in PrivacyRegistry.neverStored { html.add(.li, text: words[sentence]) }
                }
            }
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: words["Tables"])
                writeTables(words, to: &html)
            }
            html.add(.p, .class("below")) { html in
                html.add(.span, text: words["Days are in UTC."])
                html.add(
                    .time, .datetime(report.generatedAt.rfc3339),
                    text: words.text("Counted %1", words.instant(report.generatedAt)))
            }
        }
    }

    private func writeTables(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.div, .class("scroll"), .role("region"), .aria("label", words["Tables"]), .tabindex(0)) {
            html in
            html.add(.table, .class("stacked settings")) { html in
                html.add(.caption, text: words["Counts may be ten minutes old."])
                html.add(.thead) { html in
                    html.add(.tr) { html in
                        html.add(.th, .scope("col"), text: words["Table"])
                        html.add(.th, .scope("col"), .class("number"), text: words["Records"])
                        html.add(.th, .scope("col"), text: words["Purpose"])
                        html.add(.th, .scope("col"), text: words["Kept"])
                        html.add(.th, .scope("col"), text: words["Last purge"])
                    }
                }
                html.add(.tbody) { html in for table in report.tables { write(table, words, to: &html) } }
            }
        }
    }

    private func write(_ table: PrivacyReport.Table, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.tr) { html in
            html.add(.th, .scope("row")) { $0.addName(table.name) }
            html.add(
                .td, .class("number"), .data("label", words["Records"]),
                text: table.records.map(words.number) ?? (table.rowsAreExact ? "" : "≥ ") + words.number(table.rows))
            html.add(.td, .class("meaning"), text: words[table.purpose])
            html.add(
                .td, .class("meaning"), .data("label", words["Kept"]),
                text: words[table.retention])
            words.cell("Last purge", table.lastPurgedAt, or: "never", to: &html)
        }
    }
}
