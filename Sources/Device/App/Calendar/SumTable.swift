import DeviceWords
import HTML
import SubGuardDomain

/// Amounts of one currency with bars beneath each other, and their sum.
struct SumTable {
    let visit: AppVisit
    let title: String
    let rows: [(name: String, amount: Money)]
    /// Exact: of another currency, it need not be the sum of rounded rows.
    let total: Money

    func write(to html: inout HTMLWriter) {
        html.add(.h3, text: title)
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
