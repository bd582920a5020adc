import BackendHTTP
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// Making, changing, muting and deleting alert rules, each with what the rule would have done. Changes are calls of the
/// API; a preview is the evaluation of the rules on what is stored.
extension ConsoleRoutes {
    private static let new = "/console/alerts/rules/new"
    private static let path = "/console/alerts/rules/{id:uuid}"

    func alertRuleBindings() -> [RouteBinding] {
        [
            gate.page(Self.new, of: [.alertRules, .createAlertRule]) { _ in
                var values = FormValues()
                (values["comparison"], values["window"]) = (AlertComparison.below.rawValue, "24h")
                return try page(nil, values)
            },
            gate.action(
                Self.new, of: .createAlertRule, showing: [.alertRules],
                form: FormShape(AlertForms.newRule, ["idempotency_key"], optional: ["intent"])
            ) { visit in
                let form = try visit.form()
                let json = AlertForms.newRule.json(form)
                if form["intent"] == "preview" { return try preview(json, of: nil, form, visit) }
                return try submit(.createAlertRule, for: visit, fields: [.conflict: "#/name"]) { call in
                    try features.alertRules.create(NewAlertRule(json), call)
                } done: { rule in
                    Self.saved(rule.id)
                } refused: { faults in
                    try page(nil, FormValues(form), faults: faults)
                }
            },
            gate.page(Self.path, of: [.alertRule]) { visit in
                let rule = try find(visit)
                return try page(rule, Self.values(of: rule))
            },
            gate.action(
                Self.path, of: .replaceAlertRule, showing: [.alertRule],
                form: FormShape(AlertForms.rule, ["idempotency_key", "revision"], optional: ["intent"])
            ) { visit in
                let form = try visit.form()
                let json = AlertForms.rule.json(form)
                if form["intent"] == "preview" {
                    return try preview(
                        json, of: try alerts.rule(try visit.request.parameters.uuid()), form, visit)
                }
                return try save(json, form, FormValues(form), visit)
            },
            gate.action(
                "\(Self.path)/mute", of: .replaceAlertRule, showing: [.alertRule],
                form: FormShape(["idempotency_key", "revision", "seconds"]), mute),
            gate.page("\(Self.path)/delete", of: [.alertRule, .deleteAlertRule]) {
                SimplePage.deletion(of: try find($0))
            },
            gate.action(
                "\(Self.path)/delete", of: .deleteAlertRule, showing: [.alertRule],
                form: FormShape(["idempotency_key", "revision"]), delete),
        ]
    }

    private func find(_ visit: ConsoleVisit) throws -> AlertRule {
        guard let rule = try alerts.rule(try visit.request.parameters.uuid()) else {
            throw HTTPFailure(.notFound, "There is no such rule.")
        }
        return rule
    }

    private static func values(of rule: AlertRule) -> FormValues { FormValues(rule.jsonObject) }

    private static func saved(_ id: UUID) -> HTMLLink {
        HTMLLink("console", "alerts", "rules", id.lowercased, query: [("notice", "saved")])
    }

    // MARK: Pages

    /// - Parameter draft: what the preview shows; the stored rule if nil.
    private func page(
        _ rule: AlertRule?, _ values: FormValues, previewing draft: AlertRuleDraft? = nil,
        faults: FormFaults = FormFaults()
    ) throws -> AlertRulePage {
        AlertRulePage(
            rule: rule, values: values, faults: faults,
            preview: try (draft ?? rule?.draft).map { AlertPreviewView($0, try alertRules.preview($0)) },
            hasChannel: !alerts.targets.isEmpty, now: gate.now())
    }

    /// The form as it was typed, with what it would have done.
    private func preview(
        _ json: JSONObject, of rule: AlertRule?, _ form: FormFields, _ visit: ConsoleVisit
    ) throws -> Response {
        var json = json
        // A rule can be tried before it has a name.
        if json["name"]?.stringValue?.isEmpty ?? true {
            json.members = json.members.filter { $0.name != "name" } + [("name", .string("-"))]
        }
        let draft: AlertRuleDraft
        do throws(FaultList) {
            draft = try NewAlertRule(json).draft
        } catch {
            // Nothing was to be saved, so nothing is refused: browsers note every 4xx of a script as an error.
            return visit.show(try page(rule, FormValues(form), faults: FormFaults(Array(error))))
        }
        return visit.show(try page(rule, FormValues(form), previewing: draft))
    }

    // MARK: Changes

    private func save(
        _ json: JSONObject, _ form: FormFields, _ mine: FormValues, _ visit: ConsoleVisit
    ) throws -> Response {
        let id = try visit.request.parameters.uuid()
        return try submit(
            .replaceAlertRule, version: try AdminCall.Version(form), for: visit, fields: [.conflict: "#/name"]
        ) { call in
            try features.alertRules.replace(NewAlertRule(json), call)
        } done: { _ in
            Self.saved(id)
        } refused: { faults in
            try page(try find(visit), mine, faults: faults)
        } lostRace: {
            let rule = try find(visit)
            // Sent twice, or the other one has saved the same rule.
            if let wanted = try? NewAlertRule(json), wanted.draft == rule.draft {
                return ConsoleResponse.seeOther(Self.saved(id))
            }
            let link = HTMLLink("console", "alerts", "rules", id.lowercased)
            let page = LostRacePage(
                section: .alerts, name: rule.draft.name, form: AlertForms.rule, mine: mine,
                present: Self.values(of: rule), action: link, cancel: link,
                hidden: [("revision", "\(rule.revision)"), ("idempotency_key", UUID().lowercased)])
            return visit.show(page, .preconditionFailed)
        } gone: { _ in
            let detail: Sentence =
                "The rule was deleted meanwhile. Nothing was saved: what you typed can be saved as a new rule."
            return visit.show(try page(nil, mine, faults: FormFaults(detail: detail)), .notFound)
        }
    }

    /// Mutes for a number of seconds from now, or no longer.
    private func mute(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let rule = try find(visit)
        guard let seconds = form["seconds"].flatMap({ Int64($0) }), (0...31_536_000).contains(seconds) else {
            throw HTTPFailure.invalid("seconds", .outOfRange, "Must be from 0 to 31536000.")
        }
        let until = seconds == 0 ? nil : gate.now().adding(seconds: seconds)
        let distance = until.flatMap { until in rule.draft.mutedUntil.map { until.milliseconds(until: $0).magnitude } }
        if form["revision"] != "\(rule.revision)",
            until == nil && rule.draft.mutedUntil == nil || distance ?? 60_000 < 60_000
        {
            // Sent twice: the first one has muted it, some seconds ago.
            return ConsoleResponse.seeOther(Self.saved(rule.id))
        }
        var json = rule.jsonObject
        let value = until.map { JSONValue.string($0.rfc3339) } ?? .null
        json.members = json.members.map { $0.name == "muted_until" ? ($0.name, value) : $0 }
        return try save(json, form, FormValues(json), visit)
    }

    private func delete(_ visit: ConsoleVisit) throws -> Response {
        let done = HTMLLink("console", "alerts", query: [("notice", "deleted")])
        return try submit(
            .deleteAlertRule, version: try AdminCall.Version(try visit.form()), for: visit, features.alertRules.delete,
            done: { _ in done },
            lostRace: {
                let rule = try find(visit)
                return visit.show(try page(rule, Self.values(of: rule)), .preconditionFailed)
            },
            // Sent twice: it is gone, as it was to be.
            gone: { _ in ConsoleResponse.seeOther(done) })
    }
}
