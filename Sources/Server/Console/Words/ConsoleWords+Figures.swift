import SubGuardDomain
import Telemetry

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

    /// The name of a platform of ``EventSelection/platforms``.
    func platform(_ name: String) -> String {
        switch name {
        case "other": self["Other"]
        case EventSelection.noPlatform: self["Not given"]
        default: name
        }
    }
}

/// What the figures count.
extension ConsoleWords {
    func definition(_ figure: Dashboard.Name) -> String { translated(figure.definition) }

    func definition(_ figure: SeriesFigure) -> String { translated(figure.definition) }

    func definition(_ funnel: Funnel) -> String {
        let whole: Sentence =
            "Users, each once, whose signup lies on these days and who have reached the stage at "
            + "any time. The signup is the time of the download event, or of the earliest event "
            + "without one. Stages are independent, so a stage may exceed the one before."
        if funnel.window == nil, funnel.dimension == nil { return self[whole] }
        guard language != .english else { return funnel.definition }
        var sentences = [self[whole]]
        if let window = funnel.window {
            sentences = [
                text(
                    "Users whose signup lies on these days and who reached the stage at most %1 days after it.",
                    number(Int64(window.days))),
                text(
                    "Users of today and of the %1 days before may still reach a stage in time.",
                    number(Int64(window.days))),
            ]
        }
        switch funnel.dimension {
        case .platform: sentences.append(self["The platform is that of the earliest event."])
        case .appVersion: sentences.append(self["The app version is that of the earliest event."])
        case nil: break
        }
        return sentences.joined(separator: " ")
    }
}
