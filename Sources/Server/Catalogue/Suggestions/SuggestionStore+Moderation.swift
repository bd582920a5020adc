package import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

extension SuggestionStore {
    /// Creates a catalogue item from a suggestion in one transaction. `draft` receives the group, so that it can use
    /// its name.
    ///
    /// Throws ``BackendError/notFound(what:)``, ``BackendError/conflict(code:detail:)`` with `already_decided`, and the
    /// errors of ``CatalogueStore/insert(_:id:by:)``.
    package func approve(
        _ id: UUID, as itemID: UUID?, by actor: Actor, _ draft: (SuggestionGroup) throws -> CatalogueDraft
    ) throws -> (group: SuggestionGroup, item: CatalogueItem) {
        let catalogue = CatalogueStore(context: context)
        return try context.write(by: actor) { transaction in
            let group = try Self.loadPending(id, in: transaction)
            let item = try catalogue.insert(
                try CatalogueStore.validated(try draft(group)), id: itemID ?? context.makeID(),
                action: .catalogueInsert, in: transaction)
            let approved = try Self.decide(group, .approved, item.id, reason: nil, in: transaction)
            return (approved, item)
        }
    }

    /// Adds a suggestion to an item as an alias unless the item already has the name. If the item was merged, its
    /// primary gets the alias.
    ///
    /// Throws the errors of ``approve(_:as:by:_:)``, and ``BackendError/invalid(_:)`` at `#/merge_into` for an item
    /// that does not exist or has the maximum number of aliases.
    package func approve(
        _ id: UUID, mergingInto itemID: UUID, by actor: Actor
    ) throws -> (group: SuggestionGroup, item: CatalogueItem) {
        try context.write(by: actor) { transaction in
            let group = try Self.loadPending(id, in: transaction)
            return try merge(group, into: itemID, reason: nil, in: transaction)
        }
    }

    /// Writes nothing when it throws ``BackendError/invalid(_:)``.
    func merge(
        _ group: SuggestionGroup, into itemID: UUID, reason: String?, in transaction: AuditedTransaction
    ) throws -> (group: SuggestionGroup, item: CatalogueItem) {
        let primary = try MergedReferences.primary(of: itemID, in: transaction)
        guard let item = try CatalogueRow.find(primary, in: transaction) else {
            throw Self.invalidItem(.notFound, "There is no such item.")
        }
        var draft = item.draft
        let known = ([draft.name] + draft.aliases).map(TextFolding.fold)
        if !known.contains(TextFolding.fold(group.name)) {
            guard draft.aliases.count < CatalogueRules.maximumAliases else {
                throw Self.invalidItem(.tooManyAliases, "The item has the maximum number of aliases.")
            }
            draft.aliases.append(group.name)
        }
        let catalogue = CatalogueStore(context: context)
        let changed = try catalogue.update(item, to: draft, action: .catalogueUpdate, in: transaction)
        let approved = try Self.decide(group, .approved, item.id, reason: reason, in: transaction)
        return (approved, changed)
    }

    /// Rejects a suggestion; a rejected one is unchanged. Throws ``BackendError/notFound(what:)``, and
    /// ``BackendError/conflict(code:detail:)`` with `already_decided` for an approved one.
    @discardableResult
    package func reject(_ id: UUID, by actor: Actor) throws -> SuggestionGroup {
        try change(id, to: .rejected, by: actor) { status in
            if status == .approved { throw Self.alreadyDecided }
        }
    }

    /// Reopens a decided suggestion; a pending one is unchanged. The item or alias of an approved one remains and can
    /// be removed in the catalogue. Throws ``BackendError/notFound(what:)``.
    @discardableResult
    package func reopen(_ id: UUID, by actor: Actor) throws -> SuggestionGroup {
        try change(id, to: .pending, by: actor) { _ in }
    }

    /// Changes the status unless it is already `status`. `check` throws if the current status must not change.
    private func change(
        _ id: UUID, to status: SuggestionGroup.Status, by actor: Actor,
        _ check: (SuggestionGroup.Status) throws -> Void
    ) throws -> SuggestionGroup {
        try context.write(by: actor) { transaction in
            let group = try SuggestionRow.find(id, in: transaction).orNotFound("suggestion")
            guard group.status != status else { return group }
            try check(group.status)
            return try Self.decide(group, status, reason: nil, in: transaction)
        }
    }

    private static let alreadyDecided = BackendError.conflict(
        code: .alreadyDecided, detail: "The suggestion was approved or rejected before.")

    private static func invalidItem(_ code: FaultCode, _ detail: Sentence) -> BackendError {
        .invalid([Fault("#/merge_into", code, detail)])
    }

    private static func loadPending(_ id: UUID, in transaction: any SQLTransaction) throws -> SuggestionGroup {
        let group = try SuggestionRow.find(id, in: transaction).orNotFound("suggestion")
        guard group.status == .pending else { throw alreadyDecided }
        return group
    }

    /// Writes the decision and its audit row. `itemID` is the item of an approved suggestion.
    static func decide(
        _ group: SuggestionGroup, _ status: SuggestionGroup.Status, _ itemID: UUID? = nil, reason: String?,
        in transaction: AuditedTransaction
    ) throws -> SuggestionGroup {
        let decidedAt = status == .pending ? nil : transaction.now
        try transaction.execute(
            "UPDATE suggestion_groups SET status = ?, item_id = ?, decided_at = ? WHERE id = ?",
            [.text(status.rawValue), .uuid(orNull: itemID), .instant(orNull: decidedAt), .uuid(group.id)])
        let decided = try SuggestionRow.find(group.id, in: transaction).orNotFound("suggestion")
        let action: AuditAction =
            switch status {
            case .approved: .suggestionApprove
            case .rejected: .suggestionReject
            case .pending: .suggestionReopen
            }
        try transaction.audit(
            action, of: group.id, before: SuggestionRow.auditJSON(group),
            after: SuggestionRow.auditJSON(decided, reason: reason))
        return decided
    }
}
