import Backend
import SubGuardDomain

extension ConsoleWords {
    /// The name of a figure of the dashboard.
    func name(_ figure: Dashboard.Name) -> String {
        switch figure {
        case .totalUsers: self["Users"]
        case .activeUsers30d: self["Active users, 30 days"]
        case .subscriptionsTracked: self["Subscriptions tracked"]
        case .premiumConversions: self["Premium conversions"]
        case .crashFreeSessions: self["Crash-free sessions"]
        }
    }

    func name(_ stage: Funnel.Stage.Name) -> String {
        switch stage {
        case .downloads: self["Downloads"]
        case .firstSubscription: self["First subscription"]
        case .fiveSubscriptions: self["Five subscriptions"]
        case .retentionD7: self["Back after 7 days"]
        case .retentionD30: self["Back after 30 days"]
        }
    }

    /// The name of a figure with values over time. A new figure of the backend has its name on the wire.
    func name(_ figure: SeriesFigure) -> String {
        let name = figure.rawValue
        if name.hasPrefix("active_"), let days = Int64(name.dropFirst(7).dropLast()) {
            return days == 1 ? self["Active users, 1 day"] : text("Active users, %1 days", number(days))
        }
        if name.hasPrefix("events.") { return text("Events %1", String(name.dropFirst(7))) }
        return Self.seriesNames[name].map { self[$0] } ?? name
    }

    private static let seriesNames: [String: Sentence] = [
        "users": "Sign-ups", "total_users": "Users in total", "downloads": "Downloads",
        "first_subscription": "First subscription",
        "five_subscriptions": "Five subscriptions", "conversions": "Premium conversions",
        "subscriptions_added": "Subscriptions added",
        "subscriptions_removed": "Subscriptions removed", "crash_free_sessions": "Crash-free sessions",
    ]
}
