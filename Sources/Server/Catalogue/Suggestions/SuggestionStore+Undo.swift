import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

extension SuggestionStore {
    /// Takes the latest decision on a group back: it is pending again. The alias that an approval added is removed if
    /// it is still there for no other reason and no other item was merged into its item since, and the item that it
    /// created is deleted unless it was changed since.
    func undo(
        _ group: SuggestionGroup, _ reason: String?, in transaction: AuditedTransaction
    ) throws -> SuggestionOutcome {
        if group.status == .pending { return .reopened }
        if group.status == .approved {
            guard try takeBack(group, in: transaction) else { return .itemChanged }
        }
        _ = try Self.decide(group, .pending, reason: reason, in: transaction)
        return .reopened
    }

    /// False if the item cannot be taken back.
    private func takeBack(_ group: SuggestionGroup, in transaction: AuditedTransaction) throws -> Bool {
        // An alias that the item had already made no row.
        guard let entry = try Self.changeOfItem(byApproving: group, in: transaction),
            let itemID = entry.change.subjectID,
            let after = entry.change.after.flatMap({ CatalogueItem(auditJSON: $0) })
        else { return true }
        let change = entry.change
        let catalogue = CatalogueStore(context: context)
        guard change.action == AuditAction.catalogueInsert.rawValue else {
            let name = TextFolding.fold(group.name)
            guard Self.hasAlias(change.after, name), !Self.hasAlias(change.before, name),
                let item = try CatalogueRow.find(
                    try MergedReferences.primary(of: itemID, in: transaction), in: transaction)
            else { return true }
            guard try !Self.wasMerged(into: item.id, since: after.revision, besides: itemID, in: transaction),
                try !Self.wasAdded(name, to: itemID, or: item.id, after: entry, in: transaction)
            else { return false }
            var draft = item.draft
            draft.aliases.removeAll { TextFolding.fold($0) == name }
            _ = try catalogue.update(item, to: draft, action: .catalogueUndo, in: transaction)
            return true
        }
        guard let item = try CatalogueRow.find(itemID, in: transaction) else {
            return try MergedReferences.primary(of: itemID, in: transaction) == itemID
        }
        guard item.revision == after.revision else { return false }
        try catalogue.remove(item, mergedInto: nil, in: transaction)
        try CatalogueStore.audit(.catalogueUndo, before: item, after: nil, in: transaction)
        return true
    }

    /// Whether another item was merged into one, which may have the alias as its name.
    private static func wasMerged(
        into item: UUID, since revision: Int64, besides own: UUID, in session: any SQLSession
    ) throws -> Bool {
        try session.exists(
            "SELECT 1 FROM catalogue_tombstones WHERE merged_into = ? AND revision > ? AND id <> ? LIMIT 1",
            [.uuid(item), .integer(revision), .uuid(own)])
    }

    /// Whether an alias came to an item or its primary in another way since the approval, or the primary had it already
    /// when the item was merged into it.
    private static func wasAdded(
        _ name: String, to item: UUID, or primary: UUID, after approval: AuditEntry, in session: any SQLSession
    ) throws -> Bool {
        let rows = try session.query(
            "SELECT \(AuditLog.columns) FROM audit_entries WHERE subject_id IN (?, ?) AND sequence > ?",
            [.uuid(item), .uuid(primary), .integer(approval.sequence)], AuditLog.entry)
        return try rows.contains { row throws in
            let had = hasAlias(row.change.before, name)
            switch AuditAction(rawValue: row.change.action) {
            case .catalogueMerge:
                guard had, let merge = try RecordedMerge(of: row, in: session) else { return false }
                return merge.duplicates.contains { $0.item.id == item }
            // What it restores was in another row before.
            case .catalogueUndo: return false
            default: return !had && hasAlias(row.change.after, name)
            }
        }
    }

    private static func hasAlias(_ auditJSON: String?, _ name: String) -> Bool {
        auditJSON.flatMap { CatalogueItem(auditJSON: $0) }?.aliases.contains { TextFolding.fold($0) == name } ?? false
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
