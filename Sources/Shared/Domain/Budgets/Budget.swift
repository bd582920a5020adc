public import Foundation

/// A spending limit per month or year, for all subscriptions, or for those of one scope or one category.
public struct Budget: Sendable, Hashable, Identifiable {
    public enum Period: String, Sendable, Hashable, CaseIterable {
        case month
        case year
    }

    /// What it limits.
    public enum Target: Sendable, Hashable {
        case all
        case scope(SubscriptionScope)
        case category(SubscriptionCategory)

        public var scope: SubscriptionScope? { if case .scope(let scope) = self { scope } else { nil } }
        public var category: SubscriptionCategory? { if case .category(let category) = self { category } else { nil } }

        /// Reads what was entered: at most one of both. The name of a scope as the category stands for the scope.
        public init(scope: String?, category: String?) throws(Fault) {
            switch (scope, category) {
            case (nil, nil): self = .all
            case (let scope?, nil): self = .scope(try SubscriptionScope.read(scope))
            case (nil, let category?):
                if let scope = SubscriptionScope(named: category) {
                    self = .scope(scope)
                } else {
                    self = .category(try SubscriptionCategory(category))
                }
            default: throw Fault("scope", .invalidFormat, "A limit has a scope or a category, not both.")
            }
        }

        public func includes(_ scope: SubscriptionScope, _ category: SubscriptionCategory) -> Bool {
            switch self {
            case .all: true
            case .scope(let wanted): wanted == scope
            case .category(let wanted): wanted == category
            }
        }
    }

    public var id: UUID
    public var target: Target
    public var limit: Money
    public var period: Period

    public init(id: UUID, target: Target, limit: Money, period: Period) {
        self.id = id
        self.target = target
        self.limit = limit
        self.period = period
    }

    /// The period that contains a day, first through last day.
    public func range(around day: CalendarDay) -> ClosedRange<CalendarDay> {
        let (_, month, number) = day.components
        let monthStart = day.adding(days: 1 - number)
        switch period {
        case .month: return monthStart...monthStart.adding(months: 1, anchorDay: 1).adding(days: -1)
        case .year:
            let yearStart = monthStart.adding(months: 1 - month, anchorDay: 1)
            return yearStart...yearStart.adding(months: 12, anchorDay: 1).adding(days: -1)
        }
    }
}

/// A budget with what was spent in its current period.
public struct BudgetStatus: Sendable, Hashable {
    public enum State: String, Sendable, Hashable {
        case within
        /// Charges still to come will exceed the limit.
        case atRisk = "at_risk"
        case exceeded
    }

    public var budget: Budget
    /// Charged in the period so far.
    public var spent: Money
    /// Still to come in the period.
    public var expected: Money

    public init(budget: Budget, spent: Money, expected: Money) {
        self.budget = budget
        self.spent = spent
        self.expected = expected
    }

    public var remaining: Money {
        Money(minorUnits: budget.limit.minorUnits - spent.minorUnits, currency: budget.limit.currency)
    }

    public var state: State {
        if spent.minorUnits > budget.limit.minorUnits { return .exceeded }
        return spent.minorUnits + expected.minorUnits > budget.limit.minorUnits ? .atRisk : .within
    }
}
