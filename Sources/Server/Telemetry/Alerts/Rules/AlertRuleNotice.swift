package import Foundation
import JSONWire
import SubGuardDomain

/// What a message about a rule says: the definition and the measurement at the time of the crossing, so that a later
/// change of the rule does not change a message that waits.
package struct AlertRuleNotice: Sendable, Hashable {
    package let ruleID: UUID
    package let name: String
    package let figure: AlertFigure
    package let comparison: AlertComparison
    package let value: AlertValue
    package let window: AlertWindow?
    /// Whether the rule fires; otherwise it has recovered.
    package let isFiring: Bool
    /// Nil for a percentage of nothing.
    package let measured: AlertValue?
    /// Nil for a figure without a sample.
    package let sample: Int64?

    init(_ rule: AlertRule, _ state: AlertRule.State, measured: AlertValue?, sample: Int64?) {
        ruleID = rule.id
        name = rule.draft.name
        figure = rule.draft.figure
        comparison = rule.draft.comparison
        value = rule.draft.value
        window = rule.draft.window
        isFiring = state == .firing
        self.measured = measured
        self.sample = sample
    }

    // MARK: In the database

    /// Nil for a text that ``json`` has not written.
    init?(json text: String) {
        guard let json = try? JSONValue.parse(Array(text.utf8)), let object = json.objectValue,
            let id = object["rule_id"]?.stringValue.flatMap(UUID.init(uuidString:)),
            let name = object["name"]?.stringValue,
            let figure = object["figure"]?.stringValue.flatMap(AlertFigure.init(rawValue:)),
            let comparison = object["comparison"]?.stringValue.flatMap(AlertComparison.init(rawValue:)),
            let value = object["value_thousandths"]?.integerValue, let isFiring = object["firing"]?.boolValue
        else { return nil }
        ruleID = id
        self.name = name
        self.figure = figure
        self.comparison = comparison
        self.value = AlertValue(thousandths: value)
        window = object["window"]?.stringValue.flatMap(AlertWindow.init)
        self.isFiring = isFiring
        measured = object["measured_thousandths"]?.integerValue.map { AlertValue(thousandths: $0) }
        sample = object["sample"]?.integerValue
    }

    var json: String {
        JSONWriter.text { writer in
            writer.field("rule_id", ruleID.lowercased)
            writer.field("name", name)
            writer.field("figure", figure.rawValue)
            writer.field("comparison", comparison.rawValue)
            writer.field("value_thousandths", value.thousandths)
            writer.field("window", window?.text)
            writer.field("firing", isFiring)
            writer.field("measured_thousandths", measured?.thousandths)
            writer.field("sample", sample)
        }
    }

    // MARK: In words

    var title: String { "SubGuard: \(name)\(isFiring ? "" : ": recovered")" }

    /// Such as: The alert rule "Quality" fires: crash-free sessions in the last 24h are 99.2 %, measured at
    /// 2026-11-20T10:00:00Z (the rule fires below 99.9 %; sample: 1200).
    func sentence(at instant: UTCInstant) -> String {
        let span = window.map { " in the last \($0.text)" } ?? ""
        let change = comparison.isChange ? measured?.change(measuredFor: comparison) : nil
        let reading = (change.map(\.magnitude) ?? measured).map { "\($0.text)\(unit)" } ?? "unknown"
        let isFall = change.map { $0.thousandths < 0 } ?? (comparison == .fallsBy)
        let verb =
            comparison.isChange ? isFall ? "fell by" : "rose by" : figure == .storagePercent ? "is" : "are"
        let before = comparison.isChange ? " against the \(window?.text ?? "") before" : ""
        let limit =
            switch comparison {
            case .below: "below \(value.text)\(unit)"
            case .above: "above \(value.text)\(unit)"
            case .fallsBy, .risesBy: "\(value.text)\(unit) or more"
            }
        let sample = sample.map { "; sample: \($0)" } ?? ""
        return "The alert rule \"\(name)\" \(isFiring ? "fires" : "has recovered"): \(figure.noun)\(span) \(verb) "
            + "\(reading)\(before), measured at \(instant.rfc3339) (the rule fires \(limit)\(sample))."
    }

    private var unit: String { figure.isPercentage || comparison.isChange ? " %" : "" }
}
