public import Foundation

/// Something that changed what a subscription costs.
public struct SubscriptionChange: Sendable, Hashable {
    /// The raw value is the wire form.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Its first day.
        case started
        /// A higher price in the same currency.
        case priceRise = "price_rise"
        /// A lower price in the same currency.
        case priceDrop = "price_drop"
        /// Another currency from a day on; what it means for the price cannot be compared.
        case currencyChange = "currency_change"
        /// A trial became a paid subscription.
        case trialConverted = "trial_converted"
        /// Cancelled, or at the end of its term.
        case ended
        /// Charged again after a cancellation.
        case resumed
    }

    /// The subscription that changed.
    public var subscriptionID: UUID
    /// The name of the subscription that changed.
    public var name: String
    /// What changed.
    public var kind: Kind
    /// The day from which the change holds; for a converted trial, its last day.
    public var on: CalendarDay
    /// The price before the change; nil where there was none.
    public var from: Money?
    /// The price after the change; nil where there is none.
    public var to: Money?
    /// By how much more it costs in a year, negative for less; nil when the currency changed. Zero during a trial with
    /// which the subscription began: its end has the whole effect.
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
        return order == 0 ? one.subscriptionID < other.subscriptionID : order < 0
    }
}

extension Subscription {
    /// What changed from `first` through `last`, both included, in order of the days. A price that begins before the
    /// subscription does, or after its end, is no change; one that begins with it belongs to `started`.
    public func changes(from first: CalendarDay, through last: CalendarDay) -> [SubscriptionChange] {
        guard bundledIn == nil, first <= last else { return [] }
        let conversion = trial.flatMap { $0.converts && status(on: $0.endsOn).isCharged ? $0.endsOn : nil }
        // A trial whose end is paused over has no conversion that could tell the cost.
        let beginsFree = status(on: startedOn) == .trial && (conversion != nil || trial?.converts == false)
        var changes: [SubscriptionChange] = []
        func note(_ kind: SubscriptionChange.Kind, _ day: CalendarDay, from: Money?, to: Money?) {
            guard (first...last).contains(day) else { return }
            let isTrial = status(on: kind == .ended ? day.adding(days: -1) : day) == .trial
            let isFree = kind == .trialConverted ? !beginsFree : beginsFree && isTrial
            changes.append(
                SubscriptionChange(
                    subscriptionID: id, name: name, kind: kind, on: day, from: from, to: to,
                    annualEffect: Self.annualEffect(from: from, to: to, cycle)
                        .map { isFree ? Money(minorUnits: 0, currency: $0.currency) : $0 }))
        }
        let isOver = { (day: CalendarDay) in [.cancelled, .ended].contains(status(on: day)) }
        if !isOver(startedOn) { note(.started, startedOn, from: nil, to: price(on: startedOn)) }
        for (before, after) in zip(priceHistory, priceHistory.dropFirst())
        where after.from > startedOn && !isOver(after.from) && before.amount != after.amount {
            let kind: SubscriptionChange.Kind =
                if before.amount.currency != after.amount.currency { .currencyChange } else {
                    after.amount.minorUnits < before.amount.minorUnits ? .priceDrop : .priceRise
                }
            note(kind, after.from, from: before.amount, to: after.amount)
        }
        if let conversion { note(.trialConverted, conversion, from: nil, to: price(on: conversion)) }
        // Its own term ends once; a cancellation may be followed by others. One that was taken back is none.
        let end = [endsOn, trial.flatMap { $0.converts ? nil : $0.endsOn }].compactMap { $0?.adding(days: 1) }.min()
        for (before, after) in zip([nil] + stateHistory.map(\.state), stateHistory)
        where end.map({ after.from < $0 }) ?? true {
            let day = after.from
            if after.state == .cancelled {
                note(.ended, day, from: price(on: day.adding(days: -1)), to: nil)
            } else if before == .cancelled {
                note(.resumed, day, from: nil, to: price(on: day))
            }
        }
        if let end, status(on: end.adding(days: -1)) != .cancelled {
            note(.ended, end, from: price(on: end.adding(days: -1)), to: nil)
        }
        return changes.sorted { $0.on < $1.on }
    }

    private static func annualEffect(from: Money?, to: Money?, _ cycle: BillingCycle) -> Money? {
        if let from, let to, from.currency != to.currency { return nil }
        guard let currency = (from ?? to)?.currency else { return nil }
        let difference = (to?.annual(cycle).minorUnits ?? 0) - (from?.annual(cycle).minorUnits ?? 0)
        return Money(minorUnits: difference, currency: currency)
    }
}
