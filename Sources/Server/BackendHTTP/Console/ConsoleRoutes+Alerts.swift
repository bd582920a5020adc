import Backend
import Console
import EventLog
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The page of alerts with thresholds, tests and repeated messages. Changes are calls of the API.
extension ConsoleRoutes {
    private static let path = "/console/alerts"

    func alertBindings() -> [RouteBinding] {
        [
            gate.page(Self.path, of: [.alerts, .alertRules]) { visit in
                let notice: AlertsPage.Notice? =
                    switch visit.notice?.code {
                    case "tested": .tested
                    case "resent": .resent
                    case "thresholds": .thresholdsSaved
                    case "deleted": .ruleDeleted
                    default: nil
                    }
                return ConsoleResponse.page(try alertsPage(visit, notice: notice).page(visit.frame))
            },
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
            gate.page("\(Self.path)/thresholds", of: [.alertThresholds]) { visit in
                // Who may only read them finds them on the page of alerts.
                guard visit.mayCall(.replaceAlertThresholds) else { return ConsoleResponse.seeOther(Self.path) }
                try log.settleForReaders()
                return ConsoleResponse.page(Self.thresholdsPage(try alerts.thresholds()).page(visit.frame))
            },
            gate.action(
                "\(Self.path)/thresholds", of: .replaceAlertThresholds, showing: [.alertThresholds],
                form: FormShape(AlertForms.thresholds, ["idempotency_key", "revision"])
            ) { visit in try saveThresholds(visit) },
        ]
    }

    private func alertsPage(_ visit: ConsoleVisit, notice: AlertsPage.Notice? = nil) throws -> AlertsPage {
        // Actions have no query.
        let query = try visit.read(AlertPage.self)
        try log.settleForReaders()
        let overview = try alerts.overview(after: query.cursor, limit: query.limit)
        return AlertsPage(
            rules: try alerts.rules().rules, overview: overview,
            next: overview.next.map { PageCursor(ids: [$0]).encoded(for: .alerts) }, isFirstPage: query.cursor == nil,
            now: gate.now(), idempotencyKey: visit.mayCall(.testAlerts) ? UUID().uuidString.lowercased() : nil,
            notice: notice)
    }

    /// Sends messages: on to the page with the notice, or the page with the reason.
    private func send(
        _ operation: APIOperation, _ notice: String, _ visit: ConsoleVisit,
        _ carryOut: (AdminCall) throws -> [AlertDelivery]
    ) throws -> Response {
        switch try attempt(operation, for: visit, carryOut) {
        case .done: return ConsoleResponse.seeOther("/console/alerts?notice=\(notice)")
        case .refused(let faults, let status):
            return ConsoleResponse.page(
                try alertsPage(visit, notice: .refused(faults.refusals)).page(visit.frame), status)
        case .lostRace: throw HTTPFailure(.preconditionFailed, "The item does not match If-Match or If-None-Match.")
        }
    }

    // MARK: Thresholds

    private static func values(_ list: AlertThresholdList) -> FormValues {
        FormValues(JSONObject([("thresholds", .array(list.active.map { .number("\($0)") }))]))
    }

    private static func hidden(_ list: AlertThresholdList) -> [(name: String, value: String)] {
        [("revision", "\(list.revision)"), ("idempotency_key", UUID().uuidString.lowercased())]
    }

    private static func thresholdsPage(_ list: AlertThresholdList) -> AlertThresholdsPage {
        AlertThresholdsPage(values: values(list), hidden: hidden(list))
    }

    private func saveThresholds(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let json = AlertForms.thresholds.json(form)
        let done = ConsoleResponse.seeOther("/console/alerts?notice=thresholds")
        switch try attempt(
            .replaceAlertThresholds, version: try AdminCall.Version(form), for: visit,
            { call in try features.alerts.replaceThresholds(AlertThresholdChange(json), call) })
        {
        case .done: return done
        case .refused(let faults, let status):
            let page = AlertThresholdsPage(
                values: FormValues(form), faults: faults,
                hidden: [
                    ("revision", form["revision"] ?? ""), ("idempotency_key", UUID().uuidString.lowercased()),
                ])
            return ConsoleResponse.page(page.page(visit.frame), status)
        case .lostRace:
            let present = try alerts.thresholds()
            // Sent twice, or the other one has saved the same list.
            if let wanted = try? AlertThresholdChange(json), Set(wanted.thresholds) == Set(present.active) {
                return done
            }
            let page = LostRacePage(
                section: .alerts, name: visit.words.thresholds, form: AlertForms.thresholds, mine: FormValues(form),
                present: Self.values(present), action: HTMLLink("console", "alerts", "thresholds"),
                cancel: HTMLLink("console", "alerts", "thresholds"), hidden: Self.hidden(present))
            return ConsoleResponse.page(page.page(visit.frame), .preconditionFailed)
        }
    }
}
