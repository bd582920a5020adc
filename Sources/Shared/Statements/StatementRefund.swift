public import Foundation
public import SubGuardDomain

/// Money that the payee of a subscription gave back.
public struct StatementRefund: Sendable, Hashable {
    /// What it means for the charge; the raw value is the wire form.
    public enum Effect: String, Sendable, Hashable, CaseIterable {
        /// All of it came back: it counts as not charged.
        case notCharged = "not_charged"
        /// A part came back: the rest counts.
        case reduced
        /// The charge stays as the user recorded it.
        case kept
        /// No charge of the statements or of the ledger fits.
        case unmatched
    }

    /// Nil when the subscription is only proposed.
    public var subscriptionID: UUID?
    /// The id of the proposal; nil for a stored subscription.
    public var proposalID: String?
    /// The name of the subscription or of the proposal.
    public var name: String
    /// The day on which it came back.
    public var on: CalendarDay
    /// Positive.
    public var amount: Money
    /// The charge that came back; nil when none fits.
    public var charge: StatementCharge?
    /// The charge in the ledger of a stored subscription.
    public var occurrence: OccurrenceID?
    /// What it means for ``charge``.
    public var effect: Effect

    /// Nil when nothing came back.
    init?(of charge: StatementCharge, proposal: String? = nil, _ name: String, _ effect: Effect) {
        guard let refund = charge.refund else { return nil }
        self.init(on: refund.on, refund.amount, proposal: proposal, name)
        self.charge = charge
        self.effect = effect
    }

    /// Fits no charge.
    init(on day: CalendarDay, _ amount: Money, proposal: String? = nil, _ name: String) {
        proposalID = proposal
        self.name = name
        on = day
        self.amount = amount
        effect = .unmatched
    }
}

extension [StatementRefund] {
    var byDay: [StatementRefund] {
        sorted { ($0.on, $0.name, $0.amount.minorUnits) < ($1.on, $1.name, $1.amount.minorUnits) }
    }
}

extension StatementReconciliation {
    /// Names what came back of a charge of a stored subscription, and says what becomes of the charge.
    mutating func noteRefund(_ charge: StatementCharge, due: CalendarDay, of known: KnownSubscription) {
        let subscription = known.subscription
        guard
            var refund = StatementRefund(
                of: charge, subscription.name,
                Self.effect(of: charge, known.ledger[due], price: subscription.price(on: due)))
        else { return }
        refund.subscriptionID = subscription.id
        refund.occurrence = OccurrenceID(subscriptionID: subscription.id, billingOn: due)
        refunds.append(refund)
    }

    private static func effect(
        of charge: StatementCharge, _ fact: KnownSubscription.LedgerFact?, price: Money
    ) -> StatementRefund.Effect {
        let counted: StatementRefund.Effect = charge.isRefunded ? .notCharged : .reduced
        if isNews(charge, to: fact, price: price) { return counted }
        switch fact?.fate {
        case .skipped: return .notCharged
        case .confirmed, .late: return !charge.isRefunded && fact?.paid ?? price == charge.paid ? .reduced : .kept
        case nil, .open, .assumed: return counted
        }
    }

    /// Names credits of the payee of stored subscriptions that fit no charge of the statements. The ledger may have the
    /// charge from an earlier statement, and keeps it.
    mutating func note(
        _ credits: [RefundedCharges.Credit], of group: RecurringCharges.Group, _ known: [KnownSubscription]
    ) {
        for credit in credits {
            let amount = group.money(credit.units)
            let distance = { (known: KnownSubscription) in
                abs(known.subscription.price(on: credit.on).minorUnits - credit.units)
            }
            let past = known.compactMap { known in
                Self.charge(of: amount, before: credit.on, in: known).map { (known: known, due: $0) }
            }
            let found = past.max { $0.due < $1.due }
            guard let owner = found?.known ?? known.min(by: { distance($0) < distance($1) }) else { continue }
            var refund = StatementRefund(on: credit.on, amount, owner.subscription.name)
            refund.subscriptionID = owner.subscription.id
            if let due = found?.due {
                refund.charge = StatementCharge(
                    on: due, amount: amount,
                    refund: StatementCharge.Refund(amount: amount, on: credit.on, entries: 1))
                refund.occurrence = OccurrenceID(subscriptionID: owner.subscription.id, billingOn: due)
                refund.effect = owner.ledger[due]?.fate == .skipped ? .notCharged : .kept
            }
            refunds.append(refund)
        }
    }

    /// The day of the latest charge of an amount that the ledger has before a credit.
    private static func charge(
        of amount: Money, before day: CalendarDay, in known: KnownSubscription
    ) -> CalendarDay? {
        known.ledger.filter { due, fact in
            [.confirmed, .late, .skipped].contains(fact.fate) && due <= day
                && due.days(until: day) <= RefundedCharges.reach
                && (fact.paid ?? known.subscription.price(on: due)) == amount
        }
        .keys.max()
    }
}
