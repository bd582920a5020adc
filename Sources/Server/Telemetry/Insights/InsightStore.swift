package import EventLog
import SQLDatabase
package import ServerAccess
package import SubGuardDomain

/// Reads the figures; docs/events.md defines them.
package struct InsightStore: Sendable {
    let context: BackendContext
    private let log: EventLog

    /// `log` defaults to a new one, which folds events appended by any other.
    package init(context: BackendContext, log: EventLog? = nil) {
        self.context = context
        self.log = log ?? EventLog(context: context)
    }

    /// The day of the figures that it is now.
    package func today() throws -> CalendarDay {
        try context.store.readOnStandby { try ReportCalendar.load(in: $0).day(of: context.now()) }
    }

    /// Reads from one snapshot. Waits up to two seconds for every event to be in it that was accepted before.
    func read<Result>(_ body: (any SQLSession, FigureStanding) throws -> Result) throws -> Result {
        let mark = try log.settleForReaders()
        let now = context.now()
        return try context.store.readOnStandby { try body($0, try FigureStanding(of: mark, now: now, in: $0)) }
    }

    /// All figures from one snapshot, so that they are consistent.
    package func dashboard() throws -> Dashboard {
        try read { session, standing in
            let now = standing.computedAt
            let totals = try UserTotals.load(in: session)
            let tails = try DashboardTails(endingAt: now, FigureReader(session: session, calendar: standing.calendar))
            func figure(_ value: Int64, _ figure: Figure) -> DashboardFigure {
                .counts(
                    value: value, thisWeek: tails.weekAgo[figure] - tails.now[figure],
                    lastWeek: tails.twoWeeksAgo[figure] - tails.weekAgo[figure])
            }
            return Dashboard(
                standing: standing,
                totalUsers: figure(totals.users - tails.now[.firstSeen], .users),
                activeUsers30d: tails.activeUsers,
                subscriptionsTracked: figure(totals.subscriptions - tails.now[.subscriptions], .subscriptions),
                premiumConversions: figure(totals.conversions - tails.now[.conversions], .conversions),
                crashFreeSessions: try CrashFreeRate.figure(endingAt: now, in: session))
        }
    }
}

/// The counts after each instant at which a window begins or ends.
private struct DashboardTails {
    let now: FigureCounts
    let weekAgo: FigureCounts
    let twoWeeksAgo: FigureCounts
    let thirtyDaysAgo: FigureCounts

    init(endingAt now: UTCInstant, _ reader: FigureReader) throws {
        self.now = try reader.tail(after: now)
        weekAgo = try reader.tail(after: now.adding(days: -7))
        twoWeeksAgo = try reader.tail(after: now.adding(days: -14))
        thirtyDaysAgo = try reader.tail(after: now.adding(days: -30))
    }

    /// Users active in a window are those last seen after its beginning, minus those first seen after its end, minus
    /// those absent at its end, who return later from an absence that had begun by then.
    var activeUsers: DashboardFigure {
        .counts(
            value: thirtyDaysAgo[.lastSeen] - now[.firstSeen] - now[.returns30d],
            thisWeek: weekAgo[.lastSeen] - now[.firstSeen] - now[.returns7d],
            lastWeek: twoWeeksAgo[.lastSeen] - weekAgo[.firstSeen] - weekAgo[.returns7d])
    }
}
