public import Foundation

/// What was saved by cancelling a subscription.
public struct Saving: Sendable, Hashable {
    public var subscriptionID: UUID
    public var name: String
    public var cancelledOn: CalendarDay
    /// Avoided charges at the prices of their days, minus the charges of the replacement.
    public var amount: Money
}

extension Subscription {
    /// The saving from the cancellation through `today`; nil when it is not cancelled by then.
    ///
    /// - Parameter replacement: the subscription that replaced this one; its charges in the same period are subtracted if they
    ///   are in the same currency.
    public func saving(today: CalendarDay, replacement: Subscription? = nil) -> Saving? {
        guard let last = states.last(where: { $0.from <= today && !$0.isOverruled }), last.state == .cancelled else {
            return nil
        }
        var uncancelled = self
        uncancelled.states.removeAll { $0.state == .cancelled }
        var sum: Int64 = 0
        uncancelled.visitCharges(from: last.from, through: today) { day in
            sum += price(on: day).minorUnits
            return true
        }
        if let replacement, replacement.currency == currency {
            replacement.visitCharges(from: last.from, through: today) { day in
                sum -= replacement.price(on: day).minorUnits
                return true
            }
        }
        return Saving(
            subscriptionID: id, name: name, cancelledOn: last.from, amount: Money(minorUnits: sum, currency: currency))
    }
}
