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

/// A state and its first day.
public struct DatedState: Sendable, Hashable {
    public var from: CalendarDay
    public var state: SubscriptionState

    public init(from: CalendarDay, state: SubscriptionState) {
        self.from = from
        self.state = state
    }
}

/// A price and its first day, in minor units of the subscription's currency.
public struct DatedPrice: Sendable, Hashable {
    public var from: CalendarDay
    public var minorUnits: Int64

    public init(from: CalendarDay, minorUnits: Int64) {
        self.from = from
        self.minorUnits = minorUnits
    }
}

/// A free period at the beginning.
public struct Trial: Sendable, Hashable {
    /// The last day. Billing days before it are not charged; a billing day on it is, if the trial converts.
    public var endsOn: CalendarDay
    /// Whether the subscription continues at its price after the trial; otherwise it ends.
    public var converts: Bool

    public init(endsOn: CalendarDay, converts: Bool = true) {
        self.endsOn = endsOn
        self.converts = converts
    }
}
