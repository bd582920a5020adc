import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements

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
    private let corrections: [StatementCorrection]
    private let prices: [Row]
    private let charges: [Row]
    private let listedCharges: [Row]

    init(_ visit: AppVisit, _ report: StatementImportReport) {
        self.visit = visit
        corrections = report.corrections
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

    /// The charges without a row of their own.
    var rest: Int { charges.count - listedCharges.count }
    var listed: Set<String> { Set((prices + listedCharges).map(\.id) + corrections.map(\.id)) }
    /// The proposals that have a row here.
    var proposals: Set<String> { Set(corrections.map(\.proposal.id)) }

    /// The field that decides about a proposal that probably is there already, with its id or that of the correction.
    static func decisionName(_ proposal: String) -> String { "series-\(proposal)" }

    /// The accepted ids of a sent form: of proposals, and of matches.
    static func chosen(_ form: FormFields, listed: Set<String>) -> (proposals: Set<String>, matches: Set<String>) {
        let corrected = listed.compactMap { $0.split(separator: ":").last.map(String.init) }
            .compactMap { form[decisionName($0)] }.filter { !$0.isEmpty }
        return (
            Set(form.values("proposal") + corrected.filter { !$0.contains(":") }),
            Set(form.values("match") + corrected.filter { $0.contains(":") })
        )
    }

    func write(to html: inout HTMLWriter) {
        if !corrections.isEmpty {
            html.add(.h2, text: visit.text("Probably here already"))
            html.add(.ul, .class("subscriptions")) { html in
                for correction in corrections { write(correction, to: &html) }
            }
        }
        write(visit.text("New prices"), prices, rest: 0, to: &html)
        write(visit.text("Charges to confirm"), listedCharges, rest: rest, to: &html)
    }

    /// What is stored, what the statement says, and what becomes of it.
    private func write(_ correction: StatementCorrection, to html: inout HTMLWriter) {
        let (stored, proposal) = (correction.subscription, correction.proposal)
        let (old, oldCycle) = (visit.money(correction.price), visit.cycle(stored.cycle))
        let (new, newCycle) = (visit.money(proposal.amount), visit.cycle(proposal.cycle))
        let count = proposal.charges.count
        let next = proposal.schedule.next(onOrAfter: visit.moment.today)
        let choices: [(value: String, text: String, isChosen: Bool)] = [
            (correction.id, visit.text("Correct “\(stored.name)” and confirm its charges"), correction.isProbable),
            (proposal.id, visit.text("It is another one: add it"), false),
            ("", visit.text("Change nothing"), !correction.isProbable),
        ]
        html.add(.li, .class("charge")) { html in
            html.add(.fieldset, .class("proposal choices-below")) { html in
                html.add(.legend, .class("unseen"), text: proposal.name)
                html.add(.div, .class("entry")) { html in
                    html.add(.b, text: proposal.name)
                    html.add(.small, .class("muted"), text: visit.text("entered: \(old), \(oldCycle)"))
                    html.add(
                        .small, .class("muted"),
                        text: visit.text(
                            """
                            \(count) charge in the file: \(new), \(newCycle)|\
                            \(count) charges in the file: \(new), \(newCycle)
                            """
                        ) + (next.map { " · " + visit.text("next on \(visit.day($0))") } ?? ""))
                    if correction.isOlder {
                        html.add(.small, text: visit.text("The price was entered after these charges."))
                    }
                    for choice in choices {
                        html.choice(
                            Self.decisionName(proposal.id), value: choice.value, choice.text, isOn: choice.isChosen,
                            type: "radio")
                    }
                }
            }
        }
    }

    private func write(_ title: String, _ rows: [Row], rest: Int, to html: inout HTMLWriter) {
        guard !rows.isEmpty || rest > 0 else { return }
        html.add(.h2, text: title)
        html.add(.ul, .class("subscriptions")) { html in
            for row in rows {
                html.proposal("m-\(row.id)", "match", value: row.id, isOn: true) { html in
                    html.add(.b, text: row.name)
                    html.add(.small, .class("muted"), text: row.what)
                } price: {
                    $0.price(visit.money(row.amount))
                }
            }
            guard rest > 0 else { return }
            html.proposal("m-rest", "rest", value: "on", isOn: true) { html in
                html.add(.b, text: visit.text("\(rest) more charge|\(rest) more charges"))
            }
        }
    }
}
