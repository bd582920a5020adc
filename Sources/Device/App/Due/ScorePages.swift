import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// The Control Score by month.
enum ScorePages {
    static let link = HTMLLink("score")
    private static let months = 12

    static func routes(_ gate: AppGate) -> [Route] {
        [gate.page("/score") { try page($0) }]
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        // Of months with charges, newest first.
        let rows = try visit.store.ledger.scoreByMonth(months, at: visit.moment).reversed().filter { $0.score.due > 0 }
        return visit.page(.due, title: visit.text("Control Score by month")) { html in
            html.crumb(AppSection.due.link, visit.text("To confirm"))
            html.top(visit.text("Control Score by month")) { html in
                html.paragraph(
                    visit.text("The share of each month's charges that you confirmed; late ones count half."))
            }
            if rows.isEmpty {
                html.hint(visit.text("Nothing was due in the last 12 months."), "empty")
                return
            }
            html.add(.div, .class("panel")) { html in
                html.add(.table) { html in
                    html.add(.tbody) { html in
                        for row in rows { write(row, visit, to: &html) }
                    }
                }
            }
        }
    }

    private static func write(_ row: MonthScore, _ visit: AppVisit, to html: inout HTMLWriter) {
        let score = row.score
        html.add(.tr) { html in
            html.add(.th, .scope("row")) { html in
                html.text(visit.month(row.month))
                html.add(.span, .class("under"), text: visit.text("\(score.confirmed + score.late) of \(score.due)"))
            }
            html.add(.td, .class("bars")) { html in
                MeterBar(share: Double(score.percentTenths ?? 0) / 1000).write(to: &html)
            }
            html.add(.td, .class("number"), text: visit.words.percent(score.percentText ?? ""))
        }
    }
}
