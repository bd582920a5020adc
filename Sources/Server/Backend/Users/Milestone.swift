<<<<<<< HEAD:Sources/Server/Backend/Users/Milestone.swift
/// The events that count once per user, at the moment when each first happened.
///
/// The order is that of the flags in a stored user.
=======
/// The events that count once per user. Each has a mark in the users table: the time of its first occurrence, or null.
///
/// The order is that of the marks' columns in every statement.
>>>>>>> 316bdf47db1e30ec6db31ea7af3f4ea9c29be499:Sources/Server/Backend/Analytics/Milestone.swift
enum Milestone: Int, CaseIterable {
    case appDownloaded
    case firstSubscriptionAdded
    case fiveSubscriptionsReached
    case retentionD1
    case retentionD7
    case retentionD30
    case premiumConversion

    /// Nil for an event that counts each time.
    init?(eventName: String) {
        switch eventName {
        case "app_downloaded": self = .appDownloaded
        case "first_subscription_added": self = .firstSubscriptionAdded
        case "five_subscriptions_reached": self = .fiveSubscriptionsReached
        case "retention_d1": self = .retentionD1
        case "retention_d7": self = .retentionD7
        case "retention_d30": self = .retentionD30
        case "premium_conversion": self = .premiumConversion
        default: return nil
        }
    }
<<<<<<< HEAD:Sources/Server/Backend/Users/Milestone.swift
=======

    /// Column of the users table.
    var column: String {
        switch self {
        case .appDownloaded: "app_downloaded_at"
        case .firstSubscriptionAdded: "first_subscription_added_at"
        case .fiveSubscriptionsReached: "five_subscriptions_reached_at"
        case .retentionD1: "retention_d1_at"
        case .retentionD7: "retention_d7_at"
        case .retentionD30: "retention_d30_at"
        case .premiumConversion: "premium_conversion_at"
        }
    }
>>>>>>> 316bdf47db1e30ec6db31ea7af3f4ea9c29be499:Sources/Server/Backend/Analytics/Milestone.swift
}
