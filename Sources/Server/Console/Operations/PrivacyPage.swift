import HTML
package import Operations
import SubGuardDomain

/// What the server stores, table by table, as the public privacy report says.
package struct PrivacyPage: ConsolePage {
    private let report: PrivacyReport

    package init(_ report: PrivacyReport) { self.report = report }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .operations, "Stored data",
            "What the database contains, how much of it, and for how long: the public privacy report."
        ) { html in
            html.linkButton(words["Public report (JSON)"], HTMLLink("api", "v1", "privacy"))
        } main: { html in
            OperationsTab.write(.privacy, frame, to: &html)
            html.section(words["Never stored"]) { html in
                html.rows(PrivacyRegistry.neverStored, style: "bullets") { sentence, html in html.text(words[sentence])
                }
            }
            html.section(words["Tables"]) { html in writeTables(words, to: &html) }
            html.add(.p, .class("below")) { html in
                html.add(.span, text: words["Days are in UTC."])
                html.time(
                    report.generatedAt.rfc3339, words.text("Counted %1", words.instant(report.generatedAt)))
            }
        }
    }

    private func writeTables(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Tables"]), caption: words["Counts may be ten minutes old."], style: "stacked settings",
            of: report.tables,
            [
                .heading(words["Table"]) { table, html in html.addName(table.name) },
                .number(words["Records"]) { table in
                    table.records.map(words.number) ?? (table.rowsAreExact ? "" : "≥ ") + words.number(table.rows)
                },
                .text(words["Purpose"], isLabelled: false, .class("meaning")) { words[$0.purpose] },
                .text(words["Kept"], .class("meaning")) { words[$0.retention] },
                .day("Last purge", words, or: "never") { $0.lastPurgedAt },
            ])
    }
}
