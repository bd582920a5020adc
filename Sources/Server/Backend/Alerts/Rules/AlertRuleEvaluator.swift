import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Measures the figures of all rules and puts a message in the outbox for each one that crosses its value.
///
/// Several servers may evaluate at once, and each may be killed at any moment: state and messages change in one
/// transaction, which reads the state again.
package struct AlertRuleEvaluator: Sendable {
    private let alerts: AlertStore
    private let insights: InsightStore
    /// Percent of the storage in use; nil without a limit.
    private let storagePercent: @Sendable () -> Int64?

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
                session: session, now: standing.computedAt, storagePercent: storagePercent())
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

/// Reads the figures of rules at a moment.
private struct AlertMeasurement {
    let session: any SQLSession
    let now: UTCInstant
    let storagePercent: Int64?

    func measure(_ draft: AlertRuleDraft) throws -> AlertMeasure {
        switch draft.figure {
        case .users: try count(draft) { try counts(.users, $0, $1) }
        case .downloads: try count(draft) { try counts(.downloads, $0, $1) }
        case .conversions: try count(draft) { try counts(.conversions, $0, $1) }
        case .activeUsers: try count(draft) { try activeUsers($0, $1, days: draft.window?.hours == 720 ? 30 : 7) }
        case .events: try count(draft) { try events($0, $1) }
        case .failedDeliveries: AlertMeasure(part: try failures(since: start(of: draft)), whole: 1, sample: nil)
        case .crashFreeSessions: try crashFreeRate(hours: draft.window?.hours ?? 1)
        case .storagePercent: AlertMeasure(part: storagePercent ?? 0, whole: storagePercent == nil ? 0 : 1, sample: nil)
        }
    }

    private func start(of draft: AlertRuleDraft) -> UTCInstant { now.adding(seconds: -(draft.window?.seconds ?? 0)) }

    /// A figure that counts, or its change in percent. `value` counts after the first instant, up to the second one.
    private func count(
        _ draft: AlertRuleDraft, _ value: (UTCInstant, UTCInstant) throws -> Int64
    ) throws -> AlertMeasure {
        let start = start(of: draft)
        let present = try value(start, now)
        guard draft.comparison.isChange else {
            return AlertMeasure(part: present, whole: 1, sample: try UserTotals.load(in: session).users)
        }
        let before = try value(start.adding(seconds: -(draft.window?.seconds ?? 0)), start)
        let change = draft.comparison == .fallsBy ? before - present : present - before
        return AlertMeasure(part: change * 100, whole: before, sample: before)
    }

    private func counts(_ figure: Figure, _ start: UTCInstant, _ end: UTCInstant) throws -> Int64 {
        let reader = FigureReader(session: session)
        return try reader.tail(after: start)[figure] - reader.tail(after: end)[figure]
    }

    /// As on the dashboard.
    private func activeUsers(_ start: UTCInstant, _ end: UTCInstant, days: Int) throws -> Int64 {
        let reader = FigureReader(session: session)
        let after = try reader.tail(after: end)
        return try reader.tail(after: start)[.lastSeen] - after[.firstSeen]
            - after[days == 30 ? .returns30d : .returns7d]
    }

    private func events(_ start: UTCInstant, _ end: UTCInstant) throws -> Int64 {
        try session.first(
            "SELECT coalesce(sum(event_count), 0) FROM event_blocks WHERE received_at > ? AND received_at <= ?",
            [.instant(start), .instant(end)]
        ) { try $0.integer(0) } ?? 0
    }

    private func failures(since start: UTCInstant) throws -> Int64 {
        try session.first(
            """
            SELECT count(*) FROM alert_deliveries
            WHERE state = 'dead' AND last_attempt_at > ? AND withdrawn_at IS NULL
            """, [.instant(start)]
        ) { try $0.integer(0) } ?? 0
    }

    private func crashFreeRate(hours: Int64) throws -> AlertMeasure {
        let end = CrashFreeRate.hourNumber(of: now)
        let sums = try CrashFreeRate.sums(from: end - hours + 1, through: end, session)
        return AlertMeasure(part: (sums.sessions - sums.crashed) * 100, whole: sums.sessions, sample: sums.sessions)
    }
}
