import SQLDatabase
import ServerAccess
import SubGuardDomain
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
