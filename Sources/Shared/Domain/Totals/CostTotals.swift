/// The yearly cost of subscriptions, by currency, scope and category. Rounded only when read.
///
/// Add the subscriptions for which ``Subscription/counts(on:)`` is true; trials count with their later price.
public struct CostTotals: Sendable {
    /// The totals of one currency.
    public struct Row: Sendable, Hashable {
        /// The currency of all amounts of the row.
        public var currency: Currency
        /// The number of subscriptions.
        public var count: Int
        /// The exact yearly cost, rounded once, half to even.
        public var annual: Money
        /// A twelfth of the exact yearly cost, rounded once, half to even.
        public var monthly: Money
        /// One row per scope, also for one without subscriptions.
        public var scopes: [ScopeRow]
        /// One row per category with subscriptions, in the order of ``SubscriptionCategory/inOrder(_:_:)``.
        public var categories: [CategoryRow]
    }

    /// The yearly cost of one scope in one currency.
    public struct ScopeRow: Sendable, Hashable {
        /// Work or private life.
        public var scope: SubscriptionScope
        /// The number of subscriptions; 0 for a scope without any.
        public var count: Int
        /// The exact yearly cost of the scope, rounded once, half to even.
        public var annual: Money
    }

    /// The yearly cost of one category in one currency.
    public struct CategoryRow: Sendable, Hashable {
        /// The category, built in or custom.
        public var category: SubscriptionCategory
        /// The number of subscriptions, at least 1.
        public var count: Int
        /// The exact yearly cost of the category, rounded once, half to even.
        public var annual: Money
    }

    private struct Part {
        var count = 0
        var sum = ExactSum()

        mutating func add(_ other: Part) {
            count += other.count
            sum.add(other.sum)
        }
    }

    private struct Key: Hashable {
        let scope: SubscriptionScope
        let category: SubscriptionCategory
    }

    private var parts: [Currency: [Key: Part]] = [:]

    /// Starts without subscriptions.
    public init() {}

    /// Adds one charged subscription.
    public mutating func add(
        _ price: Money, _ cycle: BillingCycle, _ scope: SubscriptionScope, _ category: SubscriptionCategory
    ) {
        add(
            price.minorUnits, currency: price.currency, factor: cycle.annualFactor, scope: scope, category: category,
            count: 1)
    }

    /// Adds `count` subscriptions with the same factor, whose prices add up to `minorUnits`.
    public mutating func add(
        _ minorUnits: Int64, currency: Currency, factor: AnnualFactor, scope: SubscriptionScope,
        category: SubscriptionCategory, count: Int
    ) {
        let key = Key(scope: scope, category: category)
        parts[currency, default: [:]][key, default: Part()].count += count
        parts[currency, default: [:]][key, default: Part()].sum.add(minorUnits, times: factor)
    }

    /// Sorted by currency code.
    public var rows: [Row] {
        parts.map { Self.row($0, $1) }.sorted { $0.currency.code < $1.currency.code }
    }

    private static func row(_ currency: Currency, _ parts: [Key: Part]) -> Row {
        var whole = Part()
        var byScope: [SubscriptionScope: Part] = [:]
        var byCategory: [SubscriptionCategory: Part] = [:]
        for (key, part) in parts {
            whole.add(part)
            byScope[key.scope, default: Part()].add(part)
            byCategory[key.category, default: Part()].add(part)
        }
        let annual = { (part: Part) in Money(minorUnits: part.sum.rounded(), currency: currency) }
        return Row(
            currency: currency, count: whole.count, annual: annual(whole),
            monthly: Money(minorUnits: whole.sum.rounded(dividedBy: 12), currency: currency),
            scopes: SubscriptionScope.allCases.map { scope in
                let part = byScope[scope] ?? Part()
                return ScopeRow(scope: scope, count: part.count, annual: annual(part))
            },
            categories: byCategory.sorted { SubscriptionCategory.inOrder($0.key, $1.key) }.map { category, part in
                CategoryRow(category: category, count: part.count, annual: annual(part))
            })
    }
}

extension Money {
    /// The yearly cost at this price, rounded once, half to even.
    public func annual(_ cycle: BillingCycle) -> Money { share(of: cycle, dividedBy: 1) }

    /// A twelfth of the exact yearly cost, rounded once.
    public func monthly(_ cycle: BillingCycle) -> Money { share(of: cycle, dividedBy: 12) }

    private func share(of cycle: BillingCycle, dividedBy divisor: Int64) -> Money {
        let factor = cycle.annualFactor
        let divisor = divisor * factor.denominator
        let (product, overflow) = minorUnits.multipliedReportingOverflow(by: factor.numerator)
        guard !overflow, product >= 0 else {
            var sum = ExactSum()
            sum.add(minorUnits, times: factor)
            return Money(minorUnits: sum.rounded(dividedBy: divisor / factor.denominator), currency: currency)
        }
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: divisor)
        let roundsUp = 2 * remainder > divisor || 2 * remainder == divisor && !quotient.isMultiple(of: 2)
        return Money(minorUnits: quotient + (roundsUp ? 1 : 0), currency: currency)
    }
}
