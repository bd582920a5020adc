/// The events that count once per user, at the moment when each first happened.
///
/// The order is that of the flags in a stored user.
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
}
