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
            gate.page("/due") { visit in AppResponse.page(try DuePage(visit).page()) },
            gate.form("/due/confirm") { visit, form in
                let ids = try occurrences(form)
                _ = try visit.store.ledger.confirm(ids, at: visit.moment)
                // A widget stays what it is.
                let place = form["back"].map { AppVisit.back($0) } ?? AppSection.due.link
                return AppResponse.seeOther(try visit.done(place))
            },
            gate.form("/due/skip") { visit, form in
                let ids = try occurrences(form)
                _ = try visit.store.ledger.skip(ids, at: visit.moment)
                return AppResponse.seeOther(try visit.done(AppSection.due.link))
            },
            gate.form(
                "/due/paid",
                refill: { visit, form in
                    try DuePage(visit, open: try occurrences(form)[0], typed: form["amount"]).page()
                }
            ) { visit, form in
                let ids = try occurrences(form)
                guard ids.count == 1 else { throw AppRefusal.unreadable("One charge is expected.") }
                do {
                    let currency = try visit.store.subscriptions.load(ids[0].subscriptionID)
                        .price(on: ids[0].billingOn).currency
                    let amount = try decimal(form["amount"] ?? "", currency)
                    _ = try visit.store.ledger.recordPaid(ids[0], amount: amount, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(AppSection.due.link))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let page = try DuePage(visit, open: ids[0], typed: form["amount"], faults: error.faults)
                    return AppResponse.page(page.page(), .unprocessableContent)
                }
            },
        ]
    }

    private static func decimal(_ text: String, _ currency: Currency) throws -> String {
        do throws(Fault) {
            return try AmountText.decimal(text, in: currency, field: "amount")
        } catch {
            throw DeviceStoreError.invalid(error)
        }
    }

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
    /// The charge whose amount was not accepted.
    private let open: OccurrenceID?
    private let typed: String?
    private let faults: [Fault]

    private static let mostShown = 50
    /// The parameter of the address with the charge to mark.
    private static let markName = "charge"

    init(_ visit: AppVisit, open: OccurrenceID? = nil, typed: String? = nil, faults: [Fault] = []) throws {
        self.visit = visit
        self.open = open
        self.typed = typed
        self.faults = faults
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
            html.add(.div, .class("top")) { $0.add(.h1, text: visit.text("To confirm")) }
            writeScore(to: &html)
            if pending.isEmpty, missed.isEmpty {
                html.add(.div, .class("empty")) { html in
                    html.add(.h2, text: visit.text("Well done! Nothing to confirm."))
                    html.add(.p, text: visit.text("Charges stand here from seven days before they are due."))
                }
            }
            write(pending, of: pending.count, visit.text("Due in the next 7 days"), to: &html)
            write(missed, of: missedCount, visit.text("Missed"), isMissed: true, to: &html)
        }
    }

    /// The score in a word, which says what to do more quickly than the number, and the colour of the ring.
    private func word(_ tenths: Int) -> (text: String, ring: StaticString) {
        switch tenths {
        case 1000...: (visit.text("All in hand"), "ring-of good")
        case 800...: (visit.text("Nearly all in hand"), "ring-of good")
        case 500...: (visit.text("About half in hand"), "ring-of fair")
        default: (visit.text("Little in hand"), "ring-of poor")
        }
    }

    /// The score as people read it: `87.5 %`, in French `87,5 %`.
    private var percent: String? {
        score.percentText.map { ScorePages.percent($0, visit) }
    }

    private func writeScore(to html: inout HTMLWriter) {
        html.add(.section, .class("score panel")) { html in
            if let tenths = score.percentTenths, let percent {
                html.add(.div, .class(word(tenths).ring)) { html in
                    RingPlot(
                        share: Double(tenths) / 1000,
                        label: "\(visit.text("Control Score")) \(percent), \(word(tenths).text)"
                    ).write(to: &html)
                }
            }
            html.add(.div) { html in
                html.add(.h2) { html in
                    html.text(visit.text("Control Score"))
                    if let percent {
                        html.text(" ")
                        html.add(.b, text: percent)
                    }
                }
                if let tenths = score.percentTenths { html.add(.p) { $0.add(.b, text: word(tenths).text) } }
                for line in score.explanation(visit.words) {
                    html.add(.p, .class("muted"), text: visit.words.spaced(line))
                }
                html.add(.p) { html in
                    html.add(.a, .href(ScorePages.link), text: visit.text("By month"))
                }
            }
        }
    }

    private func write(
        _ occurrences: [Occurrence], of count: Int, _ title: String, isMissed: Bool = false,
        to html: inout HTMLWriter
    ) {
        guard !occurrences.isEmpty else { return }
        html.add(.section, .class("section")) { html in
            html.add(.div, .class("top")) { html in
                html.add(.h2, text: title)
                if occurrences.count > 1 {
                    html.add(.form, .methodPost, .action(HTMLLink("due", "confirm"))) { html in
                        for occurrence in occurrences.prefix(Self.mostShown) {
                            html.hidden("occurrence", occurrence.id.wire)
                        }
                        html.add(
                            .button, .type("submit"),
                            text: visit.text("Confirm all \(min(occurrences.count, Self.mostShown))"))
                    }
                }
            }
            html.add(.ul, .class("subscriptions")) { html in
                for occurrence in occurrences.prefix(Self.mostShown) {
                    write(occurrence, isMissed: isMissed, to: &html)
                }
            }
            if count > Self.mostShown {
                html.add(.p, .class("muted"), text: visit.text("\(count - Self.mostShown) more"))
            }
        }
    }

    private func write(_ occurrence: Occurrence, isMissed: Bool, to html: inout HTMLWriter) {
        let wire = occurrence.id.wire
        let isMarked = visit.parameter(Self.markName) == wire
        html.add(
            .li, .id("charge-\(wire)"), .class(isMarked ? "charge marked" : "charge"),
            isMarked ? .aria("current", "true") : nil
        ) { html in
            html.add(.a, .href(SubscriptionPages.link(occurrence.id.subscriptionID))) { html in
                marks.write(occurrence.id.subscriptionID, named: occurrence.name, to: &html)
                html.add(.span, .class("entry")) { html in
                    html.add(.b, text: occurrence.name)
                    html.add(.small, .class("muted"), text: visit.when(occurrence.billingOn))
                    if isMissed {
                        html.add(.span, .class("badges")) { html in
                            html.add(.small, .class("badge warn"), text: visit.text("Not confirmed"))
                        }
                    }
                }
                html.add(.span, .class("price")) { html in
                    html.add(.b, .class("amount"), text: visit.money(occurrence.amount))
                }
            }
            html.add(.div, .class("decide")) { html in
                button("confirm", wire, visit.text("Confirm"), occurrence, isPrimary: true, to: &html)
                button("skip", wire, visit.text("Not charged"), occurrence, to: &html)
                let isOpen = open == occurrence.id
                let isWrong = isOpen && !faults.isEmpty
                html.add(.details, isOpen ? .open : nil) { html in
                    html.add(.summary, text: visit.text("Paid differently"))
                    html.add(.form, .methodPost, .action(HTMLLink("due", "paid")), .class("paid"), .data("keep")) {
                        html in
                        html.hidden("occurrence", wire)
                        html.add(.div, .class("field")) { html in
                            let id = "paid-\(wire)"
                            html.add(.label, .for(id), text: visit.text("Amount in \(occurrence.amount.currency.code)"))
                            html.add(
                                .input, .type("text"), .inputMode("decimal"), .autocomplete("off"), .id(id),
                                .name("amount"),
                                .value(isOpen ? typed ?? "" : visit.entry(occurrence.amount.decimal)),
                                isWrong ? .aria("invalid", "true") : nil,
                                isWrong ? .aria("describedby", "\(id)-fault") : nil)
                            if isWrong {
                                html.add(
                                    .p, .class("fault"), .id("\(id)-fault"), .role("alert"),
                                    text: faults.map { visit.sentence($0.detail) }.joined(separator: " "))
                            }
                        }
                        html.add(.button, .type("submit"), text: visit.text("Save"))
                    }
                }
            }
        }
    }

    private func button(
        _ name: String, _ wire: String, _ label: String, _ occurrence: Occurrence, isPrimary: Bool = false,
        to html: inout HTMLWriter
    ) {
        html.add(.form, .methodPost, .action(HTMLLink("due", name))) { html in
            html.hidden("occurrence", wire)
            html.add(
                .button, .type("submit"), isPrimary ? .class("primary") : nil,
                .aria("label", "\(label)\(visit.colon)\(occurrence.name), \(visit.day(occurrence.billingOn))"),
                text: label)
        }
    }
}
