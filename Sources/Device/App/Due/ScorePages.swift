import DeviceWords
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// The Control Score by month.
enum ScorePages {
    static let link = HTMLLink("score")
    private static let months = 12

    static func routes(_ gate: AppGate) -> [Route] {
        [gate.page("/score") { visit in AppResponse.page(try page(visit)) }]
    }

    /// The score of the charges of each month that has any, newest first.
    static func scores(_ visit: AppVisit) throws -> [(month: CalendarDay, score: ControlScore)] {
        let today = visit.moment.today
        let first = today.adding(days: 1 - today.day).adding(months: 1 - months)
        let occurrences = try visit.store.ledger.occurrences(from: first, through: today, at: visit.moment)
        let byMonth = Dictionary(grouping: occurrences) { $0.billingOn.adding(days: 1 - $0.billingOn.day) }
        return byMonth.sorted { $0.key > $1.key }.compactMap { month, occurrences in
            func count(_ fate: OccurrenceFate) -> Int { occurrences.count { $0.fate == fate } }
            // Today's charge counts only once it is confirmed.
            let missed = occurrences.count { $0.fate == .open && $0.billingOn < today }
            let score = ControlScore(
                confirmed: count(.confirmed), late: count(.late), missed: missed, skipped: count(.skipped))
            return score.due > 0 ? (month, score) : nil
        }
    }

    /// `87.5 %`, in French `87,5 %`.
    static func percent(_ text: String, _ visit: AppVisit) -> String {
        visit.words == .french ? text.replacing(".", with: ",") + "\u{202F}%" : text + " %"
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let rows = try scores(visit)
        return visit.page(.due, title: visit.text("Control Score by month")) { html in
            html.crumb(AppSection.due.link, visit.text("To confirm"))
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: visit.text("Control Score by month"))
                    html.add(
                        .p,
                        text: visit.text("The share of each month's charges that you confirmed; late ones count half."))
                }
            }
            if rows.isEmpty {
                html.add(.p, .class("empty"), text: visit.text("Nothing was due in the last 12 months."))
                return
            }
            html.add(.div, .class("panel")) { html in
                html.add(.table) { html in
                    html.add(.tbody) { html in
                        for (month, score) in rows { write(month, score, visit, to: &html) }
                    }
                }
            }
        }
    }

    private static func write(
        _ month: CalendarDay, _ score: ControlScore, _ visit: AppVisit, to html: inout HTMLWriter
    ) {
        html.add(.tr) { html in
            html.add(.th, .scope("row")) { html in
                html.text(visit.month(month))
                html.add(.span, .class("under"), text: visit.text("\(score.confirmed + score.late) of \(score.due)"))
            }
            html.add(.td, .class("bars")) { html in
                MeterBar(share: Double(score.percentTenths ?? 0) / 1000).write(to: &html)
            }
            html.add(
                .td, .class("number"),
                text: percent(score.percentText ?? "", visit))
        }
    }
}
