public import Foundation

/// A limit on what may be charged in a month or a year, for all or for one category.
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

    /// The first and the last day of the period in which a day lies.
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

/// How a budget stands in its current period.
public struct BudgetStanding: Sendable, Hashable {
    public enum State: String, Sendable, Hashable {
        case within
        /// What is still to come will pass the limit.
        case atRisk = "at_risk"
        case exceeded
    }

    public var budget: Budget
    /// Charged in the period through today.
    public var spent: Money
    /// Still to be charged in the period.
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
