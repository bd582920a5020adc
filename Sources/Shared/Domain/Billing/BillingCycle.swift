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

    /// The cycles that bear a name, shortest first.
    public static let named: [BillingCycle] = [
        .daily, .weekly, .biweekly, .monthly, .quarterly, .semiAnnual, .yearly, .lifetime,
    ]

    /// Nil when the count is not within 1…999. Equal lengths stay distinct: every twelve months is not `yearly`.
    public static func every(count: Int, unit: BillingUnit) -> BillingCycle? {
        BillingInterval(count: count, unit: unit).map { .every($0) }
    }

    /// Reads the form of the wire: `monthly`, `semi_annual`, `every:10d`, `every:2w`, `every:18m`, `every:2y`.
    public init?(wire: String) {
        if let cycle = Self.named.first(where: { $0.wire == wire }) {
            self = cycle
            return
        }
        guard wire.hasPrefix(Self.intervalPrefix),
            let interval = BillingInterval(wire: wire.dropFirst(Self.intervalPrefix.count))
        else { return nil }
        self = .every(interval)
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
        }
    }

    private static let intervalPrefix = "every:"
}

extension BillingCycle: CustomStringConvertible {
    public var description: String { wire }
}
