/// What lies between two charges of a cycle, reduced to what arithmetic knows: days or months.
public enum BillingStep: Sendable, Hashable {
    case days(Int)
    case months(Int)
    /// There is no second charge.
    case once
}

extension BillingCycle {
    public var step: BillingStep {
        switch self {
        case .daily: .days(1)
        case .weekly: .days(7)
        case .biweekly: .days(14)
        case .monthly: .months(1)
        case .quarterly: .months(3)
        case .semiAnnual: .months(6)
        case .yearly: .months(12)
        case .lifetime: .once
        case .every(let interval):
            switch interval.unit {
            case .days: .days(interval.count)
            case .weeks: .days(interval.count * 7)
            case .months: .months(interval.count)
            case .years: .months(interval.count * 12)
            }
        }
    }
}
