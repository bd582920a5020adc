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
}
