/// How often a subscription is charged.
public enum BillingCycle: Sendable, Hashable {
    /// Every day; counted as 365 charges per year.
    case daily
    /// Every 7 days; counted as 52 charges per year.
    case weekly
    /// Every 14 days; counted as 26 charges per year.
    case biweekly
    /// Every month; counted as 12 charges per year.
    case monthly
    /// Every 3 months; counted as 4 charges per year.
    case quarterly
    /// Every 6 months; counted as 2 charges per year. `semi_annual` on the wire.
    case semiAnnual
    /// Every 12 months; counted as one charge per year.
    case yearly
    /// Charged once and never again.
    case lifetime
    /// Every 1 to 999 days, weeks, months or years; `every:18m` on the wire.
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

    /// Whether the day of each payment moves the charges after it; true for ``afterPayment(_:)`` only.
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

    /// The text that ``init(wire:)`` reads, such as `semi_annual`, `every:18m` or `every:28d after payment`.
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
    /// The wire form, such as `monthly` or `every:18m`.
    public var description: String { wire }
}

/// A number of days, weeks, months or years between two charges.
public struct BillingInterval: Sendable, Hashable {
    /// 1…999.
    public let count: Int
    /// What ``count`` counts: days, weeks, months or years.
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
    /// Calendar days.
    case days = "d"
    /// Weeks of 7 days.
    case weeks = "w"
    /// Calendar months; a charge on the 31st is on the last day of shorter months.
    case months = "m"
    /// Calendar years, which are 12 months.
    case years = "y"
}

/// The distance between two charges, in days or months.
public enum BillingStep: Sendable, Hashable {
    /// A number of days, at least 1; 7 for each week.
    case days(Int)
    /// A number of calendar months, at least 1; 12 for each year.
    case months(Int)
    /// Only one charge.
    case once
}

extension BillingCycle {
    /// The distance between two charges: weeks in days, years in months, ``BillingStep/once`` for a lifetime purchase.
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
    /// Charges per year before the division by ``denominator``; 0 for a lifetime purchase, at most 365.
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
