import SQLDatabase
package import SubGuardDomain

/// What a rule would have done in the past, evaluated once a day or once an hour.
package struct AlertRulePreview: Sendable {
    package enum Step: String, Sendable {
        /// At the end of each day (UTC), for windows of whole days.
        case day
        /// At the end of each hour, for shorter windows.
        case hour

        /// The number of past moments.
        package var count: Int {
            switch self {
            case .day: 90
            case .hour: 168
            }
        }
    }

    package struct Point: Sendable, Hashable {
        package let at: UTCInstant
        /// Nil for a percentage of nothing.
        package let value: AlertValue?
        package let sample: Int64?
        package let state: AlertRule.State
    }

    package let standing: FigureStanding
    package let step: Step
    /// Oldest first; the last one is now. Only the last one for a figure whose past is not stored.
    package let points: [Point]
    /// Whether the past of the figure is stored.
    package let hasPast: Bool

    /// The messages that the rule would have sent: it fires, or it has recovered.
    package var crossings: [Point] {
        var announced = AlertRule.State.ok
        return points.filter { point in
            guard point.state != .pending, point.state != announced else { return false }
            announced = point.state
            return true
        }
    }
}

extension AlertFigure {
    /// Whether its value at past moments can be read from what is stored.
    package var hasPast: Bool {
        switch self {
        case .users, .activeUsers, .downloads, .conversions, .crashFreeSessions, .failedDeliveries: true
        // Blocks of events are joined after hours; the storage and the sink are only known now.
        case .events, .storagePercent, .eventSinkLag: false
        }
    }
}

extension AlertRuleEvaluator {
    /// Evaluates a definition at past moments, with the measurement and the states of ``run()``. Muting is ignored.
    /// Moments before the first stored day are left out.
    package func preview(_ draft: AlertRuleDraft) throws -> AlertRulePreview {
        try insights.read { session, standing in
            let now = standing.computedAt
            let step: AlertRulePreview.Step = (draft.window?.hours ?? 1) % 24 == 0 ? .day : .hour
            let past = AlertPast(users: try UserTotals.load(in: session).users)
            var state = AlertRule.State.pending
            var points: [AlertRulePreview.Point] = []
            func add(_ measurement: AlertMeasurement) throws {
                let measure = try measurement.measure(draft)
                state = draft.state(after: state, measure)
                points.append(
                    AlertRulePreview.Point(
                        at: measurement.now, value: measure.value, sample: measure.sample, state: state))
            }
            for moment in try Self.moments(step, standing, of: draft.figure, in: session) {
                try add(
                    AlertMeasurement(
                        session: session, calendar: standing.calendar, now: moment, storagePercent: nil, past: past))
            }
            try add(
                AlertMeasurement(
                    session: session, calendar: standing.calendar, now: now, storagePercent: storagePercent()))
            return AlertRulePreview(
                standing: standing, step: step, points: points, hasPast: draft.figure.hasPast)
        }
    }

    /// The last milliseconds of days or hours, oldest first.
    private static func moments(
        _ step: AlertRulePreview.Step, _ standing: FigureStanding, of figure: AlertFigure, in session: any SQLSession
    ) throws -> [UTCInstant] {
        guard figure.hasPast, let first = try firstMoment(of: figure, standing.calendar, in: session) else { return [] }
        let (now, calendar) = (standing.computedAt, standing.calendar)
        let ends: [UTCInstant] =
            switch step {
            case .day:
                (0..<step.count).map { calendar.start(of: calendar.number(of: now) - Int64($0)) }
            case .hour:
                (0..<step.count).map {
                    UTCInstant(secondsSinceEpoch: (CrashFreeRate.hourNumber(of: now) - Int64($0)) * 3600)
                }
            }
        return ends.reversed().map { $0.adding(milliseconds: -1) }.filter { $0 >= first }
    }

    /// The start of the first stored day of a figure; nil without one.
    private static func firstMoment(
        of figure: AlertFigure, _ calendar: ReportCalendar, in session: any SQLSession
    ) throws -> UTCInstant? {
        let sql =
            switch figure {
            case .crashFreeSessions:
                """
                SELECT min(day_number) FROM (
                    SELECT min(hour_number) / 24 AS day_number FROM session_hours
                    UNION ALL SELECT min(day_number) FROM session_days) AS days
                """
            case .failedDeliveries: "SELECT min(created_at) / 86400000 FROM alert_deliveries"
            case .users, .activeUsers, .downloads, .conversions, .events, .storagePercent, .eventSinkLag:
                "SELECT min(day_number) FROM figure_days"
            }
        let day = try session.integer(sql)
        return day.map(calendar.start)
    }
}
