import Backend
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Routes of alert rules.
struct AlertRuleRoutes: Sendable {
    let gate: AdminGate
    let store: AlertStore
    let evaluator: AlertRuleEvaluator
    let logger: Logger

    /// 100 rules with names of 120 characters, each written as an escape of 12 bytes, are about 180 KB.
    private static let maximumListBytes = 256 << 10

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.alertRules) { request, _ in
                try document(try store.rules()).response(for: request)
            },
            gate.binding(.replaceAlertRules, maximumBodyBytes: Self.maximumListBytes) { request, actor in
                let change = try AlertRuleListChange(body: request, maximumBytes: Self.maximumListBytes)
                let revision = try EntityTag.matchedRevision(of: request) { try store.rules().revision }
                try store.replaceRules(with: change.rules.map(\.draft), ifRevision: revision, by: actor)
                evaluate()
                return document(try store.rules()).wholeResponse(for: request)
            },
            gate.binding(.createAlertRule) { request, actor in
                let created = try store.insertRule(try NewAlertRule(body: request).draft, by: actor)
                var response = document(evaluated(created)).plainResponse
                response.status = .created
                response.fields[.location] = "/api/v1/admin/alerts/rules/\(created.id.lowercased)"
                return response
            },
            gate.binding(.alertRule) { request, _ in
                try document(try find(request)).response(for: request)
            },
            gate.binding(.replaceAlertRule) { request, actor in
                let draft = try NewAlertRule(body: request).draft
                let rule = try store.replaceRule(
                    try request.parameters.uuid(), with: draft, ifRevision: try matchedRevision(request), by: actor)
                return document(evaluated(rule)).wholeResponse(for: request)
            },
            gate.binding(.deleteAlertRule) { request, actor in
                try store.deleteRule(
                    try request.parameters.uuid(), ifRevision: try matchedRevision(request), by: actor)
                return Response(status: .noContent)
            },
        ]
    }

    private func find(_ request: Request) throws -> AlertRule {
        guard let rule = try store.rule(try request.parameters.uuid()) else {
            throw HTTPFailure(.notFound, "There is no such rule.")
        }
        return rule
    }

    private func matchedRevision(_ request: Request) throws -> Int64? {
        try EntityTag.matchedRevision(of: request) { try find(request).revision }
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
    private func document(_ rule: AlertRule) -> RenderedDocument { rule.document(revision: rule.revision) }

    private func document(_ list: AlertRuleList) -> RenderedDocument {
        WholeList(items: list.rules).document(revision: list.revision)
    }
}
