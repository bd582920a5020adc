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
    private let route: CancellationRoute?
    /// What cancelling today would save; nil when it is not charged.
    private let effect: CancellationEffect?
    private let cancelBy: CancelBy?
    private let share: ShareSection
    /// Whether the catalogue has no service of that name; nil once the name waits to be sent.
    private let isUnknown: Bool?

    /// - Parameter share: a form of sharing that was not accepted.
    init(_ visit: AppVisit, _ id: UUID, share: ShareSection? = nil) throws {
        self.visit = visit
        let (store, moment) = (visit.store, visit.moment)
        subscription = try store.subscriptions.load(id)
        summary = try store.subscriptions.summary(id, at: moment)
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
        let isCharged = summary.status.isCharged && summary.cancelsOn == nil
        effect = isCharged ? try store.totals.effect(ofCancelling: [id], at: moment) : nil
        self.share = try share ?? ShareSection(visit, subscription)
        coming = try store.ledger.coming(of: id, through: moment.today.adding(days: 366), limit: 6, at: moment)
    }

    /// The values of the form as they stand.
    var values: SubscriptionDraft { subscription.draft(today: visit.moment.today) }

    /// The typed values that differ from those that the page showed, in the form of the contract. Throws the faults of fields.
    ///
    /// - Parameter shown: empty for those that stand.
    func changes(_ typed: SubscriptionDraft, shown: SubscriptionDraft) throws -> SubscriptionDraft {
        let draft: SubscriptionDraft
        do throws(Fault) {
            draft = try typed.normalised(currency: subscription.currency, today: visit.moment.today)
        } catch {
            throw DeviceStoreError.invalid(error)
        }
        let values = values
        return draft.filter { field, text in
            let former = shown[field] ?? values[field] ?? ""
            // An empty number is none.
            return text != former && !(text.isEmpty && former == "0")
        }
    }

    /// - Parameters:
    ///   - typed: what was sent and not accepted.
    ///   - error: why, when it concerns no field.
    func page(
        typed: SubscriptionDraft? = nil, shown: SubscriptionDraft? = nil, faults: [Fault] = [],
        error: (any Error)? = nil
    ) -> [UInt8] {
        visit.page(.subscriptions, title: summary.name) { html in
            html.crumb(HTMLLink(), visit.text("Subscriptions"))
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: summary.name)
                    writePrice(to: &html)
                }
                writeActions(to: &html)
            }
            if let error {
                html.add(
                    .p, .class("notice bad"), .role("alert"), .tabindex(-1), .data("focus"),
                    text: visit.text(of: error))
            }
            html.add(.div, .class("split")) { html in
                html.add(.div) { html in
                    html.add(.section, .class("facts panel")) { html in writeFacts(to: &html) }
                    PricePlot(visit, subscription)?.write(to: &html)
                }
                html.add(.aside, .class("facts panel")) { html in share.write(to: &html) }
            }
            writeSuggestion(to: &html)
            html.add(.details, .class("more edit"), .id("edit"), typed == nil && error == nil ? nil : .open) { html in
                html.add(.summary, .class("button"), text: visit.text("Edit"))
                writeForm(typed, shown, faults, to: &html)
            }
        }
    }

    /// What it costs per year, and each charge beneath.
    private func writePrice(to html: inout HTMLWriter) {
        let each = "\(visit.money(summary.amount)) \(visit.cycle(summary.cycle))"
        if summary.annualAmount.minorUnits > 0 {
            html.add(.p, .class("annual amount"), text: visit.money(summary.annualAmount))
            html.add(.p) { html in
                html.text(visit.text("per year") + " · ")
                html.add(.span, .class("amount"), text: each)
                html.text(" · " + summary.status.displayName(visit.words))
            }
        } else {
            html.add(.p) { html in
                html.add(.span, .class("amount"), text: each)
                html.text(" · " + summary.status.displayName(visit.words))
            }
        }
    }

    private func writeActions(to html: inout HTMLWriter) {
        html.add(.div, .class("actions")) { html in
            if let route { visit.writeRoute(route, to: &html) }
            for action in summary.actions {
                guard !action.hasPage else {
                    html.add(.a, .class("button"), .href(action.link(subscription.id)), text: visit.name(action))
                    continue
                }
                html.add(.form, .methodPost, .action(action.link(subscription.id))) { html in
                    html.add(
                        .button, .type("submit"), action == .delete ? .class("danger") : nil, text: visit.name(action))
                }
            }
        }
    }

    /// Offers a name that the catalogue lacks to its server: the press of the button is the consent.
    private func writeSuggestion(to html: inout HTMLWriter) {
        guard isUnknown != false else { return }
        html.add(.section, .class("section")) { html in
            guard isUnknown == true else {
                return html.add(
                    .p, .class("hint"),
                    text: visit.text("The name “\(summary.name)” goes to the catalogue with the next sync."))
            }
            let link = HTMLLink("subscriptions", subscription.id.lowercased, "suggest")
            html.add(.form, .methodPost, .action(link), .class("stack")) { html in
                html.add(.button, .type("submit"), text: visit.text("Suggest to the catalogue"))
                html.add(
                    .p, .class("hint"),
                    text: visit.text("The catalogue lacks this name. Only the name is sent, with the next sync."))
            }
        }
    }

    private func writeForm(
        _ typed: SubscriptionDraft?, _ shown: SubscriptionDraft?, _ faults: [Fault], to html: inout HTMLWriter
    ) {
        let link = HTMLLink("subscriptions", subscription.id.lowercased, "edit")
        html.add(.form, .class("form"), .methodPost, .action(link), .data("guard")) { html in
            SubscriptionForm.writeShown(shown ?? values, visit, to: &html)
            SubscriptionForm(visit: visit, values: values.merging(typed ?? [:]) { $1 }, faults: faults)
                .write(to: &html)
            html.add(.p, .class("actions")) { html in
                html.add(.button, .type("submit"), .class("primary"), text: visit.text("Save"))
            }
        }
    }

    private func writeFacts(to html: inout HTMLWriter) {
        html.add(.dl) { html in
            visit.fact(visit.text("next charge"), summary.nextBillingOn.map { visit.when($0) }, to: &html)
            visit.fact(visit.text("trial starts"), subscription.trial?.startsOn.map { visit.day($0) }, to: &html)
            visit.fact(visit.text("trial ends"), subscription.trial.map { visit.day($0.endsOn) }, to: &html)
            visit.fact(
                visit.text("spent so far"),
                spent.isEmpty ? nil : visit.money(spent), isAmount: true, to: &html)
            if let cancelBy {
                visit.fact(
                    visit.text("cancel by"),
                    "\(visit.day(cancelBy.lastDay)) (\(cancelBy.reason.displayName(visit.words)))", to: &html)
            }
            visit.fact(visit.text("until"), summary.cancelsOn.map { visit.day($0.adding(days: -1)) }, to: &html)
            if let effect, !effect.saves.isEmpty {
                visit.facts(
                    of: effect, visit.text("cancelling today saves, until \(visit.day(effect.until))"), to: &html)
            }
        }
        let prices = subscription.priceHistory
        if prices.count > 1 {
            html.add(.h2, text: visit.text("Prices"))
            html.add(.ul) { html in
                for price in prices {
                    html.add(.li) { html in
                        html.text(visit.day(price.from) + " ")
                        html.add(.span, .class("amount"), text: visit.money(price.amount))
                    }
                }
            }
        }
        if !coming.isEmpty {
            html.add(.h2, text: visit.text("Coming charges"))
            html.add(.ul) { html in
                for occurrence in coming {
                    html.add(.li) { html in
                        html.text(visit.day(occurrence.billingOn) + " ")
                        html.add(.span, .class("amount"), text: visit.money(occurrence.amount))
                    }
                }
            }
        }
    }
}
