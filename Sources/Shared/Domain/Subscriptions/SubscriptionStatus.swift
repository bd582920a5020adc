/// The status of a subscription on a day.
public enum SubscriptionStatus: String, Sendable, Hashable, CaseIterable {
    /// Charged on its billing days.
    case active
    /// Not charged until the trial ends.
    case trial
    /// Not charged until it is resumed.
    case paused
    /// Not charged from the day of the cancellation on.
    case cancelled
    /// The fixed term is over, or the trial ended without converting.
    case ended

    /// Whether billing days with this status are charged.
    public var isCharged: Bool { self == .active || self == .trial }

    /// Whether nothing more is charged, unless it is resumed.
    package var isOver: Bool { self == .cancelled || self == .ended }
}

/// A state set by the user.
public enum SubscriptionState: Int, Sendable, Hashable, CaseIterable {
    /// Charged; also the state before the first dated one.
    case active = 0
    /// Not charged for a time.
    case paused = 1
    /// Not charged any more, unless it is resumed.
    case cancelled = 2

    /// `active`, `paused` or `cancelled`; the raw value is what is stored.
    public var wire: String {
        switch self {
        case .active: "active"
        case .paused: "paused"
        case .cancelled: "cancelled"
        }
    }
}

/// What holds from its day until the next one.
protocol Dated {
    var from: CalendarDay { get }
}

extension Array where Element: Dated {
    /// The place of the first element that begins after a day, or the end. The elements are in the order of their days.
    func firstIndex(after day: CalendarDay) -> Int { partitionIndex { $0.from > day } }
}

/// A state and its first day.
public struct DatedState: Sendable, Hashable, Dated {
    /// The first day of the state.
    public var from: CalendarDay
    /// What holds from that day until the next dated state.
    public var state: SubscriptionState
    /// Whether a cancellation overrules it, or it was a cancellation whose date was corrected. Kept, because the date
    /// may be corrected again, and because a deleted row would return from another device at the next merge.
    public var isOverruled: Bool

    /// Takes the fields as they are.
    public init(from: CalendarDay, state: SubscriptionState, isOverruled: Bool = false) {
        self.from = from
        self.state = state
        self.isOverruled = isOverruled
    }
}

/// A price and its first day. Keeps its currency when the subscription changes to another one later.
public struct DatedPrice: Sendable, Hashable, Dated {
    /// The first day of the price.
    public var from: CalendarDay
    /// The price of a charge from that day until the next dated price.
    public var amount: Money

    /// The amount in cents, or whole units of a currency without decimals.
    public var minorUnits: Int64 { amount.minorUnits }

    /// Takes the fields as they are.
    public init(from: CalendarDay, amount: Money) {
        self.from = from
        self.amount = amount
    }
}

/// What the user recorded about a coming charge.
public enum ChargeDecision: Sendable, Hashable {
    /// It will not happen.
    case skipped
    /// It is paid already.
    case paid(Money)
}

/// A free period at the beginning.
public struct Trial: Sendable, Hashable {
    /// The first day; nil when it is not known. Billing days before it are charged.
    public var startsOn: CalendarDay?
    /// The last day. Billing days before it are not charged; a billing day on it is, if the trial converts.
    public var endsOn: CalendarDay
    /// Whether the subscription continues at its price after the trial; otherwise it ends.
    public var converts: Bool

    /// Takes the fields as they are; ``Subscription/validated()`` refuses a first day after the last.
    public init(endsOn: CalendarDay, converts: Bool = true, startsOn: CalendarDay? = nil) {
        self.startsOn = startsOn
        self.endsOn = endsOn
        self.converts = converts
    }

    /// Whether the day is in the trial; its last day is.
    public func contains(_ day: CalendarDay) -> Bool { day <= endsOn && startsOn.map { day >= $0 } ?? true }
}
