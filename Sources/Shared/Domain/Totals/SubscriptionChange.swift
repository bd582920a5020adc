public import Foundation

/// Something that changed what a subscription costs.
public struct SubscriptionChange: Sendable, Hashable {
    /// The raw value is the wire form.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case started
        case priceRise = "price_rise"
        case priceDrop = "price_drop"
        /// A trial became a paid subscription.
        case trialConverted = "trial_converted"
        /// Cancelled, or at the end of its term.
        case ended
    }

    public var subscriptionID: UUID
    public var name: String
    public var kind: Kind
    public var on: CalendarDay
    /// The price before and after; nil where there was or is none.
    public var from: Money?
    public var to: Money?
    /// By how much more it costs in a year, negative for less; nil when the currency changed.
    public var annualEffect: Money?

    /// The rise of the price in percent, with one decimal, half away from zero; nil without two prices of one currency.
    public var percent: Decimal? {
        guard let from, let to, from.currency == to.currency, from.minorUnits > 0 else { return nil }
        var value = Decimal(to.minorUnits - from.minorUnits) * 100 / Decimal(from.minorUnits)
        var rounded = Decimal()
        NSDecimalRound(&rounded, &value, 1, .plain)
        return rounded
    }

    /// By day, then name, then id, so that the order is stable.
    public static func earliestFirst(_ one: SubscriptionChange, _ other: SubscriptionChange) -> Bool {
        if one.on != other.on { return one.on < other.on }
        let order = Occurrence.nameOrder(one.name, other.name)
        return order == 0 ? one.subscriptionID.lowercased < other.subscriptionID.lowercased : order < 0
    }
}

extension Subscription {
    /// What changed from `first` through `last`, both included, in order of the days. A price that begins before the
    /// subscription does, or after its end, is no change; one that begins with it belongs to `started`.
    public func changes(from first: CalendarDay, through last: CalendarDay) -> [SubscriptionChange] {
        guard bundledIn == nil, first <= last else { return [] }
        var changes: [SubscriptionChange] = []
        func note(_ kind: SubscriptionChange.Kind, _ day: CalendarDay, from: Money?, to: Money?) {
            guard (first...last).contains(day) else { return }
            changes.append(
                SubscriptionChange(
                    subscriptionID: id, name: name, kind: kind, on: day, from: from, to: to,
                    annualEffect: Self.annualEffect(from: from, to: to, cycle)))
        }
        let end = endDay
        if end.map({ startedOn < $0 }) ?? true { note(.started, startedOn, from: nil, to: price(on: startedOn)) }
        for (before, after) in zip(priceHistory, priceHistory.dropFirst())
        where after.from > startedOn && (end.map { after.from < $0 } ?? true) && before.amount != after.amount {
            let isDrop =
                before.amount.currency == after.amount.currency && after.amount.minorUnits < before.amount.minorUnits
            note(isDrop ? .priceDrop : .priceRise, after.from, from: before.amount, to: after.amount)
        }
        if let trial, trial.converts {
            let day = trial.endsOn
            if status(on: day).isCharged, end.map({ day < $0 }) ?? true {
                note(.trialConverted, day, from: nil, to: price(on: day))
            }
        }
        if let end { note(.ended, end, from: price(on: end.adding(days: -1)), to: nil) }
        return changes.sorted { $0.on < $1.on }
    }

    /// The first day on which it is over: cancelled, or after a fixed term or a trial that does not convert.
    private var endDay: CalendarDay? {
        var days: [CalendarDay] = []
        // A cancellation that was taken back later is none.
        let running = states.filter { !$0.isOverruled }
        if let last = running.last, last.state == .cancelled { days.append(last.from) }
        if let endsOn { days.append(endsOn.adding(days: 1)) }
        if let trial, !trial.converts { days.append(trial.endsOn.adding(days: 1)) }
        return days.min()
    }

    private static func annualEffect(from: Money?, to: Money?, _ cycle: BillingCycle) -> Money? {
        if let from, let to, from.currency != to.currency { return nil }
        guard let currency = (from ?? to)?.currency else { return nil }
        let difference = (to?.annual(cycle).minorUnits ?? 0) - (from?.annual(cycle).minorUnits ?? 0)
        return Money(minorUnits: difference, currency: currency)
    }
}
