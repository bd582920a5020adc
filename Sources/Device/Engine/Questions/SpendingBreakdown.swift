public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// By what spending is broken down. The raw value is the wire form.
public enum SpendingKey: String, Sendable, Hashable, CaseIterable {
    case scope, category, month, subscription
}

/// What was spent for one scope, category, month or subscription, in one currency.
public struct SpendingPart: Sendable, Hashable {
    /// The wire form of a scope or category, a month such as `2026-11`, or the name of a subscription.
    public var key: String
    /// Nil unless by subscription.
    public var subscriptionID: UUID?
    /// Charges that the user confirmed.
    public var confirmed: Money
    /// Charges of the past that were never confirmed, at the price of their day.
    public var assumed: Money
    /// The number of all these charges.
    public var count: Int

    public var total: Money {
        Money(minorUnits: confirmed.minorUnits + assumed.minorUnits, currency: confirmed.currency)
    }
}

extension DeviceStore.Totals {
    /// What was spent, broken down: by scope, category or subscription the largest first, by month in order. Skipped charges are
    /// not included.
    public func spending(
        by key: SpendingKey, from first: CalendarDay = .earliest, through last: CalendarDay? = nil, at moment: Moment
    ) throws -> [SpendingPart] {
        try store.read(at: moment) { session in
            let sums = try SpendingReader(session, today: moment.today)
                .sums(by: Self.column(key), from: first, through: last ?? moment.today)
            var names: [Int64: (id: UUID, name: String)] = [:]
            if key == .subscription {
                names.reserveCapacity(sums.count)
                try session.forEach("SELECT num, id_high, id_low, name FROM standings", []) { row in
                    names[try row.integer(0)] = (try row.halvedUUID(1), try row.text(3))
                }
            }
            let parts = sums.map { sum in
                let subscription = names[sum.subscription]
                return SpendingPart(
                    key: subscription?.name ?? sum.key, subscriptionID: subscription?.id,
                    confirmed: Money(minorUnits: sum.confirmed, currency: sum.currency),
                    assumed: Money(minorUnits: sum.assumed, currency: sum.currency), count: sum.count)
            }
            return key == .month ? parts.sorted { Self.precedes($0, $1, by: key) } : Self.largestFirst(parts)
        }
    }

    private static func column(_ key: SpendingKey) -> SpendingReader.Column {
        switch key {
        case .scope: .scope
        case .category: .category
        case .month: .month
        case .subscription: .subscription
        }
    }

    /// By currency, then sum. Sorts numbers, as comparing and moving the parts takes longer.
    private static func largestFirst(_ parts: [SpendingPart]) -> [SpendingPart] {
        let currencies = Set(parts.map(\.confirmed.currency)).sorted(by: Currency.inOrder)
        let ranks = Dictionary(uniqueKeysWithValues: zip(currencies, 0...))
        let keys = parts.enumerated().map { place, part in
            (
                rank: ranks[part.confirmed.currency] ?? 0, total: part.total.minorUnits, name: NameKey(part.key),
                place: place
            )
        }
        return keys.sorted { one, other in
            if one.rank != other.rank { return one.rank < other.rank }
            if one.total != other.total { return one.total > other.total }
            if one.name != other.name { return one.name < other.name }
            return precedes(parts[one.place], parts[other.place], by: .subscription)
        }.map { parts[$0.place] }
    }

    private static func precedes(_ one: SpendingPart, _ other: SpendingPart, by key: SpendingKey) -> Bool {
        let (currency, otherCurrency) = (one.confirmed.currency, other.confirmed.currency)
        if key != .month {
            if currency != otherCurrency { return Currency.inOrder(currency, otherCurrency) }
            let sums = (one.total.minorUnits, other.total.minorUnits)
            if sums.0 != sums.1 { return sums.0 > sums.1 }
        }
        let order = Occurrence.nameOrder(one.key, other.key)
        if order != 0 { return order < 0 }
        if currency != otherCurrency { return Currency.inOrder(currency, otherCurrency) }
        return (one.subscriptionID?.lowercased ?? "") < (other.subscriptionID?.lowercased ?? "")
    }
}
