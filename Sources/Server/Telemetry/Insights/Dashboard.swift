import SubGuardDomain

/// The five figures at one moment. Every window is half open: after its beginning, up to and including its end, so that
/// adjacent windows share no event.
package struct Dashboard: Sendable, Hashable {
    package var standing: FigureStanding
    /// `value`: users with at least one accepted event. The weeks: users whose signup lies in them.
    package let totalUsers: DashboardFigure
    /// `value`: users with any event in the last 30 × 24 h. Weeks: users with any event in the week. An event dated in
    /// the future by a fast clock counts once that time has come.
    package let activeUsers30d: DashboardFigure
    /// `value`: subscriptions added minus removed, all-time. Weeks: added minus removed in the week; may be negative.
    package let subscriptionsTracked: DashboardFigure
    /// `value`: users who ever converted. Weeks: users whose first conversion is in the week.
    package let premiumConversions: DashboardFigure
    /// `value`: the percentage of sessions without a crash in the last 30 × 24 h. Weeks: the same rate in the week. All
    /// nil without sessions.
    package let crashFreeSessions: DashboardFigure

    /// The figures. The raw value is its name on the wire.
    package enum Name: String, Sendable, CaseIterable {
        case totalUsers = "total_users"
        case activeUsers30d = "active_users_30d"
        case subscriptionsTracked = "subscriptions_tracked"
        case premiumConversions = "premium_conversions"
        case crashFreeSessions = "crash_free_sessions"

        /// What the figure counts, for people who read it.
        package var definition: String {
            switch self {
            case .totalUsers:
                "Distinct users with at least one accepted event; weeks: users whose signup lies in the window."
            case .activeUsers30d:
                """
                Distinct users with any event in the last 30 x 24 h; weeks: distinct users with any event in the window.
                """
            case .subscriptionsTracked:
                "Subscriptions added less removed, ever; weeks: added less removed in the window."
            case .premiumConversions:
                "Users who converted, each counted once; weeks: users whose first conversion lies in the window."
            case .crashFreeSessions:
                "Percentage of sessions without a crash, of all that started in the last 720 hours, including the "
                    + "current hour; weeks: the same in 168 whole hours."
            }
        }
    }

    package subscript(name: Name) -> DashboardFigure {
        switch name {
        case .totalUsers: totalUsers
        case .activeUsers30d: activeUsers30d
        case .subscriptionsTracked: subscriptionsTracked
        case .premiumConversions: premiumConversions
        case .crashFreeSessions: crashFreeSessions
        }
    }

    /// What `this_week`, `last_week` and `trend_percent` mean for all of them.
    package static let definition =
        "this_week is the last 7 x 24 h and last_week the 7 x 24 h before; trend_percent is the change of "
        + "this_week over last_week with one decimal, null where last_week is not above zero."
}

/// One figure of the dashboard and its change from week to week.
package struct DashboardFigure: Sendable, Hashable {
    /// Nil if undefined, such as a rate over no sessions.
    package let value: FigureNumber?
    /// The value of the last 7 × 24 h.
    package let thisWeek: FigureNumber?
    /// The value of the 7 × 24 h before.
    package let lastWeek: FigureNumber?
    /// The change of this week over last week in percent; nil if last week was zero, negative or undefined.
    package let trendPercent: FigureNumber?

    /// A figure of counts.
    static func counts(value: Int64, thisWeek: Int64, lastWeek: Int64) -> DashboardFigure {
        DashboardFigure(
            value: .count(value), thisWeek: .count(thisWeek), lastWeek: .count(lastWeek),
            trendPercent: .percent(thisWeek - lastWeek, of: lastWeek))
    }

    static let unknown = DashboardFigure(value: nil, thisWeek: nil, lastWeek: nil, trendPercent: nil)
}
