/// Where a subscription stands on a day.
public enum SubscriptionStatus: String, Sendable, Hashable, CaseIterable {
    case active
    /// Not charged yet; converts to its price when the trial ends.
    case trial
    case paused
    case cancelled
    /// Its fixed term is over, or its trial ended without converting.
    case ended

    /// Whether billing days of such a day are charged, and its annual figure counts.
    public var isCharged: Bool { self == .active || self == .trial }

    public func displayName(_ language: DisplayLanguage) -> String {
        switch (self, language) {
        case (.active, .french): "actif"
        case (.trial, .french): "essai"
        case (.paused, .french): "en pause"
        case (.cancelled, .french): "résilié"
        case (.ended, .french): "terminé"
        case (_, .english): rawValue
        }
    }
}

/// What the user decided about a subscription, from a day on.
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

/// A state and the first day on which it holds.
public struct DatedState: Sendable, Hashable {
    public var from: CalendarDay
    public var state: SubscriptionState

    public init(from: CalendarDay, state: SubscriptionState) {
        self.from = from
        self.state = state
    }
}

/// A price and the first day on which it holds, in minor units of the subscription's currency.
public struct DatedPrice: Sendable, Hashable {
    public var from: CalendarDay
    public var minorUnits: Int64

    public init(from: CalendarDay, minorUnits: Int64) {
        self.from = from
        self.minorUnits = minorUnits
    }
}

/// A time at the beginning that costs nothing.
public struct Trial: Sendable, Hashable {
    /// Its last day. A billing day before it is not charged; one on it is, when the trial converts.
    public var endsOn: CalendarDay
    /// Whether the price is charged afterwards. Without it the subscription has ended then.
    public var converts: Bool

    public init(endsOn: CalendarDay, converts: Bool = true) {
        self.endsOn = endsOn
        self.converts = converts
    }
}
