import DeviceWords
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// The month with its charges and last days to cancel, the next twelve months, budgets, price rises and savings.
enum CalendarPages {
    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/calendar") { visit in
                let page = try calendar(visit)
                return AppResponse.page(
                    page.page(try BudgetSection(visit)), page.isRefused ? .unprocessableContent : .ok)
            }
        ]
    }

    static func page(_ visit: AppVisit, budgets: BudgetSection) throws -> [UInt8] { try calendar(visit).page(budgets) }

    private static func calendar(_ visit: AppVisit) throws -> CalendarPage {
        try CalendarPage(visit, month: visit.parameter("month").flatMap { CalendarDay(iso: $0 + "-01") })
    }
}

/// One month: its charges, last days to cancel, and sums.
private struct CalendarMonth: Sendable {
    let first: CalendarDay
    let last: CalendarDay
    /// The first charges of each day, and how many more there are.
    let charges: [CalendarDay: (shown: [Occurrence], others: Int)]
    let deadlines: [CalendarDay: [CancelByEntry]]
    let sums: [Money]

    /// Of one day.
    private static let mostCharges = 8

    init(_ visit: AppVisit, first: CalendarDay) throws {
        let last = first.adding(months: 1).adding(days: -1)
        let charged = try visit.store.ledger.occurrences(from: first, through: last, at: visit.moment)
            .filter { $0.fate != .skipped }
        self.first = first
        self.last = last
        charges = Dictionary(grouping: charged, by: \.billingOn).mapValues {
            (Array($0.prefix(Self.mostCharges)), max($0.count - Self.mostCharges, 0))
        }
        deadlines = Dictionary(
            grouping: try visit.store.totals.cancelBy(skipsRenewals: true, at: visit.moment)
                .filter { (first...last).contains($0.cancelBy.lastDay) },
            by: \.cancelBy.lastDay)
        var sums: [Currency: Int64] = [:]
        for occurrence in charged { sums[occurrence.amount.currency, default: 0] += occurrence.amount.minorUnits }
        self.sums = sums.sorted { Currency.inOrder($0.key, $1.key) }.map { Money(minorUnits: $1, currency: $0) }
    }
}

/// What stands below the month. With thousands of subscriptions, each list has its first ones.
private struct CalendarOutlook: Sendable {
    let forecast: [Forecast.Row]
    let savings: [Saving]
    static let mostListed = 50

    init(_ visit: AppVisit) throws {
        let (store, moment) = (visit.store, visit.moment)
        forecast = try store.totals.forecast(at: moment)
        savings = try store.totals.savings(limit: Self.mostListed, at: moment)
    }
}

private struct CalendarPage {
    private let visit: AppVisit
    private let month: CalendarMonth
    private let outlook: CalendarOutlook
    private let byCategory: ForecastSection
    private let rises: RiseSection

    /// - Parameter month: its first day; nil for the current month. Held within ten years.
    init(_ visit: AppVisit, month: CalendarDay?) throws {
        self.visit = visit
        let today = visit.moment.today
        let current = today.adding(days: 1 - today.day)
        let wanted = month.map { $0.adding(days: 1 - $0.day) } ?? current
        let first = min(max(wanted, current.adding(months: -120)), current.adding(months: 120))
        self.month = try visit.answer("month \(first.iso)") { try CalendarMonth(visit, first: first) }
        outlook = try visit.answer("outlook") { try CalendarOutlook(visit) }
        byCategory = try ForecastSection(visit)
        rises = try RiseSection(visit, month: first)
    }

    /// Whether the address asks for something that cannot be shown.
    var isRefused: Bool { rises.fault != nil }

    func page(_ budgets: BudgetSection) -> [UInt8] {
        visit.page(.calendar, title: visit.text("Calendar")) { html in
            writeMonth(to: &html)
            writeForecast(outlook.forecast, to: &html)
            byCategory.write(to: &html)
            budgets.write(to: &html)
            rises.write(to: &html)
            writeList(
                visit.text("Saved by cancelling"), outlook.savings.map { ($0.name, visit.money($0.amount)) }, to: &html)
            html.add(.p, .class("after")) {
                $0.add(.a, .href(WhatToCancelPage.link), text: visit.text("What to cancel"))
            }
        }
    }

    // MARK: The month

    private func writeMonth(to html: inout HTMLWriter) {
        let (first, last) = (month.first, month.last)
        html.add(.div, .class("top")) { html in
            html.add(.div) { html in
                html.add(.h1, text: visit.month(first))
                html.add(.p, .class("amount"), text: month.sums.map { visit.money($0) }.joined(separator: " + "))
            }
            html.add(.div, .class("actions")) { html in
                for (months, label) in [(-1, visit.text("Month before")), (1, visit.text("Month after"))] {
                    let month = String(first.adding(months: months).iso.prefix(7))
                    html.add(
                        .a, .class("button"), .href(HTMLLink("calendar", query: [("month", month)])), text: label)
                }
                let year = first.components.year
                html.add(
                    .a, .class("button"), .href(YearPages.link(year)), text: visit.text("The year \("\(year)")"))
            }
        }
        // For the eye; each day has its whole date as `datetime`.
        html.add(.div, .class("weekdays"), .aria("hidden", "true")) { html in
            for name in visit.text("Mon Tue Wed Thu Fri Sat Sun").split(separator: " ") {
                html.add(.span, text: String(name))
            }
        }
        html.add(.ol, .class("month")) { html in
            // The week begins on Monday, as in ISO 8601.
            for _ in 1..<first.weekday { html.add(.li, .class("other"), .aria("hidden", "true")) { _ in } }
            var day = first
            while day <= last {
                write(day, to: &html)
                day = day.adding(days: 1)
            }
            for _ in 0..<(7 - last.weekday) { html.add(.li, .class("other"), .aria("hidden", "true")) { _ in } }
        }
    }

    private func write(_ day: CalendarDay, to html: inout HTMLWriter) {
        let (charges, others) = month.charges[day] ?? ([], 0)
        let deadlines = month.deadlines[day] ?? []
        let isEmpty = charges.isEmpty && deadlines.isEmpty
        html.add(
            .li, isEmpty ? .class("empty-day") : nil, day == visit.moment.today ? .aria("current", "date") : nil
        ) { html in
            html.add(.time, .datetime(day.iso), text: "\(day.day)")
            html.add(.ul) { html in
                for charge in charges {
                    html.add(.li) { html in
                        html.add(
                            .a, .href(SubscriptionPages.link(charge.id.subscriptionID)), text: charge.name)
                        html.text(" ")
                        html.add(.span, .class("amount"), text: visit.money(charge.amount))
                    }
                }
                if others > 0 {
                    html.add(.li, .class("muted"), text: visit.text("\(others) more"))
                }
                for deadline in deadlines {
                    html.add(.li, .class("deadline")) { html in
                        html.add(
                            .a, .href(SubscriptionPages.link(deadline.subscriptionID)),
                            text: visit.text("cancel \(deadline.name) today at the latest"))
                    }
                }
            }
        }
    }

    // MARK: Below it

    /// Bars for the currency with the most months; a table has all of them.
    private func writeForecast(_ rows: [Forecast.Row], to html: inout HTMLWriter) {
        guard !rows.isEmpty else { return }
        let byCurrency = Dictionary(grouping: rows, by: \.amount.currency)
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("The next 12 months"))
            for (currency, rows) in byCurrency.sorted(by: { Currency.inOrder($0.key, $1.key) }) {
                html.add(.h3, text: currency.code)
                html.add(.div, .class("panel")) { html in
                    html.add(.table, .class("months")) { html in
                        let most = rows.map(\.amount.minorUnits).max() ?? 0
                        html.add(.tbody) { html in
                            for row in rows {
                                html.add(.tr) { html in
                                    html.add(.th, .scope("row"), text: visit.month(row.month))
                                    html.add(.td, .class("bars")) { html in
                                        MeterBar(share: most == 0 ? 0 : Double(row.amount.minorUnits) / Double(most))
                                            .write(to: &html)
                                    }
                                    html.add(.td, .class("number amount"), text: visit.money(row.amount))
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private func writeList(
        _ title: String, _ rows: [(name: String, text: String)], to html: inout HTMLWriter
    ) {
        guard !rows.isEmpty else { return }
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: title)
            html.add(.ul, .class("waits")) { html in
                for row in rows.prefix(CalendarOutlook.mostListed) {
                    html.add(.li) { html in
                        html.add(.b, text: row.name)
                        html.add(.span, .class("amount"), text: row.text)
                    }
                }
            }
            let rest = rows.count - min(rows.count, CalendarOutlook.mostListed)
            if rest > 0 { html.add(.p, .class("muted"), text: visit.text("\(rest) more")) }
        }
    }
}
