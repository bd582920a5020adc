import JSONWire
package import SubGuardContract
import SubGuardDomain
package import Telemetry

/// Calls on alert rules.
extension APIOperation {
    package static let alertRules = APIOperation(
        .get, "/api/v1/admin/alerts/rules", "listAlertRules", tag: .administration, access: .permission(.alertsRead),
        summary: "List the alert rules", "All rules with their latest measurement, by name. " + figureMeanings,
        answers: [.json(WholeList<AlertRule>.self, "The rules.")])

    package static let replaceAlertRules = APIOperation(
        .put, "/api/v1/admin/alerts/rules", "replaceAlertRules", tag: .administration,
        access: .permission(.alertsWrite), summary: "Replace the alert rules",
        """
        Rules of the same name are the same rule: they keep `id`, and `current` unless they measure something else. \
        The response of GET can be sent back; `id` and `current` are ignored.
        """, body: .json(AlertRuleListChange.self, "The whole list."),
        answers: [.json(WholeList<AlertRule>.self, "The rules as they are now.", headers: [.etag, .vary])],
        traits: .ifMatch)

    package static let createAlertRule = APIOperation(
        .post, "/api/v1/admin/alerts/rules", "createAlertRule", tag: .administration,
        access: .permission(.alertsWrite), summary: "Create an alert rule",
        """
        A message is sent through every configured channel when the figure crosses the value, and another one when it \
        has recovered: when it is at `recovery_value` or beyond. Rules are evaluated twice a minute, and once when \
        they are made or changed.
        """, body: .json(NewAlertRule.self, "The definition."),
        answers: [.json(AlertRule.self, "The rule.", status: 201, headers: [.location, .etag, .vary])],
        problems: [.conflict])

    package static let alertRule = APIOperation(
        .get, "/api/v1/admin/alerts/rules/{id:uuid}", "getAlertRule", tag: .administration,
        access: .permission(.alertsRead), summary: "Show an alert rule", holes: [.id("The rule's id.")],
        answers: [.json(AlertRule.self, "The rule.")])

    package static let replaceAlertRule = APIOperation(
        .put, "/api/v1/admin/alerts/rules/{id:uuid}", "replaceAlertRule", tag: .administration,
        access: .permission(.alertsWrite), summary: "Replace an alert rule",
        """
        Replaces the definition. Another name, or muting, keeps `current`; a rule that measures something else is \
        `pending` until it is evaluated. A rule that fired announces its recovery all the same.
        """, holes: [.id("The rule's id.")], body: .json(NewAlertRule.self, "The definition."),
        answers: [.json(AlertRule.self, "The rule as it is now.", headers: [.etag, .vary])],
        problems: [.conflict], traits: .ifMatch)

    package static let deleteAlertRule = APIOperation(
        .delete, "/api/v1/admin/alerts/rules/{id:uuid}", "deleteAlertRule", tag: .administration,
        access: .permission(.alertsWrite), summary: "Delete an alert rule",
        "No message is sent, though the rule may be firing. Messages that wait are still delivered.",
        holes: [.id("The rule's id.")], answers: [.empty(204, "The rule is deleted.")], traits: .ifMatch)

    static let ofAlertRules: [APIOperation] = [
        alertRules, replaceAlertRules, createAlertRule, alertRule, replaceAlertRule, deleteAlertRule,
    ]

    private static let figureMeanings =
        "The figures: " + AlertFigure.allCases.map { "`\($0.rawValue)`: \($0.definition)" }.joined(separator: " ")
        + " Figures that are not complete are not evaluated."
}

extension AlertRuleDraft: WireObject {
    package static let wire = WireSchema<AlertRuleDraft>(
        nil, make: AlertRuleDraft.init,
        Field("name", \.name, .givenName, "Unique among the rules.", example: "Crash-free sessions"),
        Field("figure", \.figure, .choice.named("AlertFigure"), example: .crashFreeSessions),
        Field(
            "comparison", \.comparison, .choice.named("AlertComparison"),
            "`falls_by` and `rises_by` compare with the window before, in percent; not for percentages, "
                + "`failed_deliveries` and `event_sink_lag_seconds`."),
        Field(
            "value", \.value, .alertValue, "At most 100 for a percentage.", example: AlertValue(thousandths: 99_900)),
        Field(
            "window", \.window, optional: .alertWindow, orNull: true,
            "What is measured: the hours or days that end now. Required, except for `storage_percent` and "
                + "`event_sink_lag_seconds`, which have none. "
                + "`active_users` has 7d or 30d, `events` at most 6h. For a change: 7d, 3h, and at most 15d for "
                + "others.",
            example: AlertWindow("24h")),
        Field(
            "minimum_sample", \.minimumSample, .integer(0...1_000_000_000_000),
            "With a smaller sample the state stays as it is. The sample is the number of sessions, the figure in the "
                + "window before for a change, and the number of all users for other figures; `failed_deliveries`, "
                + "`storage_percent` and `event_sink_lag_seconds` have none.", default: 0),
        Field(
            "muted_until", \.mutedUntil, optional: .givenInstant, orNull: true,
            "Until then the rule is evaluated without messages. If its state then differs from the one announced "
                + "last, that is announced.")
    ) { draft, reading in
        for fault in draft.faults {
            reading.at(fault.field) { reading.note(fault.code, fault.sentence) }
        }
    }
}

/// The definition of a rule in a request.
package struct NewAlertRule: WireObject {
    package let draft: AlertRuleDraft

    package static let wire = WireSchema<NewAlertRule>(
        "NewAlertRule", make: { draft, _, _ in NewAlertRule(draft: draft) }, Field(flattening: \.draft),
        Field("id", { _ in nil }, optional: .ignored, "Ignored."),
        Field("current", { _ in nil }, optional: .ignored, "Ignored."))
}

/// The list that replaces all rules.
package struct AlertRuleListChange: WireObject {
    package let rules: [NewAlertRule]

    package static let wire = WireSchema<AlertRuleListChange>(
        "AlertRuleListChange", make: { rules, _ in AlertRuleListChange(rules: rules) },
        Field("items", \.rules, .array(of: .object, count: 0...AlertRuleList.maximumCount, called: "rules")),
        Field("next_cursor", { _ in nil }, optional: .ignored, "Ignored.")
    ) { change, reading in
        var names: Set<[UInt8]> = []
        for (index, rule) in change.rules.enumerated() where !names.insert(rule.draft.nameBytes).inserted {
            reading.at("items") {
                reading.at(index) { reading.at("name") { reading.note(.duplicate, "Must stand in the list once.") } }
            }
        }
    }
}

extension AlertRule: WireObject {
    package static let wire = WireSchema<AlertRule>("AlertRule") {
        Field("id", \.id, .id)
        Field("name", \.draft.name, .name, example: "Crash-free sessions")
        Field("figure", \.draft.figure, .choice.named("AlertFigure"), example: .crashFreeSessions)
        Field("comparison", \.draft.comparison, .choice.named("AlertComparison"))
        Field("value", \.draft.value, .alertValue, example: AlertValue(thousandths: 99_900))
        Field("window", \.draft.window, nullable: .alertWindow, "Null for a figure without one.")
        Field("minimum_sample", \.draft.minimumSample, .count, example: 1000)
        Field("muted_until", \.draft.mutedUntil, nullable: .instant, example: nil)
        Field("current", \.status, .object, "The latest measurement.")
    }

    var status: AlertRuleStatus { AlertRuleStatus(current: current, recoveryValue: draft.recoveryValue) }
}

/// The latest measurement of a rule.
struct AlertRuleStatus: WireObject {
    let current: AlertRule.Current
    let recoveryValue: AlertValue

    static let wire = WireSchema<AlertRuleStatus>("AlertRuleStatus") {
        Field(
            "state", \.current.state, .choice,
            "`pending`: not measured with a sufficient sample since it was made or changed.", example: .ok)
        Field("since", \.current.since, nullable: .instant, "When the state changed.")
        Field(
            "value", \.current.value, nullable: .measuredAlertValue,
            "The figure, or its change in percent, rounded down to a thousandth. Null before the first measurement and "
                + "for a percentage of nothing.", example: AlertValue(thousandths: 99_962))
        Field(
            "sample", \.current.sample, nullable: .count, "Null for figures without a sample.", example: 8042)
        Field(
            "recovery_value", \.recoveryValue, .alertValue, "Where a rule that fires recovers.",
            example: AlertValue(thousandths: 99_910))
        Field("evaluated_at", \.current.evaluatedAt, nullable: .instant)
    }
}

extension WireType where Value == AlertValue {
    /// A number from 0 with at most three decimals.
    fileprivate static var alertValue: WireType {
        number(["type": "number", "minimum": 0, "maximum": .integer(AlertValue.maximum)])
    }

    /// A number that may be negative.
    fileprivate static var measuredAlertValue: WireType { number(["type": "number"]) }

    private static func number(_ schema: JSONObject) -> WireType {
        WireType { _ in
            schema
        } example: {
            .number("99.9")
        } write: {
            $1.raw($0.text.utf8)
        } read: { json, reading in
            guard case .number(let text) = json else {
                reading.note(.invalidType, "Must be a number.")
                return nil
            }
            let value = AlertValue(text)
            if value == nil {
                reading.note(
                    .outOfRange, "Must be from 0 to \(AlertValue.maximum), with at most three decimals and no exponent."
                )
            }
            return value
        }
    }
}

extension WireType where Value == AlertWindow {
    fileprivate static var alertWindow: WireType {
        .converted(
            .text(pattern: AlertWindow.pattern, example: "24h"), else: .invalidFormat,
            "Must be hours or days from 1h to 30d, such as 24h or 7d.", encode: \.text, decode: AlertWindow.init)
    }
}

extension WireType where Value == JSONValue {
    /// A member of an answer that a request may repeat.
    fileprivate static var ignored: WireType { .json([:], example: .null) }
}
