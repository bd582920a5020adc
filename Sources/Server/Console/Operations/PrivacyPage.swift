package import Backend
import HTML
import SubGuardDomain

/// What the server stores, table by table, as the public privacy report says.
package struct PrivacyPage: Sendable {
    private let report: PrivacyReport

    package init(_ report: PrivacyReport) { self.report = report }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.operations, title: words[.operationsPrivacy]) { html in
            frame.top(.operationsPrivacy, .operationsPrivacyLead, to: &html) { html in
                html.add(.a, .class("button"), .href(HTMLLink("api", "v1", "privacy")), text: words[.operationsPublic])
            }
            OperationsTab.write(.privacy, frame, to: &html)
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: words[.operationsNeverStored])
                html.add(.ul, .class("bullets")) { html in
                    for sentence in PrivacyRegistry.neverStored { html.add(.li, text: words.privacy(sentence)) }
                }
            }
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: words[.operationsTables])
                writeTables(words, to: &html)
            }
            html.add(.p, .class("below")) { html in
                html.add(.span, text: words[.zoneNote])
                html.add(
                    .time, .datetime(report.generatedAt.rfc3339),
                    text: words.text(.counted, words.instant(report.generatedAt)))
            }
        }
    }

    private func writeTables(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.div, .class("scroll"), .role("region"), .aria("label", words[.operationsTables]), .tabindex(0)) {
            html in
            html.add(.table, .class("stacked settings")) { html in
                html.add(.caption, text: words[.operationsTablesCaption])
                html.add(.thead) { html in
                    html.add(.tr) { html in
                        html.add(.th, .scope("col"), text: words[.operationsTable])
                        html.add(.th, .scope("col"), .class("number"), text: words[.operationsRows])
                        html.add(.th, .scope("col"), text: words[.operationsPurpose])
                        html.add(.th, .scope("col"), text: words[.operationsRetention])
                        html.add(.th, .scope("col"), text: words[.operationsPurged])
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
                .td, .class("number"), .data("label", words[.operationsRows]),
                text: table.records.map(words.number) ?? (table.rowsAreExact ? "" : "≥ ") + words.number(table.rows))
            html.add(.td, .class("meaning"), text: words.privacy(table.purpose))
            html.add(
                .td, .class("meaning"), .data("label", words[.operationsRetention]),
                text: words.privacy(table.retention))
            words.cell(.operationsPurged, table.lastPurgedAt, or: .accessNever, to: &html)
        }
    }
}
