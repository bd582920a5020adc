import Foundation
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// Changes of rules in a transaction, each with its row in the audit log.
struct AlertRuleChanges {
    let transaction: any SQLTransaction
    let actor: Actor
    let now: UTCInstant
    let makeID: () -> UUID
    private(set) var hasChanged = false

    mutating func insert(_ draft: AlertRuleDraft) throws -> AlertRule {
        let rule = AlertRule(id: makeID(), draft: draft, revision: 1, current: .pending, announced: .ok)
        try requireFreeName(draft.name, of: rule.id)
        try transaction.execute(
            """
            INSERT INTO alert_rules (name, figure, comparison, value_thousandths, window_length, minimum_sample,
                muted_until, id, revision, state, announced_state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 'pending', 'ok')
            """, Self.values(of: draft) + [.uuid(rule.id)])
        try audit(rule.id, before: nil, after: draft)
        return rule
    }

    mutating func replace(_ rule: AlertRule, with draft: AlertRuleDraft) throws -> AlertRule {
        guard draft != rule.draft else { return rule }
        try requireFreeName(draft.name, of: rule.id)
        let keepsState = draft.measuresLike(rule.draft)
        // What was announced stays, so that a rule that fired still announces its recovery.
        try transaction.execute(
            """
            UPDATE alert_rules SET name = ?, figure = ?, comparison = ?, value_thousandths = ?, window_length = ?,
                minimum_sample = ?, muted_until = ?, revision = revision + 1
            WHERE id = ?
            """, Self.values(of: draft) + [.uuid(rule.id)])
        if !keepsState {
            try transaction.execute(
                """
                UPDATE alert_rules SET state = 'pending', changed_at = NULL, evaluated_at = NULL,
                    measured_thousandths = NULL, measured_sample = NULL
                WHERE id = ?
                """, [.uuid(rule.id)])
        }
        try audit(rule.id, before: rule.draft, after: draft)
        return AlertRule(
            id: rule.id, draft: draft, revision: rule.revision + 1, current: keepsState ? rule.current : .pending,
            announced: rule.announced)
    }

    mutating func delete(_ rule: AlertRule) throws {
        try transaction.execute("DELETE FROM alert_rules WHERE id = ?", [.uuid(rule.id)])
        try audit(rule.id, before: rule.draft, after: nil)
    }

    private func requireFreeName(_ name: String, of id: UUID) throws {
        let isTaken = try transaction.exists(
            "SELECT 1 FROM alert_rules WHERE name = ? AND id <> ?", [.text(name), .uuid(id)])
        guard !isTaken else {
            throw BackendError.conflict(detail: "Another rule has this name.")
        }
    }

    private mutating func audit(_ id: UUID, before: AlertRuleDraft?, after: AlertRuleDraft?) throws {
        hasChanged = true
        try AuditLog.append(
            .alertsRule, of: id, before: before.map(Self.json), after: after.map(Self.json), by: actor, at: now,
            in: transaction)
    }

    private static func values(of draft: AlertRuleDraft) -> [SQLValue] {
        [
            .text(draft.name), .text(draft.figure.rawValue), .text(draft.comparison.rawValue),
            .integer(draft.value.thousandths), .text(orNull: draft.window?.text), .integer(draft.minimumSample),
            .instant(orNull: draft.mutedUntil),
        ]
    }

    private static func json(_ draft: AlertRuleDraft) -> String {
        JSONWriter.text { writer in
            writer.field("name", draft.name)
            writer.field("figure", draft.figure.rawValue)
            writer.field("comparison", draft.comparison.rawValue)
            writer.field("value", JSONValue.number(draft.value.text))
            writer.field("window", draft.window?.text)
            writer.field("minimum_sample", draft.minimumSample)
            writer.field("muted_until", draft.mutedUntil?.rfc3339)
        }
    }
}
