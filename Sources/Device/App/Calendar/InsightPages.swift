import DeviceWords
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// A year in numbers: at today's prices, from today, and of the calendar; by month and category; price rises and
/// savings.
enum InsightPages {
    static let link = HTMLLink("insights")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.answer("/insights") { visit in
                let page = try InsightPage(visit)
                return AppResponse.page(page.page(), page.isRefused ? .unprocessableContent : .ok)
            }
        ]
    }
}

extension HTMLWriter {
    /// The way between the two pages of the tab.
    mutating func calendarChips(_ visit: AppVisit, isInsights: Bool) {
        chips(
            visit.text("Calendar"),
            [
                Chip(visit.text("Calendar"), AppSection.calendar.link, isCurrent: !isInsights),
                Chip(visit.text("Insights"), InsightPages.link, isCurrent: isInsights),
            ])
    }
}

private struct InsightPage {
    private let visit: AppVisit
    /// At today's prices.
    private let annual: [Money]
    private let home: Currency?
    private let year: ComingYear
    /// Of the calendar.
    private let calendarYear: [Money]
    private let savings: [Saving]
    private let rises: RiseSection

    /// With thousands of subscriptions, the list has its first ones.
    private static let mostListed = 50

    init(_ visit: AppVisit) throws {
        self.visit = visit
        annual = try visit.annualCost()
        home = try visit.costs().home?.home
        year = try visit.answer("coming year") { try ComingYear(visit) }
        calendarYear = try YearPages.sums(visit, visit.moment.today.components.year)
        savings = try visit.answer("savings") {
            try visit.store.totals.savings(limit: Self.mostListed, at: visit.moment)
        }
        rises = try RiseSection(visit)
    }

    /// Whether the address asks for something that cannot be shown.
    var isRefused: Bool { rises.fault != nil }

    func page() -> [UInt8] {
        visit.page(.calendar, title: visit.text("Insights")) { html in
            html.calendarChips(visit, isInsights: true)
            let link = { (html: inout HTMLWriter) in
                html.add(.a, .href(WhatToCancelPage.link), text: visit.text("What to cancel"))
            }
            html.top(visit.text("Insights"), beside: { $0.add(.p, content: link) })
            if annual.isEmpty, year.sums.isEmpty, calendarYear.isEmpty {
                html.hint(visit.text("No charges."), "empty")
            } else {
                writeYears(to: &html)
            }
            writeComing(to: &html)
            writeSavings(to: &html)
            rises.write(to: &html)
        }
    }

    /// The three years beside each other, and why they differ.
    private func writeYears(to html: inout HTMLWriter) {
        let now = visit.moment.today.components.year
        html.add(.section, .class("panel")) { html in
            html.add(.dl, .class("counts")) { html in
                for (name, sums) in [
                    (visit.text("Cost per year"), annual), (visit.text("The next 12 months"), year.sums),
                ] {
                    html.add(.div) { html in
                        html.add(.dt, text: name)
                        html.add(.dd, .class("amount"), text: sums.isEmpty ? "–" : visit.money(sums))
                    }
                }
                html.add(.div) { html in
                    html.add(.dt) {
                        $0.add(.a, .href(YearPages.link(now)), text: visit.text("The year \("\(now)")"))
                    }
                    html.add(.dd, .class("amount"), text: calendarYear.isEmpty ? "–" : visit.money(calendarYear))
                }
            }
            html.hint(visit.text(why))
            if let (rows, home) = try? visit.costs() {
                visit.writeMissingRates(home, of: rows.map(\.currency), to: &html)
            }
        }
    }

    private var why: Sentence {
        Set(year.sums) == Set(annual.filter { $0.minorUnits != 0 })
            ? """
            Both count the same charges at the same prices; the calendar year has what was charged and what is to \
            come.
            """
            : "The cost per year is at the prices of today. The others count each charge on its day: price changes, "
                + "beginnings, ends, pauses and a 53rd week make them differ."
    }

    private func writeComing(to html: inout HTMLWriter) {
        guard !year.months.isEmpty else { return }
        html.section(visit.text("The next 12 months")) { html in
            html.hint(visit.text("From \(visit.day(year.first)) through \(visit.day(year.last))."))
            visit.writeByCurrency(year.months, home: home, \.total.currency, to: &html) { table, html in
                SumTable(visit: visit, rows: table.rows.map { (visit.month($0.key), $0.amount) }, total: table.total)
                    .write(to: &html)
            }
        }
        html.section(visit.text("The next 12 months by category")) { html in
            visit.writeByCurrency(year.categories, home: home, \.total.currency, to: &html) { table, html in
                SumTable(
                    visit: visit, rows: table.rows.map { ($0.key.displayName(visit.words), $0.amount) },
                    total: table.total
                ).write(to: &html)
            }
        }
    }

    private func writeSavings(to html: inout HTMLWriter) {
        guard !savings.isEmpty else { return }
        html.section(visit.text("Saved by cancelling")) { html in
            html.rows(savings) { saving, html in
                html.add(.b, text: saving.name)
                html.add(.span, .class("amount"), text: visit.money(saving.amount))
            }
        }
    }
}

/// The twelve months from today: every charge on its day, at the price of that day.
struct ComingYear: Sendable {
    /// Amounts of one currency, such as those of each month, and their exact sum.
    struct Table<Key: Sendable>: Sendable {
        let rows: [(key: Key, amount: Money)]
        let total: Money
    }

    let first: CalendarDay
    /// The day before the same day of the next year.
    let last: CalendarDay
    /// One in the home currency, or one of each currency where they cannot be added up.
    let months: [Table<CalendarDay>]
    let categories: [Table<SubscriptionCategory>]

    init(_ visit: AppVisit) throws {
        let (totals, moment) = (visit.store.totals, visit.moment)
        first = moment.today
        last = first.adding(months: 12).adding(days: -1)
        let month = first.adding(days: 1 - first.day)
        let end = month.adding(months: 12)
        // What was charged today counts too, or confirming it would make the year shorter.
        var slices = [
            (month, try totals.statement(from: first, through: month.adding(months: 1).adding(days: -1), at: moment))
        ]
        slices += try totals.statements(ofMonthsFrom: month.adding(months: 1), count: 11, at: moment)
            .map { ($0.month, $0.statements) }
        if end <= last { slices.append((end, try totals.statement(from: end, through: last, at: moment))) }
        let byMonth = slices.map { month, statements in (month, statements.map(\.total)) }
        let byCategory = Dictionary(
            grouping: slices.flatMap { $0.1.flatMap(\.categories) }, by: \.category
        ).map { ($0, $1.map(\.sum.total)) }.sorted { SubscriptionCategory.inOrder($0.0, $1.0, visit.words) }
        months = try Self.tables(byMonth, visit)
        categories = try Self.tables(byCategory, visit)
            .map { Table(rows: $0.rows.filter { $0.amount.minorUnits != 0 }, total: $0.total) }
    }

    /// The whole year, by currency.
    var sums: [Money] { months.map(\.total) }

    private static func tables<Key>(_ rows: [(Key, [Money])], _ visit: AppVisit) throws -> [Table<Key>] {
        let all = Money.sums(of: rows.flatMap(\.1)).filter { $0.minorUnits != 0 }
        if !all.isEmpty, let sum = try visit.store.rates.coming(all, at: visit.moment),
            sum.converts(all.map(\.currency))
        {
            let rows = try rows.map { key, amounts in
                (key, try visit.store.rates.coming(amounts, at: visit.moment)?.amount ?? sum.amount)
            }
            return [Table(rows: rows, total: sum.amount)]
        }
        return all.map { total in
            Table(
                rows: rows.map { key, amounts in
                    let units = amounts.filter { $0.currency == total.currency }.map(\.minorUnits).clampedSum
                    return (key, Money(minorUnits: units, currency: total.currency))
                }, total: total)
        }
    }
}
