import SQLDatabase
import SubGuardDomain

/// Figures read from what the devices sent.
package struct InsightStore: Sendable {
    private let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// All figures from one snapshot of the store, so that they agree with each other.
    package func dashboard() throws -> Dashboard {
        let now = context.now()
        let windows = Windows(endingAt: now)
        return try context.store.read { session in
            Dashboard(
                computedAt: now,
                totalUsers: try totalUsers(windows, session),
                activeUsers30d: try activeUsers(windows, session),
                subscriptionsTracked: try subscriptionsTracked(windows, session),
                premiumConversions: try premiumConversions(windows, session),
                crashFreeSessions: .unknown)
        }
    }

    private func totalUsers(_ windows: Windows, _ session: any SQLSession) throws -> DashboardFigure {
        let inWindow = "SELECT count(*) FROM users WHERE signup_at > ? AND signup_at <= ?"
        return .counts(
            value: try count("SELECT count(*) FROM users", [], session),
            thisWeek: try count(inWindow, windows.thisWeek, session),
            lastWeek: try count(inWindow, windows.lastWeek, session))
    }

    private func activeUsers(_ windows: Windows, _ session: any SQLSession) throws -> DashboardFigure {
        let inWindow = "SELECT count(DISTINCT user_id) FROM events WHERE occurred_at > ? AND occurred_at <= ?"
        return .counts(
            value: try count(inWindow, windows.thirtyDays, session),
            thisWeek: try count(inWindow, windows.thisWeek, session),
            lastWeek: try count(inWindow, windows.lastWeek, session))
    }

    private func subscriptionsTracked(_ windows: Windows, _ session: any SQLSession) throws -> DashboardFigure {
        // Ever, from the daily totals: they outlive the raw events.
        let ever = """
            SELECT coalesce(sum(CASE n.name WHEN 'subscription_added' THEN d.event_count ELSE -d.event_count END), 0)
            FROM event_days d JOIN event_names n ON n.id = d.event_name_id
            WHERE n.name IN ('subscription_added', 'subscription_removed')
            """
        let inWindow = """
            SELECT coalesce(sum(CASE n.name WHEN 'subscription_added' THEN 1 ELSE -1 END), 0)
            FROM events e JOIN event_names n ON n.id = e.event_name_id
            WHERE n.name IN ('subscription_added', 'subscription_removed') AND e.occurred_at > ? AND e.occurred_at <= ?
            """
        return .counts(
            value: try count(ever, [], session),
            thisWeek: try count(inWindow, windows.thisWeek, session),
            lastWeek: try count(inWindow, windows.lastWeek, session))
    }

    private func premiumConversions(_ windows: Windows, _ session: any SQLSession) throws -> DashboardFigure {
        let ever = "SELECT count(*) FROM users WHERE premium_conversion_at IS NOT NULL"
        let inWindow = "SELECT count(*) FROM users WHERE premium_conversion_at > ? AND premium_conversion_at <= ?"
        return .counts(
            value: try count(ever, [], session),
            thisWeek: try count(inWindow, windows.thisWeek, session),
            lastWeek: try count(inWindow, windows.lastWeek, session))
    }

    private func count(_ sql: String, _ arguments: [SQLValue], _ session: any SQLSession) throws -> Int64 {
        try session.first(sql, arguments) { try $0.integer(0) } ?? 0
    }

    /// The windows that end at one moment, as two arguments each: the moment before, and the last moment of, the window.
    private struct Windows {
        let thisWeek: [SQLValue]
        let lastWeek: [SQLValue]
        let thirtyDays: [SQLValue]

        init(endingAt now: UTCInstant) {
            thisWeek = [.instant(now.adding(days: -7)), .instant(now)]
            lastWeek = [.instant(now.adding(days: -14)), .instant(now.adding(days: -7))]
            thirtyDays = [.instant(now.adding(days: -30)), .instant(now)]
        }
    }
}
