/// How certain it is that charges are those of a subscription; the raw value is the wire form.
public enum StatementConfidence: String, Sendable, Hashable, CaseIterable, Comparable {
    case sure
    case likely
    case unsure

    /// The surest is the greatest.
    public static func < (left: StatementConfidence, right: StatementConfidence) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .sure: 2
        case .likely: 1
        case .unsure: 0
        }
    }
}

/// One charge that was found in a statement.
public struct StatementCharge: Sendable, Hashable {
    public var on: CalendarDay
    /// Positive.
    public var amount: Money
    /// Whether the whole amount came back within 60 days.
    public var isRefunded: Bool

    public init(on day: CalendarDay, amount: Money, isRefunded: Bool = false) {
        on = day
        self.amount = amount
        self.isRefunded = isRefunded
    }
}

/// A subscription that was found in statements and is not stored yet.
public struct StatementProposal: Sendable, Hashable, Identifiable {
    /// Eight hexadecimal digits; the same when the same charges are read again.
    public var id: String
    /// The name of the service in the catalogue, or else the payee's.
    public var name: String
    public var payee: PayeeName
    public var item: CatalogueItem?
    public var cycle: BillingCycle
    /// Leads to all charges, apart from some days of delay.
    public var schedule: BillingSchedule
    /// What is charged now.
    public var amount: Money
    /// The price at first, and every change of it; by day.
    public var prices: [DatedPrice]
    public var isVariable: Bool
    public var confidence: StatementConfidence
    /// By day.
    public var charges: [StatementCharge]
    /// The first day on which a charge was due and none came, when the statement reaches far enough beyond it.
    public var endedOn: CalendarDay?
    /// Why it is proposed, and why it is no surer.
    public var why: [Sentence]
}
