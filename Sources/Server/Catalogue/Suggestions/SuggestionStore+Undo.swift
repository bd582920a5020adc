import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

extension SuggestionStore {
    /// Takes the latest decision on a group back: it is pending again. The alias that an approval added is removed if
    /// it is still there and no other item was merged into its item since, and the item that it created is deleted
    /// unless it was changed since.
    func undo(
        _ group: SuggestionGroup, _ reason: String?, by actor: Actor, at now: UTCInstant,
        in transaction: any SQLTransaction
    ) throws -> SuggestionOutcome {
        if group.status == .pending { return .reopened }
        if group.status == .approved {
            guard try takeBack(group, by: actor, at: now, in: transaction) else { return .itemChanged }
        }
        _ = try Self.decide(group, .pending, reason: reason, by: actor, at: now, in: transaction)
        return .reopened
    }

    /// False if the item cannot be taken back.
    private func takeBack(
        _ group: SuggestionGroup, by actor: Actor, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws -> Bool {
        // An alias that the item had already made no row.
        guard let change = try Self.changeOfItem(byApproving: group, in: transaction)?.change,
            let itemID = change.subjectID, let after = change.after.flatMap({ CatalogueItem(auditJSON: $0) })
        else { return true }
        let catalogue = CatalogueStore(context: context)
        guard change.action == AuditAction.catalogueInsert.rawValue else {
            let name = TextFolding.fold(group.name)
            let known = change.before.flatMap { CatalogueItem(auditJSON: $0) }?.aliases ?? []
            guard after.aliases.contains(where: { TextFolding.fold($0) == name }),
                !known.contains(where: { TextFolding.fold($0) == name }),
                let item = try CatalogueRow.find(
                    try MergedReferences.primary(of: itemID, in: transaction), in: transaction)
            else { return true }
            guard try !Self.wasMerged(into: item.id, since: after.revision, besides: itemID, in: transaction) else {
                return false
            }
            var draft = item.draft
            draft.aliases.removeAll { TextFolding.fold($0) == name }
            _ = try catalogue.update(
                item, to: draft, action: .catalogueUndo, by: actor, at: now, in: transaction)
            return true
        }
        guard let item = try CatalogueRow.find(itemID, in: transaction) else {
            return try MergedReferences.primary(of: itemID, in: transaction) == itemID
        }
        guard item.revision == after.revision else { return false }
        try catalogue.remove(item, mergedInto: nil, at: now, in: transaction)
        try CatalogueStore.audit(.catalogueUndo, before: item, after: nil, by: actor, at: now, in: transaction)
        return true
    }

    /// Whether another item was merged into one, which may have the alias as its name.
    private static func wasMerged(
        into item: UUID, since revision: Int64, besides own: UUID, in session: any SQLSession
    ) throws -> Bool {
        try session.first(
            "SELECT 1 FROM catalogue_tombstones WHERE merged_into = ? AND revision > ? AND id <> ? LIMIT 1",
            [.uuid(item), .integer(revision), .uuid(own)]
        ) { try $0.integer(0) } != nil
    }

    /// The row of the item that the approval created or changed: in the audit log, it is the one before the approval.
    private static func changeOfItem(
        byApproving group: SuggestionGroup, in session: any SQLSession
    ) throws -> AuditEntry? {
        let approval = try session.first(
            """
            SELECT \(AuditLog.columns) FROM audit_entries WHERE subject_id = ? AND action = ?
            ORDER BY sequence DESC LIMIT 1
            """, [.uuid(group.id), .text(AuditAction.suggestionApprove.rawValue)], AuditLog.entry)
        guard let approval else { return nil }
        let former = try session.first(
            "SELECT \(AuditLog.columns) FROM audit_entries WHERE sequence = ?", [.integer(approval.sequence - 1)],
            AuditLog.entry)
        guard let former, former.happenedAt == approval.happenedAt,
            former.change.actor.tokenID == approval.change.actor.tokenID,
            former.change.actor.requestID == approval.change.actor.requestID,
            [AuditAction.catalogueInsert.rawValue, AuditAction.catalogueUpdate.rawValue].contains(former.change.action)
        else { return nil }
        return former
    }
}
