import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine

extension HomeSum {
    /// Whether it is a sum of anything in these currencies: what is in the home currency anyway is no sum of all.
    func converts(_ currencies: [Currency]) -> Bool {
        currencies.allSatisfy { $0 == home } || currencies.contains { $0 != home && !unconverted.contains($0) }
    }
}

extension AppVisit {
    /// What active subscriptions cost per year, by currency and together.
    func costs() throws -> (rows: [CostTotals.Row], home: HomeSum?) {
        try answer("costs") { (try store.totals.costs(at: moment), try store.rates.annualCost(at: moment)) }
    }

    /// The headline: one sum in the home currency where there is one.
    func annualCost() throws -> [Money] {
        let (rows, home) = try costs()
        if let home, home.converts(rows.map(\.currency)) { return [home.amount] }
        return rows.map(\.annual)
    }

    /// Which amounts a sum leaves out, and where rates are entered.
    func writeMissingRates(_ home: HomeSum?, of currencies: [Currency], to html: inout HTMLWriter) {
        guard let home, currencies.contains(where: { $0 != home.home }) else { return }
        let codes = home.unconverted.map(\.code).joined(separator: ", ")
        let isConverted = home.converts(currencies)
        guard !isConverted || !codes.isEmpty else { return }
        html.add(.p, .class("hint")) { html in
            html.text(
                isConverted
                    ? text("without a rate, so not included: \(codes)")
                    : text("No sum in \(home.home.code): exchange rates are missing."))
            html.text(" ")
            html.add(.a, .href(RatePages.link), text: text("Exchange rates"))
        }
    }

    /// A part for each currency: the first one under its name, the others folded away, so that a page does not grow
    /// with currencies.
    ///
    /// - Parameter home: the home currency, which comes first.
    func writeByCurrency<Part>(
        _ parts: [Part], home: Currency?, heading: HTMLElement = .h3, _ currency: (Part) -> Currency,
        to html: inout HTMLWriter, content: (Part, inout HTMLWriter) -> Void
    ) {
        let ordered = parts.filter { currency($0) == home } + parts.filter { currency($0) != home }
        guard let first = ordered.first else { return }
        html.add(heading, text: currency(first).code)
        content(first, &html)
        for part in ordered.dropFirst() {
            html.fold(currency(part).code, "more after currency") { content(part, &$0) }
        }
    }
}

/// Amounts of one currency with bars beneath each other, and their sum.
struct SumTable {
    let visit: AppVisit
    let rows: [(name: String, amount: Money)]
    /// Exact: of another currency, it need not be the sum of rounded rows.
    let total: Money

    func write(to html: inout HTMLWriter) {
        html.add(.div, .class("panel")) { html in
            html.add(.table, .class("months")) { html in
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
                    guard rows.count > 1 else { return }
                    html.add(.tr, .class("total")) { html in
                        html.add(.th, .scope("row"), text: visit.text("Total"))
                        html.add(.td) { _ in }
                        html.add(.td, .class("number amount"), text: visit.money(total))
                    }
                }
            }
        }
    }
}
