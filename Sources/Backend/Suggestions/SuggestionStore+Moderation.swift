package import Foundation
import JSONWire
import SQLDatabase
package import SubGuardDomain

/// What bulk moderation did with one group.
package enum SuggestionOutcome: String, Sendable {
    case rejected
    case deleted
    case notFound = "not_found"
    /// It is approved: what became an item is not taken back here.
    case alreadyDecided = "already_decided"
}

extension SuggestionStore {
    package enum BulkAction: String, Sendable, CaseIterable {
        case reject
        case delete
    }

    /// Makes a new item of a suggestion, in one transaction. `draft` gets the group, so that its name can be the item's.
    ///
    /// Throws ``BackendError/notFound(what:)``, ``BackendError/conflict(code:detail:)`` with `already_decided`, and what
    /// ``CatalogueStore/insert(_:id:by:)`` throws.
    package func approve(
        _ id: UUID, as itemID: UUID?, by actor: Actor, _ draft: (SuggestionGroup) throws -> CatalogueDraft
    ) throws -> (group: SuggestionGroup, item: CatalogueItem) {
        let now = context.now()
        let catalogue = CatalogueStore(context: context)
        return try context.store.write { transaction in
            let group = try Self.loadPending(id, in: transaction)
            let item = try catalogue.insert(
                try CatalogueStore.validated(try draft(group)), id: itemID ?? context.makeID(),
                action: "catalogue.insert", by: actor, at: now, in: transaction)
            return (try Self.approve(group, as: item.id, by: actor, at: now, in: transaction), item)
        }
    }

    /// Takes a suggestion for another name of an item: it becomes an alias, unless the item bears it already. An item that
    /// was merged into another stands for that one.
    ///
    /// Throws what ``approve(_:as:by:_:)`` throws, and ``BackendError/invalid(_:)`` at `#/merge_into` for an item that does
    /// not exist or has as many aliases as it may.
    package func approve(
        _ id: UUID, mergingInto itemID: UUID, by actor: Actor
    ) throws -> (group: SuggestionGroup, item: CatalogueItem) {
        let now = context.now()
        let catalogue = CatalogueStore(context: context)
        return try context.store.write { transaction in
            let group = try Self.loadPending(id, in: transaction)
            let primary = try MergedReferences.primary(of: itemID, in: transaction)
            guard let item = try CatalogueRow.find(primary, in: transaction) else {
                throw Self.invalidItem("not_found", "There is no such item.")
            }
            var draft = item.draft
            let known = ([draft.name] + draft.aliases).map(TextFolding.fold)
            if !known.contains(TextFolding.fold(group.name)) {
                guard draft.aliases.count < CatalogueRules.maximumAliases else {
                    throw Self.invalidItem("too_many_aliases", "The item has as many aliases as it may.")
                }
                draft.aliases.append(group.name)
            }
            let changed = try catalogue.update(
                item, to: draft, action: "catalogue.update", by: actor, at: now, in: transaction)
            return (try Self.approve(group, as: item.id, by: actor, at: now, in: transaction), changed)
        }
    }

    /// Rejects a suggestion; one that is rejected already stays as it is. Throws ``BackendError/notFound(what:)`` and
    /// ``BackendError/conflict(code:detail:)`` with `already_decided` for one that was approved.
    @discardableResult
    package func reject(_ id: UUID, by actor: Actor) throws -> SuggestionGroup {
        let now = context.now()
        return try context.store.write { transaction in
            guard let group = try SuggestionRow.find(id, in: transaction) else {
                throw BackendError.notFound(what: "suggestion")
            }
            switch group.status {
            case .rejected: return group
            case .approved: throw Self.alreadyDecided
            case .pending: return try Self.reject(group, by: actor, at: now, in: transaction)
            }
        }
    }

    /// Rejects or deletes many, in one transaction. What cannot be done with one does not keep the others from it.
    /// A deleted group is forgotten with the ids of its suggestions: the name may be suggested anew.
    package func moderate(
        _ ids: [UUID], _ action: BulkAction, by actor: Actor
    ) throws -> [(id: UUID, outcome: SuggestionOutcome)] {
        let now = context.now()
        return try context.store.write { transaction in
            try ids.map { id in
                guard let group = try SuggestionRow.find(id, in: transaction) else { return (id, .notFound) }
                switch action {
                case .reject:
                    guard group.status != .approved else { return (id, .alreadyDecided) }
                    if group.status == .pending {
                        _ = try Self.reject(group, by: actor, at: now, in: transaction)
                    }
                    return (id, .rejected)
                case .delete:
                    try transaction.execute("DELETE FROM suggestions WHERE group_id = ?", [.uuid(id)])
                    try transaction.execute("DELETE FROM suggestion_groups WHERE id = ?", [.uuid(id)])
                    try Self.audit("suggestion.delete", group, nil, by: actor, at: now, in: transaction)
                    return (id, .deleted)
                }
            }
        }
    }

    private static let alreadyDecided = BackendError.conflict(
        code: "already_decided", detail: "The suggestion was approved or rejected before.")

    private static func invalidItem(_ code: String, _ detail: String) -> BackendError {
        .invalid([FieldError(pointer: "#/merge_into", code: code, detail: detail)])
    }

    private static func loadPending(_ id: UUID, in transaction: any SQLTransaction) throws -> SuggestionGroup {
        guard let group = try SuggestionRow.find(id, in: transaction) else {
            throw BackendError.notFound(what: "suggestion")
        }
        guard group.status == .pending else { throw alreadyDecided }
        return group
    }

    private static func approve(
        _ group: SuggestionGroup, as itemID: UUID, by actor: Actor, at now: UTCInstant,
        in transaction: any SQLTransaction
    ) throws -> SuggestionGroup {
        try decide(group, .approved, itemID, "suggestion.approve", by: actor, at: now, in: transaction)
    }

    private static func reject(
        _ group: SuggestionGroup, by actor: Actor, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws -> SuggestionGroup {
        try decide(group, .rejected, nil, "suggestion.reject", by: actor, at: now, in: transaction)
    }

    private static func decide(
        _ group: SuggestionGroup, _ status: SuggestionGroup.Status, _ itemID: UUID?, _ action: String,
        by actor: Actor, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws -> SuggestionGroup {
        try transaction.execute(
            "UPDATE suggestion_groups SET status = ?, item_id = ?, decided_at = ? WHERE id = ?",
            [.text(status.rawValue), .uuid(orNull: itemID), .instant(now), .uuid(group.id)])
        guard let decided = try SuggestionRow.find(group.id, in: transaction) else {
            throw BackendError.notFound(what: "suggestion")
        }
        try audit(action, group, decided, by: actor, at: now, in: transaction)
        return decided
    }

    private static func audit(
        _ action: String, _ before: SuggestionGroup, _ after: SuggestionGroup?, by actor: Actor, at now: UTCInstant,
        in transaction: any SQLTransaction
    ) throws {
        try AuditLog.append(
            in: transaction,
            AuditChange(
                actor: actor, action: action, subjectID: before.id, before: SuggestionRow.auditJSON(before),
                after: after.map(SuggestionRow.auditJSON)),
            at: now)
    }
}
