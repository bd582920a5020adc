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
