import BackendHTTP
import Console
import EventLog
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// The page of alerts with thresholds, tests and repeated messages. Changes are calls of the API.
extension ConsoleRoutes {
    private static let path = "/console/alerts"

    func alertBindings() -> [RouteBinding] {
        [
            gate.page(Self.path, of: [.alerts, .alertRules]) { try alertsPage($0) },
            gate.action(
                "\(Self.path)/test", of: .testAlerts, showing: [.alerts, .alertRules],
                form: FormShape(["idempotency_key"], optional: ["channel"])
            ) { visit in
                let form = try visit.form()
                let json = JSONObject(form["channel"].map { [("channel", .string($0))] } ?? [])
                return try send(.testAlerts, "tested", visit) { try features.alerts.test(AlertTest(json), $0) }
            },
            gate.action(
                "\(Self.path)/deliveries/{id:uuid}/resend", of: .resendAlert, showing: [.alerts, .alertRules],
                form: FormShape(["idempotency_key"])
            ) { visit in
                try send(.resendAlert, "resent", visit, features.alerts.resend)
            },
            gate.get("\(Self.path)/thresholds", of: [.alertThresholds]) { visit in
                // Who may only read them finds them on the page of alerts.
                guard visit.mayCall(.replaceAlertThresholds) else { return ConsoleResponse.seeOther(Self.path) }
                try log.settleForReaders()
                let list = try alerts.thresholds()
                return visit.show(SimplePage.thresholds(Self.values(list), revision: "\(list.revision)"))
            },
            gate.action(
                "\(Self.path)/thresholds", of: .replaceAlertThresholds, showing: [.alertThresholds],
                form: FormShape(AlertForms.thresholds, ["idempotency_key", "revision"]), saveThresholds),
        ]
    }

    private func alertsPage(_ visit: ConsoleVisit, refusals: [Refusal] = []) throws -> AlertsPage {
        // Actions have no query.
        let query = try visit.read(AlertPage.self)
        try log.settleForReaders()
        let overview = try alerts.overview(after: query.cursor, limit: query.limit)
        return AlertsPage(
            rules: try alerts.rules().rules, overview: overview,
            next: overview.next.map { PageCursor(ids: [$0]).encoded(for: .alerts) }, isFirstPage: query.cursor == nil,
            now: gate.now(), refusals: refusals)
    }

    /// Sends messages: on to the page with the notice, or the page with the reason.
    private func send(
        _ operation: APIOperation, _ notice: String, _ visit: ConsoleVisit,
        _ carryOut: (AdminCall) throws -> [AlertDelivery]
    ) throws -> Response {
        try submit(operation, for: visit, carryOut) { _ in
            HTMLLink("console", "alerts", query: [("notice", notice)])
        } refused: { faults in
            try alertsPage(visit, refusals: faults.refusals)
        }
    }

    // MARK: Thresholds

    private static func values(_ list: AlertThresholdList) -> FormValues {
        FormValues(JSONObject([("thresholds", .array(list.active.map { .number("\($0)") }))]))
    }

    private func saveThresholds(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let json = AlertForms.thresholds.json(form)
        let done = HTMLLink("console", "alerts", query: [("notice", "thresholds")])
        return try submit(.replaceAlertThresholds, version: try AdminCall.Version(form), for: visit) { call in
            try features.alerts.replaceThresholds(AlertThresholdChange(json), call)
        } done: { _ in
            done
        } refused: { faults in
            SimplePage.thresholds(FormValues(form), faults, revision: form["revision"] ?? "")
        } lostRace: {
            let present = try alerts.thresholds()
            // Sent twice, or the other one has saved the same list.
            if let wanted = try? AlertThresholdChange(json), Set(wanted.thresholds) == Set(present.active) {
                return ConsoleResponse.seeOther(done)
            }
            let link = HTMLLink("console", "alerts", "thresholds")
            let page = LostRacePage(
                section: .alerts, name: visit.words["Thresholds"], form: AlertForms.thresholds, mine: FormValues(form),
                present: Self.values(present), action: link, cancel: link,
                hidden: [("revision", "\(present.revision)"), ("idempotency_key", UUID().lowercased)])
            return visit.show(page, .preconditionFailed)
        }
    }
}
