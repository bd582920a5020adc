public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Budgets {
    /// Sets the limit for a scope or a category (neither for all), currency and period; replaces an existing one. Each
    /// period begins on `begins`, which `Budget.Start.init(_:_:)` reads; nil keeps the first day of the existing
    /// budget.
    @discardableResult
    public func set(
        scope: String? = nil, category: String? = nil, amount: String, currency: String, period: Budget.Period,
        begins: String? = nil, at moment: Moment
    ) throws -> Budget {
        try store.write(at: moment, as: .budgetSet) { unit in
            let currency = try FieldRules.currency(currency)
            let limit = try FieldRules.positive(try FieldRules.amount(amount, currency), field: "amount")
            let target = try Budget.Target(scope: scope, category: category)
            let start = try begins.map { text throws(Fault) in try Budget.Start(text, period) }
            let same = try Self.find(target, currency, period, in: unit.session)
            if let category = target.category {
                try PremiumGate(isPremium: try unit.isPremium).requireCategory(
                    category, current: same?.target.category)
            }
            let budget = Budget(
                id: same?.id ?? BudgetID.of(target, currency, period), target: target, limit: limit,
                period: period, begins: start ?? same?.begins ?? .first)
            try unit.save(budget)
            return budget
        }
    }

    /// Deletes a budget. Throws ``DeviceStoreError/notFound(_:id:)``.
    public func delete(_ id: UUID, at moment: Moment) throws {
        try store.delete(id, from: EntityTables.budgets, .budget, at: moment, as: .budgetDeleted)
    }

    /// All budgets with what was spent and what is still to come in the period of a day, by default of today. With
    /// `isNet`, only the owner's part of shared subscriptions counts.
    public func list(
        isNet: Bool = false, around day: CalendarDay? = nil, at moment: Moment
    ) throws -> [BudgetStatus] {
        let day = day ?? moment.today
        return try store.read(at: moment) { session in
            let reader = OccurrenceReader(session: session, today: moment.today)
            let budgets = try Self.all(session)
            guard !budgets.isEmpty else { return [] }
            let kinds = try SubscriptionKind.all(session)
            let ranges = Set(budgets.map { $0.range(around: day) })
            // Read once for each period: a backup may hold any number of budgets.
            let occurrences = Dictionary(
                uniqueKeysWithValues: try ranges.map {
                    ($0, try reader.range(from: $0.lowerBound, through: $0.upperBound))
                })
            let others = OthersReader(session: session, today: moment.today)
            let parts =
                isNet
                ? Dictionary(
                    uniqueKeysWithValues: try ranges.map {
                        ($0, try others.parts(from: $0.lowerBound, through: $0.upperBound))
                    }) : [:]
            return budgets.map { budget in
                let range = budget.range(around: day)
                var (spent, expected): (Int64, Int64) = (0, 0)
                var others: Set<Currency> = []
                for occurrence in occurrences[range] ?? [] where occurrence.fate != .skipped {
                    guard let kind = kinds[occurrence.id.subscriptionID],
                        budget.target.includes(kind.scope, kind.category)
                    else { continue }
                    if occurrence.amount.currency != budget.limit.currency {
                        others.insert(occurrence.amount.currency)
                    } else if occurrence.isPast(on: moment.today) {
                        spent.add(clamping: occurrence.amount.minorUnits)
                    } else {
                        expected.add(clamping: occurrence.amount.minorUnits)
                    }
                }
                let currency = budget.limit.currency
                for part in parts[range] ?? []
                where part.amount.currency == currency
                    && budget.target.includes(part.kind.scope, part.kind.category)
                {
                    spent.add(clamping: part.isCharged ? -part.amount.minorUnits : 0)
                    expected.add(clamping: part.isCharged ? 0 : -part.amount.minorUnits)
                }
                return BudgetStatus(
                    budget: budget, spent: Money(minorUnits: spent, currency: currency),
                    expected: Money(minorUnits: expected, currency: currency),
                    uncounted: others.sorted { $0.code < $1.code })
            }
        }
    }

    /// Sorted by id.
    static func all(_ session: any SQLSession) throws -> [Budget] {
        try session.query(EntityTables.budgets.selectAll, [], EntityTables.budgets.read).map(Budget.init)
    }

    /// The budget for a scope or a category (neither for all), currency and period.
    static func find(
        _ target: Budget.Target, _ currency: Currency, _ period: Budget.Period, in session: any SQLSession
    ) throws -> Budget? {
        // By what it is for: budgets of older versions have random ids.
        let id = try session.first(
            "SELECT id FROM budgets WHERE category = ? AND scope = ? AND currency = ? AND period = ? ORDER BY id",
            [
                .text(target.category?.wire ?? ""), .text(target.scope?.rawValue ?? ""), .text(currency.code),
                .text(period.rawValue),
            ]
        ) { try $0.uuid(0) }
        return try id.flatMap { try EntityTables.budgets.row([.uuid($0)], in: session) }.map(Budget.init)
    }
}

extension Budget {
    fileprivate init(_ row: EntityRow) throws {
        var key = ValueReader(row.key)
        var values = ValueReader(row.values)
        let (category, scope) = (try values.text(), try values.text())
        let limit = try values.money()
        guard let period = Period(rawValue: try values.text()) else { throw SQLError.malformed("period") }
        self.init(
            id: try key.uuid(),
            target: try Target(scope: scope.isEmpty ? nil : scope, category: category.isEmpty ? nil : category),
            limit: limit, period: period, begins: try Start(try values.text(), period))
    }
}

extension UnitOfWork {
    func save(_ budget: Budget) throws {
        try EntityTables.budgets.save(
            [.uuid(budget.id)],
            [
                .text(budget.target.category?.wire ?? ""), .text(budget.target.scope?.rawValue ?? ""),
                .integer(budget.limit.minorUnits),
                .text(budget.limit.currency.code), .text(budget.period.rawValue),
                .text(budget.begins.wire(budget.period)),
            ], in: self)
    }
}

/// The id of a budget, derived from its scope or category, currency and period, so that devices that set the same
/// budget have the same row and a merge keeps one.
enum BudgetID {
    static func of(_ target: Budget.Target, _ currency: Currency, _ period: Budget.Period) -> UUID {
        // No category has the name of a scope.
        let name = target.scope?.rawValue ?? target.category?.wire ?? ""
        return of(target: name, currency: currency.code, period: period.rawValue)
    }

    static func of(target: String, currency: String, period: String) -> UUID {
        DerivedID.of("budget\u{0}\(target)\u{0}\(currency)\u{0}\(period)")
    }
}

extension EntityTable {
    /// The key for merging a row. Budgets of older versions have random ids, so their id is derived here.
    func mergedKey(_ row: EntityRow) throws -> [SQLValue] {
        guard name == EntityTables.budgets.name else { return row.key }
        var values = ValueReader(row.values)
        let (category, scope) = (try values.text(), try values.text())
        _ = try values.integer()
        let target = scope.isEmpty ? category : scope
        return [.uuid(BudgetID.of(target: target, currency: try values.text(), period: try values.text()))]
    }
}

/// What splits sums: the scope and the category of a subscription.
struct SubscriptionKind: Hashable {
    let scope: SubscriptionScope
    let category: SubscriptionCategory

    /// Reads the columns `scope` and `category`.
    init(scope: String, category: String) throws {
        guard let scope = SubscriptionScope(rawValue: scope) else { throw SQLError.malformed("scope") }
        self.scope = scope
        self.category = try SubscriptionCategory(category)
    }

    static func all(_ session: any SQLSession) throws -> [UUID: SubscriptionKind] {
        // Many subscriptions have few kinds, and reading one validates its category.
        var known: [[String]: SubscriptionKind] = [:]
        var kinds: [UUID: SubscriptionKind] = [:]
        try session.forEach("SELECT id, scope, category FROM subscriptions", []) { row in
            let (scope, category) = (try row.text(1), try row.text(2))
            let kind = try known[[scope, category]] ?? SubscriptionKind(scope: scope, category: category)
            known[[scope, category]] = kind
            kinds[try row.uuid(0)] = kind
        }
        return kinds
    }
}
