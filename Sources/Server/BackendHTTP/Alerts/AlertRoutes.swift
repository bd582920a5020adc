package import EventLog
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import ServerAccess
package import ServerContract
import SubGuardContract
import SubGuardDomain
package import Telemetry

/// Routes of thresholds, channels and the delivery log, and of test and repeated messages.
package struct AlertRoutes: Sendable {
    let gate: AdminGate
    let dispatcher: AlertDispatcher
    /// Settled before thresholds are read or replaced, so that user counts include all stored events.
    package let log: EventLog

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.alerts) { request, _ in
                let page = try AlertPage(query: request)
                try log.settleForReaders()
                let overview = try store.overview(after: page.cursor, limit: page.limit)
                let next = overview.next.map { PageCursor(ids: [$0]).encoded(for: .alerts) }
                return try overview.document(revision: overview.list.revision, next: next, of: request)
                    .response(for: request)
            },
            gate.binding(.alertThresholds) { request, _ in
                try log.settleForReaders()
                return try Self.document(try store.thresholds()).response(for: request)
            },
            gate.binding(.replaceAlertThresholds, .document(Self.document), replaceThresholds),
            gate.binding(.testAlerts, Self.deliveries, test),
            gate.binding(.resendAlert, Self.deliveries, resend),
        ]
    }

    package func replaceThresholds(_ change: AlertThresholdChange, _ call: AdminCall) throws -> AlertThresholdList {
        try log.settleForReaders()
        let list = try store.replaceThresholds(
            with: change.thresholds, ifRevision: try call.revision { try store.thresholds().revision }, by: call.actor)
        dispatcher.wake()
        return list
    }

    /// Sends a test message through a channel, or through all that are configured.
    package func test(_ test: AlertTest, _ call: AdminCall) throws -> [AlertDelivery] {
        queued(try store.sendTest(through: test.channel, by: call.actor))
    }

    package func resend(_ call: AdminCall) throws -> [AlertDelivery] {
        queued([try store.resend(try call.id(), by: call.actor)])
    }

    private var store: AlertStore { dispatcher.store }

    private func queued(_ deliveries: [AlertDelivery]) -> [AlertDelivery] {
        dispatcher.wake()
        return deliveries
    }

    private static let deliveries = AnswerForm<[AlertDelivery]>.object(.accepted) { AlertDeliveries(deliveries: $0) }

    /// The tag covers revision and content, because a fired threshold changes only the content.
    private static func document(_ list: AlertThresholdList) -> RenderedDocument {
        list.document(revision: list.revision)
    }
}

/// Routes of alert rules.
package struct AlertRuleRoutes: Sendable {
    let gate: AdminGate
    package let store: AlertStore
    package let evaluator: AlertRuleEvaluator
    let logger: Logger

    /// 100 rules with names of 120 characters, each written as an escape of 12 bytes, are about 180 KB.
    private static let maximumListBytes = 256 << 10

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.alertRules) { request, _ in
                try Self.document(try store.rules()).response(for: request)
            },
            gate.binding(
                .replaceAlertRules, maximumBodyBytes: Self.maximumListBytes, .document(Self.document), replaceAll),
            gate.binding(
                .createAlertRule, Self.rule.created { "/api/v1/admin/alerts/rules/\($0.id.lowercased)" }, create),
            gate.binding(.alertRule) { request, _ in
                try Self.document(try find(try request.parameters.uuid())).response(for: request)
            },
            gate.binding(.replaceAlertRule, Self.rule, replace),
            gate.binding(.deleteAlertRule, .empty, delete),
        ]
    }

    private func replaceAll(_ change: AlertRuleListChange, _ call: AdminCall) throws -> AlertRuleList {
        let revision = try call.revision { try store.rules().revision }
        try store.replaceRules(with: change.rules.map(\.draft), ifRevision: revision, by: call.actor)
        evaluate()
        return try store.rules()
    }

    /// Adds a rule, and evaluates it.
    package func create(_ new: NewAlertRule, _ call: AdminCall) throws -> AlertRule {
        evaluated(try store.insertRule(new.draft, by: call.actor))
    }

    package func replace(_ new: NewAlertRule, _ call: AdminCall) throws -> AlertRule {
        evaluated(
            try store.replaceRule(
                try call.id(), with: new.draft, ifRevision: try revision(call), by: call.actor))
    }

    package func delete(_ call: AdminCall) throws {
        try store.deleteRule(try call.id(), ifRevision: try revision(call), by: call.actor)
    }

    private func find(_ id: UUID) throws -> AlertRule {
        guard let rule = try store.rule(id) else { throw HTTPFailure(.notFound, "There is no such rule.") }
        return rule
    }

    private func revision(_ call: AdminCall) throws -> Int64? {
        try call.revision { try find(try call.id()).revision }
    }

    /// The change is stored, so a failed evaluation does not fail the request: the job evaluates again.
    private func evaluate() {
        do { try evaluator.run() } catch {
            logger.error("alert rules", metadata: ["error": "\(error)"])
        }
    }

    private func evaluated(_ rule: AlertRule) -> AlertRule {
        evaluate()
        return (try? store.rule(rule.id)) ?? rule
    }

    /// The tags cover revision and content, because a measurement changes only the content.
    private static func document(_ rule: AlertRule) -> RenderedDocument { rule.document(revision: rule.revision) }

    private static let rule = AnswerForm<AlertRule>.document(document)

    private static func document(_ list: AlertRuleList) -> RenderedDocument {
        WholeList(items: list.rules).document(revision: list.revision)
    }
}
