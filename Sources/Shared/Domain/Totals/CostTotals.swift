/// The yearly cost of subscriptions, by currency and category. Rounded only when read.
///
/// Add the subscriptions for which ``Subscription/counts(on:)`` is true; trials count with their later price.
public struct CostTotals: Sendable {
    /// The totals of one currency.
    public struct Row: Sendable, Hashable {
        public var currency: Currency
        public var count: Int
        public var annual: Money
        public var monthly: Money
        /// One row per category; always includes `pro` and `personal`, which come first.
        public var categories: [CategoryRow]
    }

    public struct CategoryRow: Sendable, Hashable {
        public var category: SubscriptionCategory
        public var count: Int
        public var annual: Money
    }

    private struct Part {
        var count = 0
        var sum = ExactSum()
    }

    private var parts: [Currency: [SubscriptionCategory: Part]] = [:]

    public init() {}

    /// Adds one charged subscription.
    public mutating func add(_ price: Money, _ cycle: BillingCycle, _ category: SubscriptionCategory) {
        add(price.minorUnits, currency: price.currency, factor: cycle.annualFactor, category: category, count: 1)
    }

    /// Adds `count` subscriptions with the same factor, whose prices add up to `minorUnits`.
    public mutating func add(
        _ minorUnits: Int64, currency: Currency, factor: AnnualFactor, category: SubscriptionCategory, count: Int
    ) {
        parts[currency, default: [:]][category, default: Part()].count += count
        parts[currency, default: [:]][category, default: Part()].sum.add(minorUnits, times: factor)
    }

    /// Sorted by currency code.
    public var rows: [Row] {
        parts.map { Self.row($0, $1) }.sorted { $0.currency.code < $1.currency.code }
    }

    private static func row(_ currency: Currency, _ parts: [SubscriptionCategory: Part]) -> Row {
        var whole = Part()
        for part in parts.values {
            whole.count += part.count
            whole.sum.add(part.sum)
        }
        let custom = parts.keys.filter(\.isCustom).sorted { $0.wire < $1.wire }
        let categories = (SubscriptionCategory.builtIn + custom).map { category in
            let part = parts[category] ?? Part()
            return CategoryRow(
                category: category, count: part.count, annual: Money(minorUnits: part.sum.rounded(), currency: currency)
            )
        }
        return Row(
            currency: currency, count: whole.count, annual: Money(minorUnits: whole.sum.rounded(), currency: currency),
            monthly: Money(minorUnits: whole.sum.rounded(dividedBy: 12), currency: currency), categories: categories)
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
