import DeviceWords
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// A year by month and by category, to look at and to print.
enum YearPages {
    private static let years = 1900...2199

    static func link(_ year: Int) -> HTMLLink { HTMLLink("year", query: [("year", "\(year)")]) }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/year") { visit in
                let wanted = visit.parameter("year").flatMap { Int($0) }.flatMap { years.contains($0) ? $0 : nil }
                return try page(visit, wanted ?? visit.moment.today.components.year)
            }
        ]
    }

    private static func page(_ visit: AppVisit, _ year: Int) throws -> [UInt8] {
        let (byCurrency, home) = try read(visit, year)
        return visit.page(.calendar, title: "\(year)") { html in
            html.crumb(AppSection.calendar.link, visit.text("Calendar"))
            html.top(visit.text("The year \("\(year)")")) { html in
                if !byCurrency.isEmpty { html.hint(visit.money(sums(byCurrency, home)), "value amount") }
                html.paragraph(
                    visit.text("As of \(visit.day(visit.moment.today)): what was charged, and what is to come."))
            } beside: { html in
                html.add(.div, .class("actions")) { html in
                    for year in [year - 1, year + 1] where years.contains(year) {
                        html.linkButton("\(year)", link(year))
                    }
                    html.add(.button, .type("button"), .data("print"), .hidden, text: visit.text("Print"))
                }
            }
            if byCurrency.isEmpty { html.hint(visit.text("No charges."), "empty") }
            if let home {
                write(home, isAbove: home.converts(byCurrency.map(\.key)), visit, to: &html)
            }
            html.add(.section, .class("section")) { html in
                visit.writeByCurrency(byCurrency, home: home?.home, heading: .h2, { $0.key }, to: &html) { part, html in
                    let (currency, rows) = part
                    table(
                        visit.text("By month"), rows.map { (visit.month($0.month), $0.sum) }, currency, visit,
                        to: &html)
                    table(visit.text("By category"), categories(rows, currency, visit), currency, visit, to: &html)
                }
            }
        }
    }

    /// The months with charges by currency, and their sum in the home currency if there are others.
    private static func read(
        _ visit: AppVisit, _ year: Int
    ) throws -> (byCurrency: [(key: Currency, value: [YearRow])], home: HomeSum?) {
        guard let first = CalendarDay(year: year, month: 1, day: 1) else { throw AppRefusal.notFound }
        let months = try visit.store.totals.statements(ofMonthsFrom: first, count: 12, at: visit.moment)
        let sums = months.flatMap { month in month.statements.map { YearRow(month: month.month, statement: $0) } }
        let byCurrency = Dictionary(grouping: sums, by: \.statement.currency)
            .sorted { Currency.inOrder($0.key, $1.key) }
        // Only where it is shown, because it converts each charge.
        let code = try visit.store.settings.value(.homeCurrency)
        guard code != nil, byCurrency.contains(where: { $0.key.code != code }) else { return (byCurrency, nil) }
        let last = min(first.adding(months: 12).adding(days: -1), visit.moment.today)
        let home = try visit.answer("year \(year)") {
            try visit.store.rates.spent(
                from: first, through: last, andComing: sums.map(\.statement.toCome), at: visit.moment)
        }
        return (byCurrency, home)
    }

    /// The whole year: one sum in the home currency where there is one.
    static func sums(_ visit: AppVisit, _ year: Int) throws -> [Money] {
        let (byCurrency, home) = try read(visit, year)
        return sums(byCurrency, home)
    }

    private static func sums(_ byCurrency: [(key: Currency, value: [YearRow])], _ home: HomeSum?) -> [Money] {
        if let home, home.converts(byCurrency.map(\.key)) { return [home.amount] }
        return byCurrency.map { currency, rows in rows.map(\.sum).together(currency).total }
    }

    /// The whole year in the home currency, and what that leaves out.
    ///
    /// - Parameter isAbove: whether the sum is the headline.
    private static func write(_ home: HomeSum, isAbove: Bool, _ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.section, .class("panel")) { html in
            if home.rates.isEmpty {
                html.paragraph(visit.text("No sum in \(home.home.code): exchange rates are missing."))
            } else {
                if !isAbove { html.hint(visit.money(home.amount), "annual amount") }
                html.hint(
                    visit.text("All currencies together: past charges at the rate of their day, others at the latest."))
                if !home.unconverted.isEmpty {
                    let codes = home.unconverted.map(\.code).joined(separator: ", ")
                    html.hint(visit.text("Without a rate of their day, some charges are not included: \(codes)"))
                }
            }
            html.add(.p, .class("after")) { $0.add(.a, .href(RatePages.link), text: visit.text("Exchange rates")) }
        }
    }

    private static func categories(
        _ rows: [YearRow], _ currency: Currency, _ visit: AppVisit
    ) -> [(name: String, sum: PeriodStatement.Sum)] {
        Dictionary(grouping: rows.flatMap { $0.statement.categories }, by: \.category)
            .sorted { SubscriptionCategory.inOrder($0.key, $1.key, visit.words) }
            .map { ($0.key.displayName(visit.words), $0.value.map(\.sum).together(currency)) }
    }

    private static func table(
        _ title: String, _ rows: [(name: String, sum: PeriodStatement.Sum)], _ currency: Currency, _ visit: AppVisit,
        to html: inout HTMLWriter
    ) {
        let rows = rows.map { (name: $0.name, sum: $0.sum, isTotal: false) }
        let total = (name: visit.text("Total"), sum: rows.map(\.sum).together(currency), isTotal: true)
        func column(
            _ name: String, _ amount: @escaping (PeriodStatement.Sum) -> Money
        ) -> TableColumn<(name: String, sum: PeriodStatement.Sum, isTotal: Bool)> {
            .number(name.capitalisedFirst, "number amount") { row in
                amount(row.sum).minorUnits == 0 ? "–" : visit.money(amount(row.sum))
            }
        }
        html.table(
            .label("\(title), \(currency.code)"), caption: title, style: "stacked sums", frame: "scroll after",
            of: rows + [total], row: { $0.isTotal ? .class("total") : nil },
            [
                .heading("") { row, html in html.text(row.name) }, column(visit.text("charged")) { $0.charged },
                column(visit.text("to come")) { $0.toCome }, column(visit.text("Total")) { $0.total },
            ])
    }
}

private struct YearRow {
    let month: CalendarDay
    let statement: PeriodStatement

    var sum: PeriodStatement.Sum { PeriodStatement.Sum(charged: statement.charged, toCome: statement.toCome) }
}

extension [PeriodStatement.Sum] {
    fileprivate func together(_ currency: Currency) -> PeriodStatement.Sum {
        PeriodStatement.Sum(
            charged: Money(minorUnits: map(\.charged.minorUnits).clampedSum, currency: currency),
            toCome: Money(minorUnits: map(\.toCome.minorUnits).clampedSum, currency: currency))
    }
}
