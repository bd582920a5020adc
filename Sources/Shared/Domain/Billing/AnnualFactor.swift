/// How many times a year a cycle is charged, as a fraction in whole numbers.
public struct AnnualFactor: Sendable, Hashable {
    public let numerator: Int64
    /// 1…999.
    public let denominator: Int64

    init(_ numerator: Int64, over denominator: Int64 = 1) {
        self.numerator = numerator
        self.denominator = denominator
    }
}

extension BillingCycle {
    /// Daily 365, weekly 52, biweekly 26, monthly 12, quarterly 4, semi-annual 2, yearly 1, lifetime 0; `every:N` is
    /// the unit's count a year (365, 52, 12, 1) over N.
    public var annualFactor: AnnualFactor {
        switch self {
        case .daily: AnnualFactor(365)
        case .weekly: AnnualFactor(52)
        case .biweekly: AnnualFactor(26)
        case .monthly: AnnualFactor(12)
        case .quarterly: AnnualFactor(4)
        case .semiAnnual: AnnualFactor(2)
        case .yearly: AnnualFactor(1)
        case .lifetime: AnnualFactor(0)
        case .every(let interval): AnnualFactor(interval.unit.countAYear, over: Int64(interval.count))
        }
    }
}

extension BillingUnit {
    /// 365, 52, 12 or 1.
    public var countAYear: Int64 {
        switch self {
        case .days: 365
        case .weeks: 52
        case .months: 12
        case .years: 1
        }
    }
}
