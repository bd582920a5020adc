import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// Everything about one subscription.
struct SubscriptionPage {
    private let visit: AppVisit
    let subscription: Subscription
    private let summary: SubscriptionSummary
    private let spent: [Money]
    private let coming: [Occurrence]
    /// The name of the one that pays for it.
    private let bundle: String?
    private let route: CancellationRoute?
    /// What cancelling today would save; nil when it is cancelled or over.
    private let effect: CancellationEffect?
    private let cancelBy: CancelBy?
    private let share: ShareSection
    /// Whether the catalogue has no service of that name; nil once the name waits to be sent.
    private let isUnknown: Bool?

    init(_ visit: AppVisit) throws {
        self.visit = visit
        let id = try visit.id()
        let (store, moment) = (visit.store, visit.moment)
        subscription = try store.subscriptions.load(id)
        summary = try store.subscriptions.summary(id, at: moment)
        bundle = try subscription.bundledIn.map { try store.subscriptions.load($0).name }
        spent = try store.totals.spending(of: id, at: moment)
        route = try store.subscriptions.cancellationRoute(subscription)
        cancelBy = try store.totals.cancelBy(of: subscription, at: moment)
        if try store.suggestions.isWaiting(summary.name) {
            isUnknown = nil
        } else {
            let name = TextFolding.fold(summary.name)
            isUnknown =
                try subscription.catalogueItemID == nil
                && !store.catalogue.search(summary.name, limit: 1).contains { TextFolding.fold($0.item.name) == name }
        }
        let isRunning = !summary.status.isOver && summary.cancelsOn == nil
        effect = isRunning ? try store.totals.effect(ofCancelling: [id], at: moment) : nil
        share = try ShareSection(visit, subscription)
        coming = try store.ledger.coming(of: id, through: moment.today.adding(days: 366), limit: 6, at: moment)
    }

    /// The values of the form as they stand.
    var values: SubscriptionDraft { subscription.draft(today: visit.moment.today) }

    /// The typed values that differ from those that the page showed, in the form of the contract. Throws the faults of
    /// fields.
    ///
    /// - Parameter shown: empty for those that stand.
    func changes(_ typed: SubscriptionDraft, shown: SubscriptionDraft) throws -> SubscriptionDraft {
        let draft = try typed.normalised(currency: subscription.currency, today: visit.moment.today)
        let values = values
        let changed = draft.filter { field, text in
            let former = shown[field] ?? values[field] ?? ""
            // An empty number is none.
            return text != former && !(text.isEmpty && former == "0")
        }
        // An amount was typed for the currency beside it, whatever the subscription has by now.
        let money = [SubscriptionField.amount, .currency]
        guard money.contains(where: { changed[$0] != nil }) else { return changed }
        return changed.merging(draft.filter { money.contains($0.key) }) { $1 }
    }

    func page() -> [UInt8] {
        let link = HTMLLink("subscriptions", subscription.id.lowercased, "edit")
        let sent = visit.sent(to: link)
        return visit.page(.subscriptions, title: summary.name) { html in
            html.crumb(HTMLLink(), visit.text("Subscriptions"))
            html.top(summary.name, below: { writePrice(to: &$0) }, beside: { writeActions(to: &$0) })
            if let error = sent?.error, error.faults.isEmpty { html.refusal(visit.text(of: error)) }
            html.add(.details, .class("more edit"), .id("edit"), sent == nil ? nil : .open) { html in
                html.add(.summary, .class("button"), text: visit.text("Edit"))
                writeForm(link, sent, to: &html)
            }
            html.add(.div, .class("split")) { html in
                html.add(.div) { html in
                    html.add(.section, .class("facts panel")) { html in writeFacts(to: &html) }
                    PricePlot(visit, subscription)?.write(to: &html)
                }
                html.add(.aside, .class("facts panel")) { html in share.write(to: &html) }
            }
            writeSuggestion(to: &html)
        }
    }

    /// What it costs per year, and each charge beneath.
    private func writePrice(to html: inout HTMLWriter) {
        let isCharged = summary.annualAmount.minorUnits > 0 && !summary.isOnHold
        if isCharged { html.hint(visit.money(summary.annualAmount), "annual amount") }
        html.add(.p) { html in
            html.amount(
                "\(visit.money(summary.amount)) \(visit.cycle(summary.cycle))",
                after: isCharged ? visit.text("per year") + " · " : "")
            let ended = visit.ended(summary, subscription, with: bundle)
            html.text(" · " + (ended ?? summary.status.displayName(visit.words)))
        }
    }

    private func writeActions(to html: inout HTMLWriter) {
        html.add(.div, .class("actions")) { html in
            if let route { visit.writeRoute(route, to: &html) }
            for action in summary.actions {
                let link = action.link(subscription.id)
                if action.hasPage {
                    html.linkButton(visit.name(action), link)
                } else {
                    html.button(visit.name(action), post: link, style: action == .delete ? "danger" : nil)
                }
            }
        }
    }

    /// Offers a name that the catalogue lacks to its server: the press of the button is the consent.
    private func writeSuggestion(to html: inout HTMLWriter) {
        guard isUnknown != false else { return }
        html.add(.section, .class("section")) { html in
            guard isUnknown == true else {
                return html.hint(visit.text("The name “\(summary.name)” goes to the catalogue with the next sync."))
            }
            html.post(HTMLLink("subscriptions", subscription.id.lowercased, "suggest"), "stack") { html in
                html.submit(visit.text("Suggest to the catalogue"))
                html.hint(visit.text("The catalogue lacks this name. Only the name is sent, with the next sync."))
            }
        }
    }

    private func writeForm(_ link: HTMLLink, _ sent: SentForm?, to html: inout HTMLWriter) {
        let form = sent?.fields
        let (typed, shown) = (form.map(SubscriptionForm.draft), form.map(SubscriptionForm.shown) ?? [:])
        html.post(link, "form", .data("guard")) { html in
            SubscriptionForm.writeShown(shown.isEmpty ? values : shown, visit, to: &html)
            SubscriptionForm(visit: visit, values: values.merging(typed ?? [:]) { $1 }, faults: sent.faults)
                .write(to: &html)
            html.add(.p, .class("actions")) { $0.submit(visit.text("Save"), "primary") }
        }
    }

    private func writeFacts(to html: inout HTMLWriter) {
        html.add(.dl) { html in
            visit.fact(visit.text("included in"), bundle, to: &html)
            let next = summary.isOnHold || bundle != nil ? nil : summary.nextBillingOn
            visit.fact(visit.text("next charge"), next.map { visit.when($0) }, to: &html)
            visit.fact(visit.text("trial starts"), subscription.trial?.startsOn.map { visit.day($0) }, to: &html)
            visit.fact(visit.text("trial ends"), subscription.trial.map { visit.day($0.endsOn) }, to: &html)
            visit.fact(visit.text("spent so far"), spent.isEmpty ? nil : visit.money(spent), isAmount: true, to: &html)
            visit.fact(visit.text("cancel by"), cancelBy.map { visit.text(of: $0) }, to: &html)
            visit.fact(visit.text("until"), summary.cancelsOn.map { visit.day($0.adding(days: -1)) }, to: &html)
            if let effect, !effect.saves.isEmpty {
                visit.facts(
                    of: effect, visit.text("cancelling today saves, until \(visit.day(effect.until))"), to: &html)
            }
        }
        let prices = subscription.priceHistory
        if prices.count > 1 { list(visit.text("Prices"), prices.map { ($0.from, $0.amount) }, to: &html) }
        if !coming.isEmpty {
            list(visit.text("Coming charges"), coming.map { ($0.billingOn, $0.amount) }, to: &html)
        }
    }

    private func list(_ title: String, _ amounts: [(on: CalendarDay, amount: Money)], to html: inout HTMLWriter) {
        html.add(.h2, text: title)
        html.add(.ul) { html in
            for row in amounts { html.add(.li) { $0.amount(visit.money(row.amount), after: visit.day(row.on) + " ") } }
        }
    }
}
