public import Foundation

/// A spending limit per month or year, for all subscriptions, or for those of one scope or one category.
public struct Budget: Sendable, Hashable, Identifiable {
    /// How long a limit holds before it starts again.
    public enum Period: String, Sendable, Hashable, CaseIterable {
        /// A month from ``Budget/begins`` on; a calendar month by default.
        case month
        /// Twelve months from ``Budget/begins`` on; a calendar year by default.
        case year
    }

    /// What it limits.
    public enum Target: Sendable, Hashable {
        /// All subscriptions.
        case all
        /// The subscriptions of one scope.
        case scope(SubscriptionScope)
        /// The subscriptions of one category; setting a budget for a custom category requires premium.
        case category(SubscriptionCategory)

        /// The scope that is limited; nil for all subscriptions and for a category.
        public var scope: SubscriptionScope? { if case .scope(let scope) = self { scope } else { nil } }
        /// The category that is limited; nil for all subscriptions and for a scope.
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

        /// Whether charges of a subscription with this scope and category count.
        public func includes(_ scope: SubscriptionScope, _ category: SubscriptionCategory) -> Bool {
            switch self {
            case .all: true
            case .scope(let wanted): wanted == scope
            case .category(let wanted): wanted == category
            }
        }
    }

    /// Derived from target, currency and period when a budget is set, so that devices that set the same one share it.
    public var id: UUID
    /// The subscriptions that count.
    public var target: Target
    /// The highest amount for one period, greater than 0; charges in other currencies do not count.
    public var limit: Money
    /// How long the limit holds before it starts again.
    public var period: Period
    /// The first day of each period, such as pay day.
    public var begins: Start

    /// Takes the fields as they are.
    public init(id: UUID, target: Target, limit: Money, period: Period, begins: Start = .first) {
        self.id = id
        self.target = target
        self.limit = limit
        self.period = period
        self.begins = begins
    }

    /// The period that contains a day, first through last day. A month that is too short for the first day begins on
    /// its last one.
    public func range(around day: CalendarDay) -> ClosedRange<CalendarDay> {
        let (_, month, number) = day.components
        let monthStart = day.adding(days: 1 - number)
        let (months, offset) = period == .month ? (1, 0) : (12, begins.month - month)
        let start = { (periods: Int) in
            monthStart.adding(months: offset + periods * months, anchorDay: begins.day)
        }
        let index = day < start(0) ? -1 : 0
        return start(index)...start(index + 1).adding(days: -1)
    }
}

extension Budget {
    /// The first day of a period: a day of the month and, for a year, its month.
    public struct Start: Sendable, Hashable {
        /// 1…12; 1 for a budget of a month.
        public let month: Int
        /// 1…31.
        public let day: Int

        /// The first of the month or of January.
        public static let first = Start(month: 1, day: 1)

        private init(month: Int, day: Int) {
            self.month = month
            self.day = day
        }

        /// Reads `25` for a month, and `04-06` or `06/04`, the sixth of April, for a year. An empty text is ``first``.
        ///
        /// Throws a fault of `begins`.
        public init(_ text: String, _ period: Period) throws(Fault) {
            guard !text.isEmpty else {
                self = .first
                return
            }
            switch period {
            case .month:
                guard let day = Self.number(text), (1...31).contains(day) else {
                    throw Fault("begins", .outOfRange, "Must be a day of the month, 1 to 31.")
                }
                self.init(month: 1, day: day)
            case .year:
                let isDayFirst = text.contains("/")
                let parts = text.split(separator: isDayFirst ? "/" : "-", omittingEmptySubsequences: false)
                let numbers = parts.compactMap { Self.number($0) }
                guard parts.count == 2, numbers.count == 2,
                    // A leap year has every day.
                    let day = CalendarDay(
                        year: 2024, month: numbers[isDayFirst ? 1 : 0], day: numbers[isDayFirst ? 0 : 1])
                else { throw Fault("begins", .invalidDay, "Must be a month and a day, such as 04-06.") }
                self.init(month: day.month, day: day.day)
            }
        }

        private static func number(_ text: some StringProtocol) -> Int? {
            (1...2).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        }

        /// `25`, or `04-06` for a year; empty for ``first``.
        public func wire(_ period: Period) -> String {
            guard self != .first else { return "" }
            return period == .month
                ? "\(day)" : String(CalendarDay(year: 2024, month: month, day: day)?.iso.dropFirst(5) ?? "")
        }
    }
}

/// A budget with what was spent in one of its periods, the current one by default.
public struct BudgetStatus: Sendable, Hashable {
    /// How the spending of the period compares with the limit.
    public enum State: String, Sendable, Hashable {
        /// The limit is enough, also for the charges still to come.
        case within
        /// Charges still to come will exceed the limit.
        case atRisk = "at_risk"
        /// More than the limit was charged.
        case exceeded
    }

    /// The budget whose current period it is.
    public var budget: Budget
    /// Charged in the period so far.
    public var spent: Money
    /// Still to come in the period.
    public var expected: Money

    /// The currencies of other charges of the period, sorted by code: a budget counts those in its own alone.
    public var uncounted: [Currency]

    /// Takes the fields as they are; both amounts are in the currency of the limit.
    public init(budget: Budget, spent: Money, expected: Money, uncounted: [Currency] = []) {
        self.uncounted = uncounted
        self.budget = budget
        self.spent = spent
        self.expected = expected
    }

    /// The limit less ``spent``, negative when it is exceeded; charges still to come are not subtracted.
    public var remaining: Money {
        let less = spent.minorUnits == .min ? .max : -spent.minorUnits
        return Money(minorUnits: [budget.limit.minorUnits, less].clampedSum, currency: budget.limit.currency)
    }

    /// How ``spent``, and ``spent`` with ``expected``, compare with the limit; reaching it exactly does not exceed it.
    public var state: State {
        if spent.minorUnits > budget.limit.minorUnits { return .exceeded }
        return [spent.minorUnits, expected.minorUnits].clampedSum > budget.limit.minorUnits ? .atRisk : .within
    }
}
