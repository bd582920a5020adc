import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine

/// The charges of known subscriptions that a statement confirms, and their new prices: each can be declined.
struct ImportMatches {
    private struct Row {
        var id: String
        var name: String
        var what: String
        var amount: Money
    }

    /// As many as a form may have, beside proposals.
    private static let most = 200

    private let visit: AppVisit
    private let prices: [Row]
    private let charges: [Row]
    private let listedCharges: [Row]

    init(_ visit: AppVisit, _ report: StatementImportReport) {
        self.visit = visit
        prices = report.priceChanges.map { change in
            let (old, day) = (visit.money(change.from), visit.day(change.on))
            return Row(
                id: change.id, name: change.name, what: visit.text("new price from \(day), instead of \(old)"),
                amount: change.to)
        }
        charges = report.confirmed.map { confirmed in
            let day = visit.day(confirmed.charge.on)
            let what =
                confirmed.charge.isRefunded
                ? visit.text("\(day), paid back: counts as not charged") : visit.text("charged on \(day)")
            return Row(id: confirmed.id, name: confirmed.name, what: what, amount: confirmed.charge.amount)
        }
        listedCharges = Array(charges.prefix(max(0, Self.most - prices.count)))
    }

    var isEmpty: Bool { prices.isEmpty && charges.isEmpty }
    /// The charges without a row of their own.
    var rest: Int { charges.count - listedCharges.count }
    var listed: Set<String> { Set((prices + listedCharges).map(\.id)) }

    func write(to html: inout HTMLWriter) {
        write(visit.text("New prices"), prices, rest: 0, to: &html)
        write(visit.text("Charges to confirm"), listedCharges, rest: rest, to: &html)
    }

    private func write(_ title: String, _ rows: [Row], rest: Int, to html: inout HTMLWriter) {
        guard !rows.isEmpty || rest > 0 else { return }
        html.add(.h2, text: title)
        html.add(.ul, .class("subscriptions")) { html in
            for row in rows {
                html.add(.li, .class("proposal")) { html in
                    html.add(
                        .input, .type("checkbox"), .id("m-\(row.id)"), .name("match"), .value(row.id), .checked)
                    html.add(.label, .for("m-\(row.id)"), .class("what-it-is")) { html in
                        html.add(.b, text: row.name)
                        html.add(.small, .class("muted"), text: row.what)
                    }
                    html.add(.span, .class("what-it-costs")) { html in
                        html.add(.b, .class("amount"), text: visit.money(row.amount))
                    }
                }
            }
            guard rest > 0 else { return }
            html.add(.li, .class("proposal")) { html in
                html.add(.input, .type("checkbox"), .id("m-rest"), .name("rest"), .value("on"), .checked)
                html.add(.label, .for("m-rest"), .class("what-it-is")) { html in
                    html.add(.b, text: visit.text("\(rest) more charge|\(rest) more charges"))
                }
            }
        }
    }
}
