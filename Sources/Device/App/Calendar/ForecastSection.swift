import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine

/// What the coming twelve months will cost by category, as bars.
struct ForecastSection {
    private let visit: AppVisit
    private let statements: [PeriodStatement]

    init(_ visit: AppVisit) throws {
        self.visit = visit
        let today = visit.moment.today
        let last = today.adding(days: 1 - today.day).adding(months: 12).adding(days: -1)
        statements = try visit.answer("statements") {
            try visit.store.totals.statement(from: today, through: last, at: visit.moment)
        }
    }

    func write(to html: inout HTMLWriter) {
        let shown = statements.filter { $0.toCome.minorUnits != 0 }
        guard !shown.isEmpty else { return }
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("The next 12 months by category"))
            for statement in shown {
                let rows = statement.categories.filter { $0.sum.toCome.minorUnits != 0 }
                    .map { ($0.category.displayName(visit.words), $0.sum.toCome) }
                    .sorted { $0.1.minorUnits > $1.1.minorUnits }
                SumTable(visit, statement.currency.code, rows: rows).write(to: &html)
            }
        }
    }
}

/// Amounts of one currency with bars beneath each other, and their sum.
struct SumTable {
    private let visit: AppVisit
    private let title: String
    private let rows: [(name: String, amount: Money)]

    init(_ visit: AppVisit, _ title: String, rows: [(name: String, amount: Money)]) {
        self.visit = visit
        self.title = title
        self.rows = rows
    }

    func write(to html: inout HTMLWriter) {
        html.add(.h3, text: title)
        html.add(.div, .class("panel")) { html in
            html.add(.table) { html in
                let most = rows.map(\.amount.minorUnits).max() ?? 0
                html.add(.tbody) { html in
                    for row in rows {
                        html.add(.tr) { html in
                            html.add(.th, .scope("row"), text: row.name)
                            html.add(.td, .class("bars")) { html in
                                MeterBar(share: most == 0 ? 0 : Double(row.amount.minorUnits) / Double(most))
                                    .write(to: &html)
                            }
                            html.add(.td, .class("number amount"), text: visit.money(row.amount))
                        }
                    }
                    guard rows.count > 1, let currency = rows.first?.amount.currency else { return }
                    html.add(.tr, .class("total")) { html in
                        html.add(.th, .scope("row"), text: visit.text("Total"))
                        html.add(.td) { _ in }
                        html.add(
                            .td, .class("number amount"),
                            text: visit.money(
                                Money(minorUnits: rows.map(\.amount.minorUnits).clampedSum, currency: currency)))
                    }
                }
            }
        }
    }
}
