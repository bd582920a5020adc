import Backend
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Making, changing, muting and deleting alert rules, each with what the rule would have done. Changes are calls of the
/// API; a preview is the evaluation of the rules on what is stored.
extension ConsoleRoutes {
    private static let new = "/console/alerts/rules/new"
    private static let path = "/console/alerts/rules/{id:uuid}"

    func alertRuleBindings() -> [RouteBinding] {
        [
            gate.page(Self.new, of: [.alertRules, .createAlertRule]) { visit in
                var values = FormValues()
                (values["comparison"], values["window"]) = (AlertComparison.below.rawValue, "24h")
                return try page(nil, values, visit)
            },
            gate.action(
                Self.new, of: .createAlertRule, showing: [.alertRules],
                form: FormShape(AlertForms.newRule, ["idempotency_key"], optional: ["intent"])
            ) { visit in
                let form = try visit.form()
                let json = AlertForms.newRule.json(form)
                if form["intent"] == "preview" { return try preview(json, of: nil, form, visit) }
                switch try attempt(
                    .createAlertRule, for: visit, fields: [.conflict: "#/name"],
                    { call in try features.alertRules.create(NewAlertRule(json), call) })
                {
                case .done(let rule): return Self.saved(rule.id)
                case .refused(let faults, let status):
                    return try page(nil, FormValues(form), visit, faults: faults, status)
                case .lostRace: throw HTTPFailure.notFound
                }
            },
            gate.page(Self.path, of: [.alertRule]) { visit in
                let rule = try find(visit)
                return try page(rule, Self.values(of: rule), visit)
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
                form: FormShape(["idempotency_key", "revision", "seconds"])
            ) { visit in try mute(visit) },
            gate.page("\(Self.path)/delete", of: [.alertRule, .deleteAlertRule]) { visit in
                let page = AlertRuleDeletionPage(try find(visit), idempotencyKey: UUID().uuidString.lowercased())
                return ConsoleResponse.page(page.page(visit.frame))
            },
            gate.action(
                "\(Self.path)/delete", of: .deleteAlertRule, showing: [.alertRule],
                form: FormShape(["idempotency_key", "revision"])
            ) { visit in try delete(visit) },
        ]
    }

    private func find(_ visit: ConsoleVisit) throws -> AlertRule {
        guard let rule = try alerts.rule(try visit.request.parameters.uuid()) else {
            throw HTTPFailure(.notFound, "There is no such rule.")
        }
        return rule
    }

    private static func values(of rule: AlertRule) -> FormValues { FormValues(rule.jsonObject) }

    private static func saved(_ id: UUID) -> Response {
        ConsoleResponse.seeOther(
            HTMLLink("console", "alerts", "rules", id.lowercased, query: [("notice", "saved")]).text)
    }

    // MARK: Pages

    /// - Parameter draft: what the preview shows; the stored rule if nil.
    private func page(
        _ rule: AlertRule?, _ values: FormValues, _ visit: ConsoleVisit, previewing draft: AlertRuleDraft? = nil,
        faults: FormFaults = FormFaults(), _ status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let draft = draft ?? rule?.draft
        let mayChange = visit.mayCall(.replaceAlertRule)
        let page = AlertRulePage(
            rule: rule,
            editing: mayChange
                ? AlertRulePage.Editing(
                    values: values, faults: faults, idempotencyKey: UUID().uuidString.lowercased()) : nil,
            preview: try draft.map { AlertPreviewView($0, try alertRules.preview($0)) }, now: gate.now(),
            isSaved: visit.notice?.code == "saved")
        return ConsoleResponse.page(page.page(visit.frame), status)
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
            return try page(rule, FormValues(form), visit, faults: FormFaults(Array(error)))
        }
        return try page(rule, FormValues(form), visit, previewing: draft)
    }

    // MARK: Changes

    private func save(
        _ json: JSONObject, _ form: FormFields, _ mine: FormValues, _ visit: ConsoleVisit
    ) throws -> Response {
        let id = try visit.request.parameters.uuid()
        let done = Self.saved(id)
        let outcome: FormOutcome<AlertRule>
        do {
            outcome = try attempt(
                .replaceAlertRule, version: try AdminCall.Version(form), for: visit, fields: [.conflict: "#/name"]
            ) { call in try features.alertRules.replace(NewAlertRule(json), call) }
        } catch let error where HTTPFailure(error)?.code == .notFound {
            let detail: Sentence =
                "The rule was deleted meanwhile. Nothing was saved: what you typed can be saved as a new rule."
            return try page(nil, mine, visit, faults: FormFaults(detail: detail), .notFound)
        }
        switch outcome {
        case .done: return done
        case .refused(let faults, let status):
            return try page(try find(visit), mine, visit, faults: faults, status)
        case .lostRace:
            let rule = try find(visit)
            // Sent twice, or the other one has saved the same rule.
            if let wanted = try? NewAlertRule(json), wanted.draft == rule.draft { return done }
            let link = HTMLLink("console", "alerts", "rules", id.lowercased)
            let page = LostRacePage(
                section: .alerts, name: rule.draft.name, form: AlertForms.rule, mine: mine,
                present: Self.values(of: rule), action: link, cancel: link,
                hidden: [
                    ("revision", "\(rule.revision)"), ("idempotency_key", UUID().uuidString.lowercased()),
                ])
            return ConsoleResponse.page(page.page(visit.frame), .preconditionFailed)
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
        let distance = zip(until, rule.draft.mutedUntil).map { $0.milliseconds(until: $1).magnitude }
        if form["revision"] != "\(rule.revision)",
            until == nil && rule.draft.mutedUntil == nil || distance ?? 60_000 < 60_000
        {
            // Sent twice: the first one has muted it, some seconds ago.
            return Self.saved(rule.id)
        }
        var json = rule.jsonObject
        let value = until.map { JSONValue.string($0.rfc3339) } ?? .null
        json.members = json.members.map { $0.name == "muted_until" ? ($0.name, value) : $0 }
        return try save(json, form, FormValues(json), visit)
    }

    private func zip<Left, Right>(_ left: Left?, _ right: Right?) -> (Left, Right)? {
        guard let left, let right else { return nil }
        return (left, right)
    }

    private func delete(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let done = ConsoleResponse.seeOther("/console/alerts?notice=deleted")
        do {
            switch try attempt(
                .deleteAlertRule, version: try AdminCall.Version(form), for: visit, features.alertRules.delete)
            {
            case .done: return done
            case .lostRace:
                let rule = try find(visit)
                return try page(rule, Self.values(of: rule), visit, .preconditionFailed)
            case .refused(let faults, let status): throw HTTPFailure.refusal(faults, status)
            }
        } catch let error where HTTPFailure(error)?.code == .notFound {
            // Sent twice: it is gone, as it was to be.
            return done
        }
    }
}
