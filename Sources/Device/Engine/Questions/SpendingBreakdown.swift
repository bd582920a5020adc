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
        let column =
            switch key {
            case .scope: "s.scope"
            case .category: "s.category"
            case .month: "strftime('%Y-%m', l.due_day * 86400, 'unixepoch')"
            case .subscription: "s.name"
            }
        let sql = """
            SELECT \(column) AS part, \(OccurrenceReader.chargedCurrency) AS code, \
            sum(CASE WHEN l.fate IN (0, 4) THEN 0 ELSE \(OccurrenceReader.charged) END), \
            sum(CASE WHEN l.fate IN (0, 4) THEN \(OccurrenceReader.charged) ELSE 0 END), count(*), min(s.id) \
            FROM \(OccurrenceReader.chargedTables) \
            WHERE (l.fate IN (1, 2, 4) OR l.fate = 0 AND l.due_day < ?) AND l.due_day BETWEEN ? AND ? \
            GROUP BY part, code\(key == .subscription ? ", s.id" : "")
            """
        return try store.read(at: moment) { session in
            let arguments: [SQLValue] = [.day(moment.today), .day(first), .day(last ?? moment.today)]
            let parts = try session.query(sql, arguments) { row in
                guard let currency = Currency(code: try row.text(1)) else { throw SQLError.malformed("currency") }
                return SpendingPart(
                    key: try row.text(0), subscriptionID: key == .subscription ? try row.uuid(5) : nil,
                    confirmed: Money(minorUnits: try row.integer(2), currency: currency),
                    assumed: Money(minorUnits: try row.integer(3), currency: currency), count: Int(try row.integer(4)))
            }
            return parts.sorted { Self.precedes($0, $1, by: key) }
        }
    }

    private static func precedes(_ one: SpendingPart, _ other: SpendingPart, by key: SpendingKey) -> Bool {
        if key != .month {
            let codes = (one.total.currency.code, other.total.currency.code)
            if codes.0 != codes.1 { return codes.0 < codes.1 }
            if one.total != other.total { return one.total.minorUnits > other.total.minorUnits }
        }
        if one.key != other.key { return one.key < other.key }
        if one.total.currency != other.total.currency { return one.total.currency.code < other.total.currency.code }
        return (one.subscriptionID?.lowercased ?? "") < (other.subscriptionID?.lowercased ?? "")
    }
}
