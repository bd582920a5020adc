import Crypto
public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Budgets {
    /// Sets the limit for a category (nil for all), currency and period; replaces an existing one.
    @discardableResult
    public func set(
        category: String?, amount: String, currency: String, period: Budget.Period, at moment: Moment
    ) throws -> Budget {
        try store.write(at: moment, as: .budgetSet) { unit in
            let currency = try FieldRules.currency(currency)
            let limit = try FieldRules.positive(try FieldRules.amount(amount, currency), field: "amount")
            let category = try category.map { try SubscriptionCategory($0) }
            let same = try Self.all(unit.session).first {
                $0.category == category && $0.limit.currency == currency && $0.period == period
            }
            if let category {
                try PremiumGate(isPremium: try unit.isPremium).requireCategory(category, current: same?.category)
            }
            let budget = Budget(
                id: same?.id ?? BudgetID.of(category, currency, period), category: category, limit: limit,
                period: period)
            try unit.save(budget)
            return budget
        }
    }

    public func delete(_ id: UUID, at moment: Moment) throws {
        try store.delete(id, from: EntityTables.budgets, .budget, at: moment, as: .budgetDeleted)
    }

    /// All budgets with what was spent and what is still to come in the current period.
    public func list(at moment: Moment) throws -> [BudgetStatus] {
        try store.read(at: moment) { session in
            let reader = OccurrenceReader(session, today: moment.today)
            let categories = Dictionary(
                try session.query("SELECT id_high, id_low, category FROM standings") {
                    (try $0.halvedUUID(0), try $0.text(2))
                }
            ) { first, _ in first }
            return try Self.all(session).map { budget in
                let range = budget.range(around: moment.today)
                var (spent, expected): (Int64, Int64) = (0, 0)
                for occurrence in try reader.range(from: range.lowerBound, through: range.upperBound)
                where occurrence.fate != .skipped && occurrence.amount.currency == budget.limit.currency {
                    if let category = budget.category, categories[occurrence.id.subscriptionID] != category.wire {
                        continue
                    }
                    if occurrence.isPast(on: moment.today) {
                        spent += occurrence.amount.minorUnits
                    } else {
                        expected += occurrence.amount.minorUnits
                    }
                }
                let currency = budget.limit.currency
                return BudgetStatus(
                    budget: budget, spent: Money(minorUnits: spent, currency: currency),
                    expected: Money(minorUnits: expected, currency: currency))
            }
        }
    }

    /// Sorted by id.
    static func all(_ session: any SQLSession) throws -> [Budget] {
        try session.query(EntityTables.budgets.selectAll, [], EntityTables.budgets.read).map { row in
            var key = ValueReader(row.key)
            var values = ValueReader(row.values)
            let category = try values.text()
            let limit = try values.money()
            guard let period = Budget.Period(rawValue: try values.text()) else { throw SQLError.malformed("period") }
            return Budget(
                id: try key.uuid(), category: category.isEmpty ? nil : try SubscriptionCategory(category), limit: limit,
                period: period)
        }
    }
}

extension UnitOfWork {
    func save(_ budget: Budget) throws {
        try EntityTables.budgets.save(
            [.uuid(budget.id)],
            [
                .text(budget.category?.wire ?? ""), .integer(budget.limit.minorUnits),
                .text(budget.limit.currency.code), .text(budget.period.rawValue),
            ], in: self)
    }
}

/// The id of a budget, derived from its category, currency and period, so that devices that set the same budget have the same
/// row and a merge keeps one.
enum BudgetID {
    static func of(_ category: SubscriptionCategory?, _ currency: Currency, _ period: Budget.Period) -> UUID {
        of(category: category?.wire ?? "", currency: currency.code, period: period.rawValue)
    }

    /// A UUID of version 8 (RFC 9562), the version for custom ids.
    static func of(category: String, currency: String, period: String) -> UUID {
        let name = "budget\u{0}\(category)\u{0}\(currency)\u{0}\(period)"
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (index, byte) in SHA256.hash(data: Array(name.utf8)).prefix(16).enumerated() {
            if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
        }
        return UUID(high: high & ~0xF000 | 0x8000, low: low & ~(3 << 62) | 1 << 63)
    }
}

extension EntityTable {
    /// The key for merging a row. Budgets of older versions have random ids, so their id is derived here.
    func mergedKey(_ row: EntityRow) throws -> [SQLValue] {
        guard name == EntityTables.budgets.name else { return row.key }
        var values = ValueReader(row.values)
        let category = try values.text()
        _ = try values.integer()
        return [.uuid(BudgetID.of(category: category, currency: try values.text(), period: try values.text()))]
    }
}
