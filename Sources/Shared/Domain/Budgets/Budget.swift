public import Foundation

/// A spending limit per month or year, for one category or for all.
public struct Budget: Sendable, Hashable, Identifiable {
    public enum Period: String, Sendable, Hashable, CaseIterable {
        case month
        case year
    }

    public var id: UUID
    /// Nil for all categories.
    public var category: SubscriptionCategory?
    public var limit: Money
    public var period: Period

    public init(id: UUID, category: SubscriptionCategory?, limit: Money, period: Period) {
        self.id = id
        self.category = category
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
