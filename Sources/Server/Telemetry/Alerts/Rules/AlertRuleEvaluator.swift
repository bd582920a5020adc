import SQLDatabase
import ServerAccess
package import SubGuardDomain
import SubGuardSQL

/// Measures the figures of all rules and puts a message in the outbox for each one that crosses its value.
///
/// Several servers may evaluate at once, and each may be killed at any moment: state and messages change in one
/// transaction, which reads the state again.
package struct AlertRuleEvaluator: Sendable {
    private let alerts: AlertStore
    let insights: InsightStore
    /// Percent of the storage in use; nil without a limit.
    let storagePercent: @Sendable () -> Int64?

    package init(
        alerts: AlertStore, insights: InsightStore, storagePercent: @escaping @Sendable () -> Int64? = { nil }
    ) {
        self.alerts = alerts
        self.insights = insights
        self.storagePercent = storagePercent
    }

    /// A measurement older than that of another server is not applied. Times further ahead are those of a wrong
    /// clock.
    private static let secondsOfOtherServers: Int64 = 600

    /// Evaluates all rules. Figures that are not complete are left for the next run. Returns what was announced.
    @discardableResult
    package func run() throws -> [AlertRuleNotice] {
        guard try alerts.hasRules() else { return [] }
        // Settles the log, so that the figures of quiet servers are complete.
        let measured: (at: UTCInstant, rules: [(rule: AlertRule, measure: AlertMeasure)]) = try insights.read {
            session, standing in
            let measurement = AlertMeasurement(
                session: session, calendar: standing.calendar, now: standing.computedAt,
                storagePercent: storagePercent())
            let rules = try AlertStore.rules(session).rules
                .filter { standing.isComplete || !$0.draft.figure.isFolded }
                .map { (rule: $0, measure: try measurement.measure($0.draft)) }
            return (standing.computedAt, rules)
        }
        guard !measured.rules.isEmpty else { return [] }
        return try alerts.context.store.write { transaction in
            try measured.rules.compactMap { rule, measure in
                try apply(measure, to: rule, at: measured.at, in: transaction)
            }
        }
    }

    /// Returns the message, if there is one.
    private func apply(
        _ measure: AlertMeasure, to measured: AlertRule, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws -> AlertRuleNotice? {
        // It may have been changed, deleted or evaluated since.
        guard let rule = try AlertStore.rule(measured.id, in: transaction), rule.draft == measured.draft else {
            return nil
        }
        if let last = rule.current.evaluatedAt, now < last, last < now.adding(seconds: Self.secondsOfOtherServers) {
            return nil
        }
        let state = rule.draft.state(after: rule.current.state, measure)
        let isAnnounced = state != .pending && state != rule.announced && !rule.draft.isMuted(at: now)
        let since = state == rule.current.state ? rule.current.since : now
        try transaction.execute(
            """
            UPDATE alert_rules SET state = ?, announced_state = ?, changed_at = ?, evaluated_at = ?,
                measured_thousandths = ?, measured_sample = ?
            WHERE id = ?
            """,
            [
                .text(state.rawValue), .text((isAnnounced ? state : rule.announced).rawValue),
                .instant(orNull: since), .instant(now), .integer(orNull: measure.value?.thousandths),
                .integer(orNull: measure.sample), .uuid(rule.id),
            ])
        guard isAnnounced else { return nil }
        let notice = AlertRuleNotice(rule, state, measured: measure.value, sample: measure.sample)
        try alerts.enqueue(.rule(notice), at: now, in: transaction)
        return notice
    }
}

/// What a rule would have done in the past, evaluated once a day or once an hour.
package struct AlertRulePreview: Sendable {
    package enum Step: String, Sendable {
        /// At the end of each day of the figures, for windows of whole days.
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
    /// Evaluates a definition at past moments, with the measurement and the states of ``run()``; only the windows
    /// of active users are whole days. Muting is ignored. Moments before the first stored day are left out.
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
        func first(_ column: String, _ table: String) throws -> Int64? {
            try session.integer("SELECT min(\(column)) FROM \(table)")
        }
        let day: Int64?
        switch figure {
        case .crashFreeSessions:
            let hour = try first("hour_number", "session_hours")
            let days = [hour.map { CrashFreeRate.day(ofHour: $0, calendar) }, try first("day_number", "session_days")]
            day = days.compactMap(\.self).min()
        case .failedDeliveries:
            day = try first("created_at", "alert_deliveries").map {
                calendar.number(of: UTCInstant(millisecondsSinceEpoch: $0))
            }
        case .users, .activeUsers, .downloads, .conversions, .events, .storagePercent, .eventSinkLag:
            day = try first("day_number", "figure_days")
        }
        return day.map(calendar.start)
    }
}
