/// The status of a subscription on a day.
public enum SubscriptionStatus: String, Sendable, Hashable, CaseIterable {
    case active
    /// Not charged until the trial ends.
    case trial
    case paused
    case cancelled
    /// The fixed term is over, or the trial ended without converting.
    case ended

    /// Whether billing days with this status are charged.
    public var isCharged: Bool { self == .active || self == .trial }
}

/// A state set by the user.
public enum SubscriptionState: Int, Sendable, Hashable, CaseIterable {
    case active = 0
    case paused = 1
    case cancelled = 2

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
    public var from: CalendarDay
    public var state: SubscriptionState
    /// Whether a cancellation overrules it, or it was a cancellation whose date was corrected. Kept, because the date
    /// may be corrected again, and because a deleted row would return from another device at the next merge.
    public var isOverruled: Bool

    public init(from: CalendarDay, state: SubscriptionState, isOverruled: Bool = false) {
        self.from = from
        self.state = state
        self.isOverruled = isOverruled
    }
}

/// A price and its first day. Keeps its currency when the subscription changes to another one later.
public struct DatedPrice: Sendable, Hashable, Dated {
    public var from: CalendarDay
    public var amount: Money

    public var minorUnits: Int64 { amount.minorUnits }

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

    public init(endsOn: CalendarDay, converts: Bool = true, startsOn: CalendarDay? = nil) {
        self.startsOn = startsOn
        self.endsOn = endsOn
        self.converts = converts
    }

    /// Whether the day is in the trial; its last day is.
    public func contains(_ day: CalendarDay) -> Bool { day <= endsOn && startsOn.map { day >= $0 } ?? true }
}
