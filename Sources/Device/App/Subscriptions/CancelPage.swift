import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// Asks before a subscription is cancelled: what that saves, what it still costs, from which day, and where it is done.
struct CancelPage {
    private let visit: AppVisit
    private let subscription: Subscription
    private let effect: CancellationEffect
    private let cancelBy: CancelBy?
    private let route: CancellationRoute?
    private let parts: [SubscriptionSummary]
    /// The first day that is no longer charged unless another one is entered.
    private let day: CalendarDay
    /// The list to go back to; nil for the page of the subscription.
    private let back: String?
    private let sent: SentForm?

    init(_ visit: AppVisit) throws {
        self.visit = visit
        sent = visit.sent
        back = sent?.fields["back"] ?? visit.parameter("back")
        let id = try visit.id()
        let (store, moment) = (visit.store, visit.moment)
        subscription = try store.subscriptions.load(id)
        effect = try store.totals.effect(ofCancelling: [id], at: moment)
        cancelBy = try store.totals.cancelBy(of: subscription, at: moment)
        route = try store.subscriptions.cancellationRoute(subscription)
        let item = try subscription.catalogueItemID.flatMap { try store.catalogue.item($0.lowercased) }
        day = subscription.uncancelled.cancellationDay(today: moment.today, catalogueNotice: item?.noticeDays)
        parts = try store.subscriptions.parts(endingWith: id, on: day, at: moment)
    }

    func page() -> [UInt8] {
        let title = visit.text("Cancel \(subscription.name)")
        let link = SubscriptionPages.link(subscription.id)
        return visit.page(.subscriptions, title, below: link, named: subscription.name) { html in
            html.add(.div, .class("panel stack facts")) { html in
                html.add(.dl) { html in
                    visit.facts(of: effect, to: &html)
                    visit.fact(visit.text("cancel by"), cancelBy.map { visit.text(of: $0) }, to: &html)
                }
                html.hint(
                    visit.text(
                        "This records the cancellation here. The contract itself is cancelled with the provider."))
                if let ending = visit.ending(parts) { html.paragraph(visit.text(ending)) }
                if let route { visit.writeRoute(route, to: &html) }
                html.post(SubscriptionAction.cancel.link(subscription.id), "stack") { html in
                    if let back { html.hidden("back", back) }
                    visit.field(
                        "from", visit.text("No longer charged from"),
                        value: sent?.fields["from"]?.trimmingBlanks ?? day.iso, type: "date", faults: sent.faults,
                        to: &html)
                    html.add(.p, .class("actions")) { html in
                        html.submit(visit.text("Cancel subscription"), "danger")
                        html.linkButton(visit.text("Keep it"), link)
                    }
                }
            }
        }
    }
}

extension AppVisit {
    /// A term with its value; nothing without one.
    func fact(_ label: String, _ value: String?, isAmount: Bool = false, to html: inout HTMLWriter) {
        guard let value else { return }
        html.add(.dt, text: label)
        html.add(.dd, isAmount ? .class("amount") : nil, text: value)
    }

    /// The last day to cancel, and why.
    func text(of cancelBy: CancelBy) -> String {
        "\(day(cancelBy.lastDay)) (\(cancelBy.reason.displayName(words)))"
    }

    /// What cancelling saves, and what is still to be paid.
    ///
    /// - Parameter saves: how the first of both is called.
    func facts(of effect: CancellationEffect, _ saves: String? = nil, to html: inout HTMLWriter) {
        fact(
            saves ?? text("saves until \(day(effect.until))"),
            effect.saves.isEmpty ? text("nothing") : money(effect.saves), isAmount: true, to: &html)
        guard !effect.owed.isEmpty else { return }
        fact(text("and still costs"), money(effect.owed), isAmount: true, to: &html)
    }

    /// The link to the page of the provider, named by its host.
    func writeRoute(_ route: CancellationRoute, to html: inout HTMLWriter) {
        let url = route.url
        guard let link = HTMLLink(checking: url) else { return }
        let host = URL(string: url)?.host().map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 } ?? url
        html.add(.a, .class("button"), .href(link), .rel("noreferrer noopener"), text: text("Cancel at \(host)") + " ↗")
    }
}
