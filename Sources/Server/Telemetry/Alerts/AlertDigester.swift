import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// Puts a digest in the outbox on Mondays, from 08:00 on in the zone of the figures. The last week sent is in the
/// database, so that restarts and several servers send one.
package struct AlertDigester: Sendable {
    private let alerts: AlertStore
    private let insights: InsightStore

    package init(alerts: AlertStore, insights: InsightStore) {
        self.alerts = alerts
        self.insights = insights
    }

    private static let secondsIntoMonday: Int64 = 8 * 3600

    /// Returns whether a digest was put in the outbox. The first one is due a Monday after the first call. While
    /// figures are not complete, it is left for the next call.
    @discardableResult
    package func runIfDue() throws -> Bool {
        let now = alerts.context.now()
        let calendar = try alerts.context.store.read { try ReportCalendar.load(in: $0) }
        let monday = calendar.day(of: now).startOfISOWeek
        guard let sent = try alerts.context.store.read(Self.sentWeek) else {
            try alerts.context.store.write { transaction in
                _ = try transaction.execute(
                    "UPDATE alert_digests SET sent_week_on = ? WHERE id = 1 AND sent_week_on IS NULL", [.day(monday)])
            }
            return false
        }
        // Eight hours after the week begins.
        guard sent < monday,
            calendar.start(of: Int64(monday.daysSinceEpoch)).adding(seconds: Self.secondsIntoMonday) <= now
        else {
            return false
        }
        let dashboard = try insights.dashboard()
        guard dashboard.standing.isComplete else { return false }
        return try alerts.context.store.write { transaction in
            let changed = try transaction.execute(
                "UPDATE alert_digests SET sent_week_on = ? WHERE id = 1 AND sent_week_on < ?",
                [.day(monday), .day(monday)])
            guard changed == 1 else { return false }
            let firing = try AlertStore.rules(transaction).rules.filter { $0.current.state == .firing }
            let digest = AlertDigest(weekOn: monday, dashboard, firing: firing.map(\.draft.name))
            try alerts.enqueue(.digest(digest), at: now, in: transaction)
            return true
        }
    }

    private static func sentWeek(_ session: any SQLSession) throws -> CalendarDay? {
        try session.first("SELECT sent_week_on FROM alert_digests WHERE id = 1") { try $0.optionalDay(0) } ?? nil
    }
}
