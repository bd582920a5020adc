public import Foundation

/// What a cancelled subscription would have cost since.
public struct Saving: Sendable, Hashable {
    public var subscriptionID: UUID
    public var name: String
    public var cancelledOn: CalendarDay
    /// Charges that did not come, at the prices of their days, less those of what took its place.
    public var amount: Money
}

extension Subscription {
    /// What was saved from its cancellation through `today`; nil unless it is cancelled by then.
    ///
    /// - Parameter replacement: what took its place; its charges in the same time are taken off, when it is paid in the
    ///   same currency.
    public func saving(today: CalendarDay, replacement: Subscription? = nil) -> Saving? {
        guard let last = states.last(where: { $0.from <= today }), last.state == .cancelled else { return nil }
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
