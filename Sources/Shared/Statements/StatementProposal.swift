public import Foundation
public import SubGuardDomain

/// How certain it is that charges are those of a subscription; the raw value is the wire form.
public enum StatementConfidence: String, Sendable, Hashable, CaseIterable, Comparable {
    /// At least three charges in a regular rhythm, and nothing speaks against a subscription.
    case sure
    /// Regular, but with few charges or changing amounts, or ended since.
    case likely
    /// Perhaps chance: charged once or twice, or paid in a way that is unusual for subscriptions.
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
    /// What of a charge came back within 60 days.
    public struct Refund: Sendable, Hashable {
        /// Positive; at most the amount of the charge.
        public var amount: Money
        /// The day on which it came back, or the last part of it.
        public var on: CalendarDay
        /// How many entries of statements it is made of.
        public var entries: Int
    }

    /// The day of booking, which may be some days after the due day.
    public var on: CalendarDay
    /// Positive.
    public var amount: Money
    /// Nil when nothing came back.
    public var refund: Refund?

    /// Whether the whole amount came back.
    public var isRefunded: Bool { refund?.amount == amount }
    /// The amount without what came back of it.
    public var paid: Money {
        Money(minorUnits: amount.minorUnits - (refund?.amount.minorUnits ?? 0), currency: amount.currency)
    }
    /// How many entries of statements it stands for.
    package var entries: Int { 1 + (refund?.entries ?? 0) }

    /// Takes the fields as they are; nothing is checked.
    public init(on day: CalendarDay, amount: Money, refund: Refund? = nil) {
        on = day
        self.amount = amount
        self.refund = refund
    }
}

/// A charge of a payee that belongs to a subscription and is none of its regular charges.
public struct StatementSetAside: Sendable, Hashable {
    /// Why it is set aside; the raw value is the wire form.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Charged twice within days.
        case doubled
        /// Beside the regular charges.
        case extra
        /// A regular charge that came back whole.
        case refunded
    }

    /// The charge that is set aside.
    public var charge: StatementCharge
    /// Why it is not one of the regular charges.
    public var reason: Reason

    /// Takes the fields as they are; nothing is checked.
    public init(_ charge: StatementCharge, _ reason: Reason) {
        self.charge = charge
        self.reason = reason
    }
}

/// A subscription that was found in statements and is not stored yet.
public struct StatementProposal: Sendable, Hashable, Identifiable {
    /// Eight hexadecimal digits; the same when the same charges are read again.
    public var id: String
    /// The name of the service in the catalogue, or else the payee's.
    public var name: String
    /// Who is paid, as the statements have it.
    public var payee: PayeeName
    /// The service of the catalogue that the payee is; nil when the catalogue has none.
    public var item: CatalogueItem?
    /// How often it is charged.
    public var cycle: BillingCycle
    /// Leads to all charges, apart from some days of delay.
    public var schedule: BillingSchedule
    /// What is charged now.
    public var amount: Money
    /// The price at first, and every change of it; by day.
    public var prices: [DatedPrice]
    /// Whether the amounts vary beyond price changes; ``amount`` is then the median of the last twelve charges.
    public var isVariable: Bool
    /// How certain it is that this is a subscription.
    public var confidence: StatementConfidence
    /// By day.
    public var charges: [StatementCharge]
    /// Doubled and extra charges, which are not among ``charges``, and those of them that came back; by day.
    public var setAside: [StatementSetAside] = []
    /// What came back, but of doubled charges; by day.
    public var refunds: [StatementRefund] = []
    /// The first day on which a charge was due and none came, when the statement reaches far enough beyond it.
    public var endedOn: CalendarDay?
    /// Why it is proposed, and why it is no surer.
    public var why: [Sentence]

    /// What makes it the same subscription on every device that reads the statement: the payee, the currency, the first
    /// charge. No account.
    public var origin: String {
        let first = charges.first.map { "\($0.on.iso)\u{0}\($0.amount.minorUnits)" } ?? ""
        return "statement\u{0}\(payee.key)\u{0}\(amount.currency.code)\u{0}\(first)"
    }
}

extension StatementProposal {
    /// The day on which a charge was due, within the delay of its cycle; else the day of booking.
    public func due(_ charge: StatementCharge) -> CalendarDay {
        let tolerance = Int(BookingRhythm.tolerance(of: cycle).rounded(.up))
        guard let due = schedule.nearest(charge.on), abs(due.days(until: charge.on)) <= tolerance else {
            return charge.on
        }
        return due
    }

    /// The subscription that the proposal stands for, with its prices and its end. Billing days before today are not
    /// expected; the ledger has those of the statement.
    public func subscription(id: UUID, today: CalendarDay, now: UTCInstant) throws(Fault) -> Subscription {
        let first = charges.first.map { due($0) } ?? schedule.anchor
        var subscription = Subscription(
            id: id, name: Self.name(name), price: prices.first?.amount ?? amount, schedule: schedule,
            startedOn: min(first, today), createdAt: now)
        subscription.trackedFrom = max(subscription.startedOn, today)
        for price in prices.dropFirst() { subscription.placePrice(price.amount, from: priceDay(price.from)) }
        subscription.isVariable = isVariable
        if let item {
            subscription.scope = SubscriptionScope(catalogue: item.category)
            subscription.category = SubscriptionCategory(catalogue: item.category)
        }
        subscription.catalogueItemID = item?.id
        subscription.website = item?.website ?? ""
        subscription.contract.noticeDays = item?.noticeDays ?? 0
        if let endedOn { subscription.setState(.cancelled, from: endedOn) }
        return try subscription.validated()
    }

    /// A price holds from the day that was due, not from the day of booking.
    private func priceDay(_ booked: CalendarDay) -> CalendarDay {
        charges.first { $0.on == booked }.map { due($0) } ?? booked
    }

    /// What a bank writes need not be a valid name.
    private static func name(_ text: String) -> String {
        (try? FieldRules.name(String(text.prefix(80)), field: "name")) ?? "Subscription"
    }
}
