package import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// The result of bulk moderation for one group.
package enum SuggestionOutcome: String, Sendable, CaseIterable {
    case approved
    case rejected
    case reopened
    case deleted
    case notFound = "not_found"
    /// The action requires a pending group.
    case alreadyDecided = "already_decided"
    /// No catalogue item is similar to the name.
    case noNearestItem = "no_nearest_item"
    /// The nearest item has the maximum number of aliases.
    case tooManyAliases = "too_many_aliases"
    /// The item that the suggestion became was changed since, so it is not deleted.
    case itemChanged = "item_changed"
}

extension SuggestionStore {
    /// The raw value is the name on the wire.
    package enum BulkAction: String, Sendable, CaseIterable {
        case approve
        case reject
        case reopen
        case delete
        /// Reopens, and removes the alias or item that the approval made.
        case undo
    }

    /// Applies one action to many groups in one transaction. A group that fails does not affect the others. Deleting a
    /// group also deletes the ids of its suggestions, so the name can be suggested again.
    ///
    /// - Parameters:
    ///   - nearest: the item to which `approve` adds the name as an alias, by group id; other actions ignore it.
    ///   - reason: recorded in the audit log with each change.
    package func moderate(
        _ ids: [UUID], _ action: BulkAction, nearest: [UUID: CatalogueNearest] = [:], reason: String? = nil,
        by actor: Actor
    ) throws -> [(id: UUID, outcome: SuggestionOutcome)] {
        try context.write(by: actor) { transaction in
            try ids.map { id in
                guard let group = try SuggestionRow.find(id, in: transaction) else { return (id, .notFound) }
                switch action {
                case .approve:
                    guard group.status == .pending else { return (id, .alreadyDecided) }
                    // It may have been renamed since it was found.
                    guard let item = nearest[id], try CatalogueRow.find(item.id, in: transaction)?.name == item.name
                    else { return (id, .noNearestItem) }
                    let outcome = try approve(group, mergingInto: item.id, reason, in: transaction)
                    return (id, outcome)
                case .reject:
                    guard group.status == .pending else { return (id, .alreadyDecided) }
                    _ = try Self.decide(group, .rejected, reason: reason, in: transaction)
                    return (id, .rejected)
                case .reopen:
                    if group.status != .pending {
                        _ = try Self.decide(group, .pending, reason: reason, in: transaction)
                    }
                    return (id, .reopened)
                case .delete:
                    try delete(group, reason, in: transaction)
                    return (id, .deleted)
                case .undo:
                    return (id, try undo(group, reason, in: transaction))
                }
            }
        }
    }

    private func approve(
        _ group: SuggestionGroup, mergingInto itemID: UUID, _ reason: String?, in transaction: AuditedTransaction
    ) throws -> SuggestionOutcome {
        do {
            _ = try merge(group, into: itemID, reason: reason, in: transaction)
            return .approved
        } catch BackendError.invalid(let errors) {
            // Nothing has been written. The item may have been deleted after it was found.
            return errors.contains { $0.code == .tooManyAliases } ? .tooManyAliases : .noNearestItem
        }
    }

    private func delete(_ group: SuggestionGroup, _ reason: String?, in transaction: AuditedTransaction) throws {
        try transaction.execute("DELETE FROM suggestions WHERE group_id = ?", [.uuid(group.id)])
        try transaction.execute("DELETE FROM suggestion_groups WHERE id = ?", [.uuid(group.id)])
        try transaction.audit(
            .suggestionDelete, of: group.id, before: Self.auditJSON(deleted: group), after: reason.map(Self.auditJSON))
    }

    /// Without the name, which would stay in the audit log for ever.
    private static func auditJSON(deleted group: SuggestionGroup) -> String {
        JSONWriter.text { writer in
            writer.field("id", group.id.lowercased)
            writer.field("status", group.status.rawValue)
            writer.field("count", group.count)
        }
    }

    private static func auditJSON(reason: String) -> String {
        JSONWriter.text { writer in
            writer.field("reason", reason)
        }
    }

    /// The reasons given in recent rejections, newest first, each once. Looks at the last changes of the audit log
    /// only.
    package func recentReasons(count: Int = 12, amongChanges limit: Int = 200) throws -> [String] {
        var reasons: [String] = []
        for entry in try AuditLog(context: context).list(after: nil, limit: limit) where reasons.count < count {
            guard entry.change.action == AuditAction.suggestionReject.rawValue, let after = entry.change.after,
                let object = (try? JSONValue.parse(Array(after.utf8)))?.objectValue,
                let reason = object["reason"]?.stringValue, !reasons.contains(reason)
            else { continue }
            reasons.append(reason)
        }
        return reasons
    }
}
