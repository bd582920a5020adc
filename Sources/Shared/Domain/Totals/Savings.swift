public import Foundation

/// What was saved by cancelling a subscription.
public struct Saving: Sendable, Hashable {
    /// The cancelled subscription.
    public var subscriptionID: UUID
    /// The name of the cancelled subscription.
    public var name: String
    /// The first day that was not charged any more.
    public var cancelledOn: CalendarDay
    /// Avoided charges at the prices of their days, minus the charges of the replacement.
    public var amount: Money
    /// The charges that were avoided, in order.
    public var avoided: [CalendarDay]
}

extension Subscription {
    /// The saving from the cancellation through `today`; nil when it is not cancelled by then.
    ///
    /// Only charges in the currency of the newest price count.
    ///
    /// - Parameters:
    ///   - today: the last day whose charges count.
    ///   - settled: days whose charges were made all the same, or skipped by the user: nothing was saved there.
    ///   - takenBack: days before ``trackedFrom`` whose charges the cancellation took back.
    ///   - costs: what the subscription that replaced this one was charged since the cancellation.
    public func saving(
        today: CalendarDay, settled: Set<CalendarDay> = [], takenBack: [CalendarDay] = [], costs: [Money] = []
    ) -> Saving? {
        guard let cancelledOn = cancelledOn(asOf: today) else { return nil }
        var uncancelled = self
        uncancelled.states.removeAll { $0.state == .cancelled }
        let before = takenBack.filter { $0 >= cancelledOn && uncancelled.wasCharged(on: $0) }
        let avoided = Set(before + uncancelled.charges(from: cancelledOn, through: today)).subtracting(settled)
            .filter { price(on: $0).currency == currency }.sorted()
        let costs = costs.filter { $0.currency == currency }
        let sum = avoided.reduce(0) { $0 + price(on: $1).minorUnits } - costs.reduce(0) { $0 + $1.minorUnits }
        return Saving(
            subscriptionID: id, name: name, cancelledOn: cancelledOn,
            amount: Money(minorUnits: sum, currency: currency), avoided: avoided)
    }

    /// The first day of the cancellation that is in force on a day; nil when it is not cancelled then.
    public func cancelledOn(asOf day: CalendarDay) -> CalendarDay? {
        guard let last = states.last(where: { $0.from <= day && !$0.isOverruled }), last.state == .cancelled else {
            return nil
        }
        return last.from
    }
}
