import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// What is due and what was missed: confirmed, paid differently, or not charged.
enum DuePages {
    /// The page with one charge marked.
    static func link(to occurrence: OccurrenceID) -> HTMLLink {
        HTMLLink("due", query: [("charge", occurrence.wire)])
    }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/due", page),
            gate.form("/due/confirm") { visit, form in
                _ = try visit.store.ledger.confirm(occurrences(form), at: visit.moment)
                // A widget stays what it is.
                return .done(form["back"].map { AppVisit.back($0) } ?? AppSection.due.link)
            },
            gate.form("/due/skip") { visit, form in
                _ = try visit.store.ledger.skip(occurrences(form), at: visit.moment)
                return .done(AppSection.due.link)
            },
            gate.form("/due/paid", again: page) { visit, form in
                let ids = try occurrences(form)
                guard ids.count == 1 else { throw AppRefusal.unreadable("One charge is expected.") }
                let currency = try visit.store.subscriptions.load(ids[0].subscriptionID)
                    .price(on: ids[0].billingOn).currency
                // Another window may have changed it since the page was shown.
                guard form["currency"] == currency.code else {
                    throw Fault("amount", .outOfRange, "The currency is \(currency.code) now. Check the amount.")
                }
                let amount = try AmountText.decimal(form["amount"] ?? "", in: currency, field: "amount")
                _ = try visit.store.ledger.recordPaid(ids[0], amount: amount, at: visit.moment)
                return .done(AppSection.due.link)
            },
        ]
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] { try DuePage(visit).page() }

    private static func occurrences(_ form: FormFields) throws -> [OccurrenceID] {
        let texts = form.values("occurrence")
        let ids = texts.compactMap { OccurrenceID(wire: $0) }
        guard !ids.isEmpty, ids.count == texts.count else { throw AppRefusal.unreadable("No charge was chosen.") }
        return ids
    }
}

/// The Control Score, the charges of the next days, and those that were missed.
private struct DuePage {
    private let visit: AppVisit
    private let pending: [Occurrence]
    private let missed: [Occurrence]
    private let missedCount: Int
    private let score: ControlScore
    private let marks: ServiceMarks

    private static let mostShown = 50
    /// The parameter of the address with the charge to mark.
    private static let markName = "charge"

    init(_ visit: AppVisit) throws {
        self.visit = visit
        marks = try ServiceMarks(visit)
        (pending, missed, missedCount, score) = try visit.answer("due") {
            let (ledger, moment) = (visit.store.ledger, visit.moment)
            return (
                try ledger.pending(at: moment), try ledger.missed(limit: Self.mostShown, at: moment),
                try ledger.missedCount(at: moment), try ledger.score(at: moment)
            )
        }
    }

    func page() -> [UInt8] {
        visit.page(.due, title: visit.text("To confirm")) { html in
            html.top(visit.text("To confirm"))
            writeScore(to: &html)
            if pending.isEmpty, missed.isEmpty {
                html.empty(
                    visit.text("Well done! Nothing to confirm."),
                    visit.text("Charges stand here from seven days before they are due."))
            }
            write(pending, of: pending.count, visit.text("Due in the next 7 days"), to: &html)
            write(missed, of: missedCount, visit.text("Missed"), isMissed: true, to: &html)
        }
    }

    /// The score in a word, which says what to do more quickly than the number, and the colour of the ring.
    private func word(_ tenths: Int) -> (text: String, ring: StaticString) {
        switch tenths {
        case 1000...: (visit.text("All confirmed"), "ring-of good")
        case 800...: (visit.text("Nearly all confirmed"), "ring-of good")
        case 500...: (visit.text("About half confirmed"), "ring-of fair")
        default: (visit.text("Few confirmed"), "ring-of poor")
        }
    }

    private func writeScore(to html: inout HTMLWriter) {
        let (title, percent) = (visit.text("Control Score"), score.percentText.map { visit.words.percent($0) })
        html.add(.section, .class("score panel")) { html in
            if let tenths = score.percentTenths, let percent {
                html.add(.div, .class(word(tenths).ring)) { html in
                    RingPlot(share: Double(tenths) / 1000, label: "\(title) \(percent), \(word(tenths).text)")
                        .write(to: &html)
                }
            }
            html.add(.div) { html in
                html.add(.h2) { html in
                    html.text(title)
                    if let percent {
                        html.text(" ")
                        html.add(.b, text: percent)
                    }
                }
                if let tenths = score.percentTenths { html.add(.p) { $0.add(.b, text: word(tenths).text) } }
                for line in score.explanation(visit.words) { html.mutedLine(visit.words.spaced(line)) }
                html.add(.p) { $0.add(.a, .href(ScorePages.link), text: visit.text("By month")) }
            }
        }
    }

    private func write(
        _ occurrences: [Occurrence], of count: Int, _ title: String, isMissed: Bool = false,
        to html: inout HTMLWriter
    ) {
        guard !occurrences.isEmpty else { return }
        let shown = occurrences.prefix(Self.mostShown)
        html.add(.section, .class("section")) { html in
            html.add(.div, .class("top")) { html in
                html.add(.h2, text: title)
                guard occurrences.count > 1 else { return }
                html.post(HTMLLink("due", "confirm"), nil) { html in
                    for occurrence in shown { html.hidden("occurrence", occurrence.id.wire) }
                    html.submit(visit.text("Confirm all \(shown.count)"))
                }
            }
            html.add(.ul, .class("subscriptions")) { html in
                for occurrence in shown { write(occurrence, isMissed: isMissed, to: &html) }
            }
            visit.writeMore(count - shown.count, to: &html)
        }
    }

    private func write(_ occurrence: Occurrence, isMissed: Bool, to html: inout HTMLWriter) {
        let wire = occurrence.id.wire
        let isMarked = visit.parameter(Self.markName) == wire
        func button(_ name: String, _ text: String, style: StaticString? = nil, to html: inout HTMLWriter) {
            html.button(
                text, post: HTMLLink("due", name), ["occurrence": wire], label: visit.label(text, occurrence),
                style: style)
        }
        html.add(
            .li, .id("charge-\(wire)"), .class(isMarked ? "charge marked" : "charge"),
            isMarked ? .aria("current", "true") : nil
        ) { html in
            html.add(.a, .href(SubscriptionPages.link(occurrence.id.subscriptionID))) { html in
                marks.write(occurrence.id.subscriptionID, named: occurrence.name, to: &html)
                html.entry(occurrence.name, visit.when(occurrence.billingOn)) { html in
                    guard isMissed else { return }
                    html.add(.span, .class("badges")) { html in
                        html.add(.small, .class("badge warn"), text: visit.text("Not confirmed"))
                    }
                }
                html.price(visit.money(occurrence.amount))
            }
            html.add(.div, .class("decide")) { html in
                button("confirm", visit.text("Confirm"), style: "primary", to: &html)
                button("skip", visit.text("Not charged"), to: &html)
                let link = HTMLLink("due", "paid")
                let sent = visit.sent(to: link, ["occurrence": wire])
                // Without a fault, the amount is still one of the currency in which it was typed.
                let typed = sent?.error == nil ? sent?.fields["currency"] : nil
                let code = typed ?? occurrence.amount.currency.code
                visit.writePaid(
                    visit.text("Paid differently"), "paid-\(wire)", link, ["occurrence": wire, "currency": code],
                    amount: occurrence.amount, sent, to: &html)
            }
        }
    }
}

extension AppVisit {
    /// What a button does to a charge, for screen readers.
    func label(_ action: String, _ occurrence: Occurrence) -> String {
        label(action, "\(occurrence.name), \(day(occurrence.billingOn))")
    }
}
