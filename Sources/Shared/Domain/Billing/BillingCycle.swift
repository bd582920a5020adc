/// How often a subscription is charged.
public enum BillingCycle: Sendable, Hashable {
    case daily
    case weekly
    case biweekly
    case monthly
    case quarterly
    case semiAnnual
    case yearly
    /// Charged once and never again.
    case lifetime
    case every(BillingInterval)
    /// Each charge is counted from the day on which the one before was paid, as with prepaid cards.
    case afterPayment(BillingInterval)

    /// The cycles with a name, shortest first.
    public static let named: [BillingCycle] = [
        .daily, .weekly, .biweekly, .monthly, .quarterly, .semiAnnual, .yearly, .lifetime,
    ]

    /// Nil when the count is not within 1…999. Equal lengths stay distinct: every twelve months is not `yearly`.
    public static func every(count: Int, unit: BillingUnit) -> BillingCycle? {
        BillingInterval(count: count, unit: unit).map { .every($0) }
    }

    /// The same cycle, counted from the day of each payment; nil for a purchase that is never charged again.
    public var countedFromPayment: BillingCycle? {
        switch self {
        case .every(let interval), .afterPayment(let interval): .afterPayment(interval)
        case .biweekly: BillingInterval(count: 2, unit: .weeks).map { .afterPayment($0) }
        default:
            switch step {
            case .days(7): BillingInterval(count: 1, unit: .weeks).map { .afterPayment($0) }
            case .days(let count): BillingInterval(count: count, unit: .days).map { .afterPayment($0) }
            case .months(12): BillingInterval(count: 1, unit: .years).map { .afterPayment($0) }
            case .months(let count): BillingInterval(count: count, unit: .months).map { .afterPayment($0) }
            case .once: nil
            }
        }
    }

    public var isCountedFromPayment: Bool { if case .afterPayment = self { true } else { false } }

    /// Reads the wire form: `monthly`, `semi_annual`, `every:10d`, `every:2w`, `every:18m`, `every:2y`,
    /// `every:28d after payment`.
    public init?(wire: String) {
        if let cycle = Self.named.first(where: { $0.wire == wire }) {
            self = cycle
            return
        }
        let isAfterPayment = wire.hasSuffix(Self.paymentSuffix)
        let every = wire.dropLast(isAfterPayment ? Self.paymentSuffix.count : 0)
        guard every.hasPrefix(Self.intervalPrefix),
            let interval = BillingInterval(wire: every.dropFirst(Self.intervalPrefix.count))
        else { return nil }
        self = isAfterPayment ? .afterPayment(interval) : .every(interval)
    }

    public var wire: String {
        switch self {
        case .daily: "daily"
        case .weekly: "weekly"
        case .biweekly: "biweekly"
        case .monthly: "monthly"
        case .quarterly: "quarterly"
        case .semiAnnual: "semi_annual"
        case .yearly: "yearly"
        case .lifetime: "lifetime"
        case .every(let interval): Self.intervalPrefix + interval.wire
        case .afterPayment(let interval): Self.intervalPrefix + interval.wire + Self.paymentSuffix
        }
    }

    private static let intervalPrefix = "every:"
    private static let paymentSuffix = " after payment"
}

extension BillingCycle: CustomStringConvertible {
    public var description: String { wire }
}

/// A number of days, weeks, months or years between two charges.
public struct BillingInterval: Sendable, Hashable {
    /// 1…999.
    public let count: Int
    public let unit: BillingUnit

    /// How many units an interval may have.
    public static let countRange = 1...999

    /// Nil when the count is out of range.
    public init?(count: Int, unit: BillingUnit) {
        guard Self.countRange.contains(count) else { return nil }
        self.count = count
        self.unit = unit
    }

    /// Reads a count without leading zeros and the letter of the unit, such as `18m`.
    init?(wire: some StringProtocol) {
        guard let letter = wire.last, let unit = BillingUnit(rawValue: String(letter)) else { return nil }
        let digits = wire.dropLast()
        guard digits.utf8.count <= 3, digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
            digits.utf8.first != UInt8(ascii: "0"), let count = Int(digits)
        else { return nil }
        self.init(count: count, unit: unit)
    }

    var wire: String { "\(count)\(unit.rawValue)" }
}

/// The unit of a billing interval; the raw value is its letter on the wire.
public enum BillingUnit: String, Sendable, Hashable, CaseIterable {
    case days = "d"
    case weeks = "w"
    case months = "m"
    case years = "y"
}

/// The distance between two charges, in days or months.
public enum BillingStep: Sendable, Hashable {
    case days(Int)
    case months(Int)
    /// Only one charge.
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
        case .every(let interval), .afterPayment(let interval):
            switch interval.unit {
            case .days: .days(interval.count)
            case .weeks: .days(interval.count * 7)
            case .months: .months(interval.count)
            case .years: .months(interval.count * 12)
            }
        }
    }
}

/// The number of charges per year as an exact fraction.
public struct AnnualFactor: Sendable, Hashable {
    public let numerator: Int64
    /// 1…999.
    public let denominator: Int64

    init(_ numerator: Int64, over denominator: Int64 = 1) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The same over a numerator of 1, for what was added up over as many charges as the numerator says.
    public var single: AnnualFactor { AnnualFactor(1, over: denominator) }
}

extension BillingCycle {
    /// Daily 365, weekly 52, biweekly 26, monthly 12, quarterly 4, semi-annual 2, yearly 1, lifetime 0; `every:N` is
    /// the number of units per year (365, 52, 12, 1) divided by N.
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
        case .every(let interval), .afterPayment(let interval):
            AnnualFactor(interval.unit.countAYear, over: Int64(interval.count))
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
