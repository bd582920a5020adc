package import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL

extension AlertStore {
    package func rules() throws -> AlertRuleList { try context.store.read(Self.rules) }

    /// Whether there is anything to evaluate.
    package func hasRules() throws -> Bool {
        try context.store.read { try $0.exists("SELECT 1 FROM alert_rules LIMIT 1") }
    }

    package func rule(_ id: UUID) throws -> AlertRule? { try context.store.read { try Self.rule(id, in: $0) } }

    /// Throws ``BackendError/conflict(code:detail:)`` if the name is taken or the list is full.
    package func insertRule(_ draft: AlertRuleDraft, by actor: Actor) throws -> AlertRule {
        try changeRules(by: actor) { before, changes in
            guard before.rules.count < AlertRuleList.maximumCount else {
                throw BackendError.conflict(detail: "There are \(AlertRuleList.maximumCount) rules already.")
            }
            return try changes.insert(draft)
        }
    }

    /// Replaces the definition. A rule that measures something else than before begins anew; another name, or muting
    /// it, keeps its state.
    ///
    /// Throws ``BackendError/notFound(what:)``, ``BackendError/preconditionFailed(currentRevision:)``, and
    /// ``BackendError/conflict(code:detail:)`` if the name is taken.
    package func replaceRule(
        _ id: UUID, with draft: AlertRuleDraft, ifRevision: Int64?, by actor: Actor
    ) throws -> AlertRule {
        try changeRules(by: actor) { before, changes in
            try changes.replace(try Self.find(id, ifRevision: ifRevision, among: before.rules), with: draft)
        }
    }

    /// A rule that fires is removed without a message. Messages in the outbox are still delivered.
    ///
    /// Throws as ``replaceRule(_:with:ifRevision:by:)``.
    package func deleteRule(_ id: UUID, ifRevision: Int64?, by actor: Actor) throws {
        try changeRules(by: actor) { before, changes in
            try changes.delete(try Self.find(id, ifRevision: ifRevision, among: before.rules))
        }
    }

    /// Replaces all rules. Those of the same name are the same rule and keep id and, unless they measure something
    /// else, state. Names must differ; the contract checks it. Throws
    /// ``BackendError/preconditionFailed(currentRevision:)`` if the list has another revision.
    @discardableResult
    package func replaceRules(
        with drafts: [AlertRuleDraft], ifRevision: Int64?, by actor: Actor
    ) throws -> AlertRuleList {
        try changeRules(by: actor) { before, changes in
            try BackendError.requireRevision(ifRevision, is: before.revision)
            var former = Dictionary(uniqueKeysWithValues: before.rules.map { ($0.draft.nameBytes, $0) })
            let kept = drafts.map { ($0, former.removeValue(forKey: $0.nameBytes)) }
            for rule in before.rules where former[rule.draft.nameBytes] != nil { try changes.delete(rule) }
            for (draft, rule) in kept {
                if let rule { _ = try changes.replace(rule, with: draft) } else { _ = try changes.insert(draft) }
            }
        }
        return try rules()
    }

    /// The list before, and the changes to it, in one transaction.
    @discardableResult
    private func changeRules<Result>(
        by actor: Actor, _ body: (AlertRuleList, inout AlertRuleChanges) throws -> Result
    ) throws -> Result {
        try context.write(by: actor) { transaction in
            // First, because it locks the list against other processes.
            try transaction.execute("UPDATE alert_rule_lists SET revision = revision + 1 WHERE id = 1")
            var changes = AlertRuleChanges(transaction: transaction, makeID: context.makeID)
            let list = try Self.rules(transaction)
            let before = AlertRuleList(revision: list.revision - 1, rules: list.rules)
            let result = try body(before, &changes)
            if !changes.hasChanged {
                try transaction.execute("UPDATE alert_rule_lists SET revision = revision - 1 WHERE id = 1")
            }
            return result
        }
    }

    private static func find(_ id: UUID, ifRevision: Int64?, among rules: [AlertRule]) throws -> AlertRule {
        guard let rule = rules.first(where: { $0.id == id }) else { throw BackendError.notFound(what: "rule") }
        try BackendError.requireRevision(ifRevision, is: rule.revision)
        return rule
    }

    // MARK: Rows

    private static let ruleColumns = """
        id, name, figure, comparison, value_thousandths, window_length, minimum_sample, muted_until, revision, state,
        announced_state, changed_at, evaluated_at, measured_thousandths, measured_sample
        """

    static func rules(_ session: any SQLSession) throws -> AlertRuleList {
        let revision = try session.integer("SELECT revision FROM alert_rule_lists WHERE id = 1")
        guard let revision else {
            throw SQLError(code: .corrupt, number: 0, context: "alert_rule_lists row missing")
        }
        return AlertRuleList(
            revision: revision,
            rules: try session.query("SELECT \(ruleColumns) FROM alert_rules ORDER BY name", [], readRule))
    }

    static func rule(_ id: UUID, in session: any SQLSession) throws -> AlertRule? {
        try session.first("SELECT \(ruleColumns) FROM alert_rules WHERE id = ?", [.uuid(id)], readRule)
    }

    private static func readRule(_ row: any SQLRow) throws -> AlertRule {
        let window = try row.optionalText(5)
        let length = window.flatMap(AlertWindow.init)
        guard (window == nil) == (length == nil) else { throw SQLError.malformed("window of an alert rule") }
        return AlertRule(
            id: try row.uuid(0),
            draft: AlertRuleDraft(
                name: try row.text(1), figure: try row.word(2), comparison: try row.word(3),
                value: AlertValue(thousandths: try row.integer(4)), window: length,
                minimumSample: try row.integer(6), mutedUntil: try row.optionalInstant(7)),
            revision: try row.integer(8),
            current: AlertRule.Current(
                state: try row.word(9), since: try row.optionalInstant(11),
                value: try row.optionalInteger(13).map { AlertValue(thousandths: $0) },
                sample: try row.optionalInteger(14), evaluatedAt: try row.optionalInstant(12)),
            announced: try row.word(10))
    }
}

/// Changes of rules in a transaction, each with its row in the audit log.
struct AlertRuleChanges {
    let transaction: AuditedTransaction
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
        try transaction.audit(.alertsRule, of: id, before: before.map(Self.json), after: after.map(Self.json))
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
