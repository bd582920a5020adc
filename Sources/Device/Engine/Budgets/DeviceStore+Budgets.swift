public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore {
    /// Sets the limit for a category, currency and period; the one that was there is replaced.
    @discardableResult
    public func setBudget(
        category: String?, amount: String, currency: String, period: Budget.Period, at moment: Moment
    ) throws -> Budget {
        try write(at: moment) { unit in
            let currency = try FieldRules.currency(currency)
            let limit = try FieldRules.positive(try FieldRules.amount(amount, currency), field: "amount")
            let category = try category.map { try SubscriptionCategory($0) }
            let same = try Self.budgets(unit.session).first {
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

    public func deleteBudget(_ id: UUID, at moment: Moment) throws {
        try delete(id, from: EntityTables.budgets, .budget, at: moment)
    }

    /// Every budget with what was charged in its current period and what is still to come in it.
    public func budgets(at moment: Moment) throws -> [BudgetStanding] {
        try read(at: moment) { session in
            let reader = OccurrenceReader(session, today: moment.today)
            let categories = Dictionary(
                try session.query("SELECT id_high, id_low, category FROM standings") {
                    (try $0.halvedUUID(0), try $0.text(2))
                }
            ) { first, _ in first }
            return try Self.budgets(session).map { budget in
                let range = budget.range(around: moment.today)
                var (spent, expected): (Int64, Int64) = (0, 0)
                for occurrence in try reader.range(from: range.lowerBound, through: range.upperBound)
                where occurrence.fate != .skipped && occurrence.amount.currency == budget.limit.currency {
                    if let category = budget.category, categories[occurrence.id.subscriptionID] != category.wire {
                        continue
                    }
                    if occurrence.billingOn < moment.today
                        || occurrence.fate != .open && occurrence.billingOn == moment.today
                    {
                        spent += occurrence.amount.minorUnits
                    } else {
                        expected += occurrence.amount.minorUnits
                    }
                }
                let currency = budget.limit.currency
                return BudgetStanding(
                    budget: budget, spent: Money(minorUnits: spent, currency: currency),
                    expected: Money(minorUnits: expected, currency: currency))
            }
        }
    }

    /// In the order of their ids.
    static func budgets(_ session: any SQLSession) throws -> [Budget] {
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

    /// Deletes one row by its id.
    func delete(_ id: UUID, from table: EntityTable, _ entity: DeviceStoreError.Entity, at moment: Moment) throws {
        try write(at: moment) { unit in
            guard try unit.session.execute(table.deleteSQL, [.uuid(id)]) > 0 else {
                throw DeviceStoreError.notFound(entity, id: id.lowercased)
            }
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
