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
                return AppResponse.page(try page(visit, wanted ?? visit.moment.today.components.year))
            }
        ]
    }

    private static func page(_ visit: AppVisit, _ year: Int) throws -> [UInt8] {
        let (byCurrency, home) = try read(visit, year)
        return visit.page(.calendar, title: "\(year)") { html in
            html.crumb(AppSection.calendar.link, visit.text("Calendar"))
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: visit.text("The year \("\(year)")"))
                    html.add(
                        .p,
                        text: visit.text(
                            "As of \(visit.day(visit.moment.today)): what was charged, and what is to come."))
                }
                html.add(.div, .class("actions")) { html in
                    if years.contains(year - 1) {
                        html.add(.a, .class("button"), .href(link(year - 1)), text: "\(year - 1)")
                    }
                    if years.contains(year + 1) {
                        html.add(.a, .class("button"), .href(link(year + 1)), text: "\(year + 1)")
                    }
                    html.add(.button, .type("button"), .data("print"), .hidden, text: visit.text("Print"))
                }
            }
            if byCurrency.isEmpty { html.add(.p, .class("empty"), text: visit.text("No charges.")) }
            if let home { write(home, visit, to: &html) }
            for (currency, rows) in byCurrency {
                html.add(.section, .class("section year")) { html in
                    html.add(.h2, text: currency.code)
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
        if let home, home.converts(byCurrency.map(\.key)) { return [home.amount] }
        return byCurrency.map { currency, rows in rows.map(\.sum).together(currency).total }
    }

    /// The whole year in the home currency, and what that leaves out.
    private static func write(_ home: HomeSum, _ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.section, .class("panel")) { html in
            if home.rates.isEmpty {
                html.add(
                    .p, text: visit.text("No sum in \(home.home.code): exchange rates are missing."))
            } else {
                html.add(.p, .class("annual amount"), text: visit.money(home.amount))
                html.add(
                    .p, .class("hint"),
                    text: visit.text(
                        "All currencies together: past charges at the rate of their day, others at the latest."))
                if !home.unconverted.isEmpty {
                    let codes = home.unconverted.map(\.code).joined(separator: ", ")
                    html.add(
                        .p, .class("hint"),
                        text: visit.text("Without a rate of their day, some charges are not included: \(codes)"))
                }
            }
            html.add(.p, .class("after")) { $0.add(.a, .href(RatePages.link), text: visit.text("Exchange rates")) }
        }
    }

    private static func categories(
        _ rows: [YearRow], _ currency: Currency, _ visit: AppVisit
    ) -> [(name: String, sum: PeriodStatement.Sum)] {
        Dictionary(grouping: rows.flatMap { $0.statement.categories }, by: \.category)
            .sorted { SubscriptionCategory.inOrder($0.key, $1.key) }
            .map { ($0.key.displayName(visit.words), $0.value.map(\.sum).together(currency)) }
    }

    private static func table(
        _ title: String, _ rows: [(name: String, sum: PeriodStatement.Sum)], _ currency: Currency, _ visit: AppVisit,
        to html: inout HTMLWriter
    ) {
        let headings = [visit.text("charged"), visit.text("to come"), visit.text("Total")].map(\.capitalisedFirst)
        html.add(
            .div, .class("scroll after"), .tabindex(0), .role("region"), .aria("label", "\(title), \(currency.code)")
        ) { html in
            html.add(.table, .class("stacked sums")) { html in
                html.add(.caption, text: title)
                html.add(.thead) { html in
                    html.add(.tr) { html in
                        html.add(.td) { _ in }
                        for heading in headings {
                            html.add(.th, .scope("col"), .class("number"), text: heading)
                        }
                    }
                }
                html.add(.tbody) { html in
                    for row in rows { write(row.name, row.sum, headings, visit, to: &html) }
                    write(
                        visit.text("Total"), rows.map(\.sum).together(currency), isTotal: true, headings, visit,
                        to: &html)
                }
            }
        }
    }

    private static func write(
        _ name: String, _ sum: PeriodStatement.Sum, isTotal: Bool = false, _ headings: [String], _ visit: AppVisit,
        to html: inout HTMLWriter
    ) {
        html.add(.tr, isTotal ? .class("total") : nil) { html in
            html.add(.th, .scope("row"), text: name)
            for (heading, amount) in zip(headings, [sum.charged, sum.toCome, sum.total]) {
                html.add(
                    .td, .class("number amount"), .data("label", heading),
                    text: amount.minorUnits == 0 ? "–" : visit.money(amount))
            }
        }
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
