import SubGuardDomain

/// The values counted by day, hour and moment, in the order of the columns in every statement.
enum Figure: Int, CaseIterable {
    // By time of signup: all users, and those with each mark.
    case users
    case downloads
    case firstSubscriptions
    case fiveSubscriptions
    case retentionD1
    case retentionD7
    case retentionD30
    /// Users by their first conversion.
    case conversions
    /// Subscriptions added minus removed.
    case subscriptions
    /// Users by their earliest event.
    case firstSeen
    /// Users by their latest event.
    case lastSeen
    /// Ends of absences minus their beginnings; see ``Absence``.
    case returns7d
    case returns30d

    var column: String {
        switch self {
        case .users: "users"
        case .downloads: "downloads"
        case .firstSubscriptions: "first_subscriptions"
        case .fiveSubscriptions: "five_subscriptions"
        case .retentionD1: "retention_d1"
        case .retentionD7: "retention_d7"
        case .retentionD30: "retention_d30"
        case .conversions: "conversions"
        case .subscriptions: "subscriptions"
        case .firstSeen: "first_seen"
        case .lastSeen: "last_seen"
        case .returns7d: "returns_7d"
        case .returns30d: "returns_30d"
        }
    }

    /// The figure that counts users with this mark by signup; nil for the mark counted by its own time.
    init?(markedBy milestone: Milestone) {
        switch milestone {
        case .appDownloaded: self = .downloads
        case .firstSubscriptionAdded: self = .firstSubscriptions
        case .fiveSubscriptionsReached: self = .fiveSubscriptions
        case .retentionD1: self = .retentionD1
        case .retentionD7: self = .retentionD7
        case .retentionD30: self = .retentionD30
        case .premiumConversion: return nil
        }
    }
}

/// How long figures are kept by hour and moment.
///
/// The longest window begins 30 × 24 h ago. Ten more days allow for a clock that is set back and for late batches.
enum FigureRetention {
    static let days = 40

    /// Times before it are counted by day only.
    static func horizon(at now: UTCInstant) -> UTCInstant { now.adding(days: -days) }
}
