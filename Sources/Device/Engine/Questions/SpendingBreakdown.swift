public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// By what spending is broken down. The raw value is the wire form.
public enum SpendingKey: String, Sendable, Hashable, CaseIterable {
    /// By scope: for work or personal.
    case scope
    /// By category.
    case category
    /// By calendar month of the charge.
    case month
    /// By subscription.
    case subscription
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

    /// Confirmed and assumed charges, added up.
    public var total: Money {
        Money(minorUnits: [confirmed.minorUnits, assumed.minorUnits].clampedSum, currency: confirmed.currency)
    }
}

extension SpendingPart {
    init(_ sum: SpendingReader.Sum, key: String, subscriptionID: UUID? = nil) {
        self.init(
            key: key, subscriptionID: subscriptionID,
            confirmed: Money(minorUnits: sum.confirmed, currency: sum.currency),
            assumed: Money(minorUnits: sum.assumed, currency: sum.currency), count: sum.count)
    }
}

extension DeviceStore.Totals {
    /// What was spent, broken down: by scope, category or subscription the largest first, by month in order. Skipped
    /// charges are not included. With `isNet`, only the owner's part of shared ones counts.
    public func spending(
        by key: SpendingKey, from first: CalendarDay = .earliest, through last: CalendarDay? = nil,
        isNet: Bool = false, at moment: Moment
    ) throws -> [SpendingPart] {
        try store.read(at: moment) { session in
            let reader = SpendingReader(session: session, today: moment.today)
            let (column, last) = (Self.column(key), last ?? moment.today)
            let sums =
                try isNet
                ? reader.netSums(by: column, from: first, through: last)
                : reader.sums(by: column, from: first, through: last)
            guard key != .subscription else { return try Self.bySubscription(sums, session) }
            return sums.map { SpendingPart($0, key: $0.key) }.sorted { Self.precedes($0, $1, by: key) }
        }
    }

    /// The parts of subscriptions, of which there may be many: only numbers are sorted, and each part is made once.
    private static func bySubscription(
        _ sums: [SpendingReader.Sum], _ session: any SQLSession
    ) throws -> [SpendingPart] {
        var names: [(id: UUID, name: String, key: NameKey)] = []
        // By the number of the row. A table, as numbers are dense; faster than a dictionary.
        var places: [Int64: Int] = [:]
        var table: [Int32] = []
        names.reserveCapacity(sums.count)
        try session.forEach("SELECT num, id_high, id_low, name FROM standings", []) { row in
            let (number, name) = (try row.integer(0), try row.text(3))
            if number >= 0, number < Self.denseNumbers {
                let index = Int(number)
                if index >= table.count {
                    table.append(contentsOf: repeatElement(-1, count: max(index + 1, 2 * table.count) - table.count))
                }
                table[index] = Int32(truncatingIfNeeded: names.count)
            } else {
                places[number] = names.count
            }
            names.append((try row.halvedUUID(1), name, NameKey(name)))
        }
        let currencies = Set(sums.map(\.currency)).sorted(by: Currency.inOrder)
        let ranks = Dictionary(uniqueKeysWithValues: zip(currencies, 0...))
        let keys = try sums.enumerated().map { index, sum in
            let number = sum.subscription
            let isDense = number >= 0 && number < Int64(table.count)
            guard let place = isDense ? Int(table[Int(number)]) : places[number], place >= 0 else {
                throw SQLError.malformed("subscription number")
            }
            return (
                rank: ranks[sum.currency] ?? 0, total: sum.confirmed + sum.assumed, name: names[place].key,
                place: place,
                index: index
            )
        }
        return keys.sorted { one, other in
            if one.rank != other.rank { return one.rank < other.rank }
            if one.total != other.total { return one.total > other.total }
            if one.name != other.name { return one.name < other.name }
            let order = Occurrence.nameOrder(names[one.place].name, names[other.place].name)
            return order == 0 ? names[one.place].id.halves < names[other.place].id.halves : order < 0
        }.map { key in
            SpendingPart(sums[key.index], key: names[key.place].name, subscriptionID: names[key.place].id)
        }
    }

    /// Numbers of rows below this one are looked up in a table, at most 4 MiB of it.
    private static let denseNumbers: Int64 = 1 << 20

    private static func column(_ key: SpendingKey) -> SpendingReader.Column {
        switch key {
        case .scope: .scope
        case .category: .category
        case .month: .month
        case .subscription: .subscription
        }
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
        return Currency.inOrder(currency, otherCurrency)
    }
}
