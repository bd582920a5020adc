/// What the user did about a billing day. The raw value is how stores keep it.
public enum OccurrenceFate: Int, Sendable, Hashable, CaseIterable {
    /// Nothing yet.
    case open = 0
    /// Acknowledged on its day or before.
    case acknowledged = 1
    /// Acknowledged after its day.
    case late = 2
    /// Not charged after all; counts for nothing.
    case skipped = 3

    /// The fate after an acknowledgment on `today`. Acknowledging twice changes nothing, and nothing that was in time
    /// becomes late.
    public func acknowledged(billingOn: CalendarDay, today: CalendarDay) -> OccurrenceFate {
        switch self {
        case .acknowledged, .late: self
        case .open, .skipped: today <= billingOn ? .acknowledged : .late
        }
    }

    /// What is shown of it on a day.
    public func status(billingOn: CalendarDay, today: CalendarDay) -> OccurrenceStatus {
        switch self {
        case .acknowledged: .acknowledged
        case .late: .late
        case .skipped: .skipped
        case .open:
            if billingOn < today {
                .missed
            } else if billingOn <= today.adding(days: OccurrenceStatus.pendingDays) {
                .pending
            } else {
                .expected
            }
        }
    }
}

/// How a billing day stands; the raw value is its word on the wire.
public enum OccurrenceStatus: String, Sendable, Hashable, CaseIterable {
    /// Further ahead than the pending ones.
    case expected
    /// From today through today + 7 days.
    case pending
    case acknowledged
    case late
    /// Passed without acknowledgment.
    case missed
    case skipped

    /// How many days after today are pending.
    public static let pendingDays = 7

    public func displayName(_ language: DisplayLanguage) -> String {
        switch (self, language) {
        case (_, .english): rawValue
        case (.expected, .french): "prévu"
        case (.pending, .french): "à acquitter"
        case (.acknowledged, .french): "acquitté"
        case (.late, .french): "acquitté en retard"
        case (.missed, .french): "manqué"
        case (.skipped, .french): "sauté"
        }
    }
}
