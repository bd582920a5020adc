import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ShowCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show everything about a subscription.")

    @Argument(help: "Name of the subscription, or its id.") var id: String
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let id = try session.subscriptionID(id)
        let shown = try ShownSubscription(id, session)
        session.print(object: { shown.write(to: &$0) }, text: { shown.text() })
    }
}

/// A subscription with its prices, shares and history.
private struct ShownSubscription {
    let session: Session
    let summary: SubscriptionSummary
    let subscription: Subscription
    let history: [LedgerEntry]
    let share: SubscriptionShare?
    let shares: ShareParts
    let laterShares: [(from: CalendarDay, shares: ShareParts)]
    let spent: [Money]
    let cancelBy: CancelBy?
    let route: CancellationRoute?
    /// The name of the subscription that pays for this one.
    let bundle: String?
    /// The name of the subscription that came in its place.
    let successor: String?

    init(_ id: UUID, _ session: Session) throws {
        self.session = session
        let store = session.store
        summary = try store.subscriptions.summary(id, at: session.moment)
        subscription = try store.subscriptions.load(id)
        history = try store.ledger.history(id, at: session.moment)
        spent = try store.totals.spending(of: id, at: session.moment)
        cancelBy = try store.totals.cancelBy(of: subscription, at: session.moment)
        route = try store.subscriptions.cancellationRoute(subscription)
        bundle = try subscription.bundledIn.map { try store.subscriptions.load($0).name }
        successor = try subscription.replacedBy.map { try store.subscriptions.load($0).name }
        let plan = try store.sharing.plan(of: id, at: session.moment)
        share = plan.current
        shares = try store.sharing.parts(of: share, summary.amount)
        laterShares = try plan.later.map { [subscription] in ($0.from, try store.sharing.parts(of: $0, subscription)) }
    }

    private static let listed: Set<SubscriptionField> = [
        .id, .name, .amount, .currency, .cycle, .nextBillingOn, .scope, .category, .status, .cancelsOn,
    ]

    func write(to json: inout JSONWriter) {
        json.fields(summary, cancelsOn: subscription.cancelledOn(by: session.moment.today))
        let draft = subscription.draft(today: session.moment.today)
        for field in SubscriptionField.allCases where !Self.listed.contains(field) {
            switch field {
            case .isVariable: json.field(field.rawValue, subscription.isVariable)
            // Null without a trial.
            case .trialConverts: json.field(field.rawValue, subscription.trial?.converts)
            default: json.field(field.rawValue, draft[field])
            }
        }
        let currency = summary.amount.currency
        let amount = spent.first { $0.currency == currency } ?? Money(minorUnits: 0, currency: currency)
        json.field("spent", amount.decimal)
        json.field("cancel_by", cancelBy?.lastDay.iso)
        json.field("cancel_reason", cancelBy?.reason.rawValue)
        json.field("cancel_channel", route?.channel.rawValue)
        json.field("cancel_url", route?.url)
        json.array("prices", subscription.priceHistory) { json, price in
            json.field("from", price.from.iso)
            json.money(price.amount)
        }
        json.array("states", subscription.stateHistory) { json, state in
            json.field("from", state.from.iso)
            json.field("state", state.state.wire)
        }
        shares.write(to: &json, later: laterShares)
        json.field("shares_exceed_price", shares.exceedsPrice)
        json.field("shares_accepted", share?.isAccepted ?? false)
        json.field("shares_notes", share?.notes ?? "")
        json.array("history", history) { json, entry in
            json.field("occurrence_id", entry.occurrence.wire)
            json.field("billing_on", entry.occurrence.billingOn.iso)
            json.money(entry.amount)
            json.field("status", entry.status.rawValue)
            json.field("acted_at", entry.actedAt?.rfc3339)
        }
    }

    /// The newest charges that the text lists; `--json` has all.
    private static let mostCharges = 12

    private func number(_ count: Int) -> String { count == 0 ? "" : "\(count)" }

    func text() -> String {
        let (text, language) = (session.text, session.language)
        var sheet = FactSheet(summary.name)
        let line = { (label: String, value: String) in sheet.add(label, value) }
        line("id", summary.id.lowercased)
        line(text("amount"), "\(session.price(summary)) \(summary.cycle.phrase(language))")
        if summary.isVariable { line("", text("estimate, the amount varies")) }
        // What another one pays for costs nothing by itself.
        if bundle == nil {
            line(text("per year"), session.money(summary.annualAmount))
            line(text("per month"), session.money(summary.monthlyAmount))
        }
        line(text("included in"), bundle ?? "")
        line(text("since"), session.day(subscription.startedOn))
        if bundle == nil, !summary.isOnHold { line(text("next charge"), session.day(summary.nextBillingOn)) }
        line(text("scope"), summary.scope.displayName(language))
        line(text("category"), summary.category.displayName(language))
        line(text("status"), session.ended(summary, subscription, with: bundle) ?? session.status(summary))
        line(text("trial starts"), subscription.trial?.startsOn.map { session.day($0) } ?? "")
        line(text("trial ends"), subscription.trial.map { session.day($0.endsOn) } ?? "")
        line(text("charged after the trial"), subscription.trial.map { session.yesOrNo($0.converts) } ?? "")
        line(text("fixed term ends"), subscription.endsOn.map { session.day($0) } ?? "")
        line(text("cancel by"), cancelBy.map { session.day($0.lastDay) } ?? "")
        line(text("reminders"), subscription.reminders.displayText(language))
        line(text("where to cancel"), route.map { session.place($0) } ?? "")
        line(text("contract term ends"), subscription.contract.endsOn.map { session.day($0) } ?? "")
        line(text("minimum months"), number(subscription.contract.minimumMonths))
        line(text("months of extension"), number(subscription.contract.extensionMonths))
        line(text("days of notice"), number(subscription.contract.noticeDays))
        line(text("payment method"), subscription.paymentMethod)
        line(text("website"), subscription.website)
        line(text("icon"), subscription.icon)
        line(text("colour"), subscription.color)
        line(text("replaced by"), successor ?? "")
        line(text("details"), subscription.details)
        line(text("notes"), subscription.notes)
        line(text("spent so far"), spent.map { session.money($0) }.joined(separator: ", "))
        for price in subscription.priceHistory {
            line(text("price from"), "\(session.day(price.from))  \(session.money(price.amount))")
        }
        for state in subscription.stateHistory {
            let status = SubscriptionStatus(rawValue: state.state.wire)
            line(text("status from"), "\(session.day(state.from))  \(status?.displayName(language) ?? "")")
        }
        for part in shares.others {
            line(text("share"), "\(part.name)  \(session.money(part.amount))")
        }
        if let share, !shares.others.isEmpty {
            line("", share.isAccepted ? text("agreed with the others") : text("not agreed with the others yet"))
            line(text("notes on the share"), share.notes)
        }
        for later in laterShares {
            line(text("share from"), "\(session.day(later.from))  \(session.parts(later.shares))")
        }
        if shares.exceedsPrice { line("!", text(shares.warning(session))) }
        for entry in history.prefix(Self.mostCharges) {
            let status = entry.isAssumed ? text("assumed") : entry.status.displayName(language)
            line(session.day(entry.occurrence.billingOn), "\(session.money(entry.amount))  \(status)")
        }
        let older = history.count - Self.mostCharges
        if older > 0, let first = history.last?.occurrence.billingOn {
            let since = session.day(first)
            line("", text("\(older) older charge since \(since): --json|\(older) older charges since \(since): --json"))
        }
        return sheet.text(session.style)
    }
}
