package import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

extension CatalogueStore {
    /// Adds an item. The id of a deleted item may be reused; names and aliases may repeat those of other items.
    ///
    /// Throws ``BackendError/invalid(_:)`` for a draft that breaks a rule and ``BackendError/conflict(code:detail:)``
    /// with `slug_taken` or `id_taken`.
    @discardableResult
    package func insert(_ draft: CatalogueDraft, id: UUID?, by actor: Actor) throws -> CatalogueItem {
        let draft = try Self.validated(draft)
        return try context.write(by: actor) { transaction in
            try insert(draft, id: id ?? context.makeID(), action: .catalogueInsert, in: transaction)
        }
    }

    /// Replaces an item with the draft that `change` returns inside the transaction. A draft equal to the item changes
    /// nothing: no revision, no audit row.
    ///
    /// Throws ``BackendError/notFound(what:)``, ``BackendError/preconditionFailed(currentRevision:)`` if the item's
    /// revision is not `ifRevision`, and the errors of ``insert(_:id:by:)``.
    @discardableResult
    package func update(
        _ id: UUID, ifRevision: Int64?, by actor: Actor, _ change: (CatalogueItem) throws -> CatalogueDraft
    ) throws -> CatalogueItem {
        try context.write(by: actor) { transaction in
            let item = try Self.load(id, ifRevision: ifRevision, in: transaction)
            let draft = try Self.validated(try change(item))
            return try update(item, to: draft, action: .catalogueUpdate, in: transaction)
        }
    }

    /// Deletes an item and leaves a tombstone for syncing devices.
    ///
    /// Throws ``BackendError/notFound(what:)`` and ``BackendError/preconditionFailed(currentRevision:)``.
    package func delete(_ id: UUID, ifRevision: Int64?, by actor: Actor) throws {
        try context.write(by: actor) { transaction in
            let item = try Self.load(id, ifRevision: ifRevision, in: transaction)
            try remove(item, mergedInto: nil, in: transaction)
            try Self.audit(.catalogueDelete, before: item, after: nil, in: transaction)
        }
    }

    /// How long deletions are reported to devices. A device that last synced earlier gets 410 and downloads the whole
    /// catalogue again. Half a year is longer than nearly all devices stay away, and deletions are few.
    package static let tombstoneDays = 180

    /// Purges deletions made before `instant` and raises the horizon to the newest of them. Returns their number.
    /// Tombstones of merges are never purged, so the old id always redirects to the merged item.
    @discardableResult
    package func purgeTombstones(olderThan instant: UTCInstant) throws -> Int {
        try context.store.write { transaction in
            let newest = try transaction.integer(
                "SELECT max(revision) FROM catalogue_tombstones WHERE deleted_at < ? AND merged_into IS NULL",
                [.instant(instant)])
            guard let revision = newest else { return 0 }
            try transaction.execute(
                "UPDATE catalogue_counters SET horizon = ? WHERE id = 1 AND horizon < ?",
                [.integer(revision), .integer(revision)])
            return try transaction.execute(
                "DELETE FROM catalogue_tombstones WHERE deleted_at < ? AND merged_into IS NULL", [.instant(instant)])
        }
    }

    /// Writes a validated draft. The id of a merged item always redirects to its primary and is only reused to undo the
    /// merge.
    func insert(
        _ draft: CatalogueDraft, id: UUID, logoURL: String? = nil, undoesMerge: Bool = false, action: AuditAction,
        in transaction: AuditedTransaction
    ) throws -> CatalogueItem {
        let leadsElsewhere = try !undoesMerge && MergedReferences.primary(of: id, in: transaction) != id
        guard try !leadsElsewhere && CatalogueRow.find(id, in: transaction) == nil else {
            throw BackendError.conflict(code: .idTaken, detail: "Another item has, or had, this id.")
        }
        try Self.requireFreeSlug(draft.slug, in: transaction)
        try transaction.execute("DELETE FROM catalogue_tombstones WHERE id = ?", [.uuid(id)])
        let item = CatalogueItem(
            id: id, draft, logoURL: logoURL, updatedAt: transaction.now, revision: try Self.nextRevision(transaction))
        try CatalogueRow.insert([item], in: transaction)
        try Self.audit(action, before: nil, after: item, in: transaction)
        return item
    }

    /// Writes a validated draft if it differs from the item.
    func update(
        _ item: CatalogueItem, to draft: CatalogueDraft, action: AuditAction, in transaction: AuditedTransaction
    ) throws -> CatalogueItem {
        guard draft != item.draft else { return item }
        return try replace(item, with: draft, logoURL: item.logoURL, action: action, in: transaction)
    }

    /// Writes a validated draft and the logo as a new revision.
    func replace(
        _ item: CatalogueItem, with draft: CatalogueDraft, logoURL: String?, action: AuditAction,
        in transaction: AuditedTransaction
    ) throws -> CatalogueItem {
        if draft.slug != item.slug { try Self.requireFreeSlug(draft.slug, in: transaction) }
        let changed = CatalogueItem(
            id: item.id, draft, logoURL: logoURL, updatedAt: transaction.now,
            revision: try Self.nextRevision(transaction))
        try CatalogueRow.update([changed], in: transaction)
        try Self.audit(action, before: item, after: changed, in: transaction)
        return changed
    }

    /// Removes the item and leaves a tombstone. The caller writes the audit row.
    func remove(_ item: CatalogueItem, mergedInto primary: UUID?, in transaction: AuditedTransaction) throws {
        let revision = try Self.nextRevision(transaction)
        try transaction.execute("DELETE FROM catalogue_items WHERE id = ?", [.uuid(item.id)])
        try transaction.execute(
            "DELETE FROM catalogue_distinct_pairs WHERE first_id = ? OR second_id = ?",
            [.uuid(item.id), .uuid(item.id)])
        try transaction.execute(
            "INSERT INTO catalogue_tombstones (id, merged_into, revision, deleted_at) VALUES (?, ?, ?, ?)",
            [.uuid(item.id), .uuid(orNull: primary), .integer(revision), .instant(transaction.now)])
    }

    static func validated(_ draft: CatalogueDraft) throws -> CatalogueDraft {
        do {
            return try draft.validated()
        } catch {
            throw BackendError.invalid(error.within("#"))
        }
    }

    static func load(
        _ id: UUID, ifRevision: Int64?, in transaction: any SQLTransaction
    ) throws -> CatalogueItem {
        let item = try CatalogueRow.find(id, in: transaction).orNotFound("catalogue item")
        try BackendError.requireRevision(ifRevision, is: item.revision)
        return item
    }

    private static func requireFreeSlug(_ slug: String, in transaction: any SQLTransaction) throws {
        guard try CatalogueRow.find(slug: slug, in: transaction) == nil else {
            throw BackendError.conflict(code: .slugTaken, detail: "Another item has this slug.")
        }
    }

    /// The last of the next revisions.
    static func nextRevision(_ transaction: any SQLTransaction, count: Int = 1) throws -> Int64 {
        let revision = try transaction.integer(
            "UPDATE catalogue_counters SET revision = revision + ? WHERE id = 1 RETURNING revision",
            [.integer(Int64(count))])
        guard let revision else { throw SQLError(code: .corrupt, number: 0, context: "catalogue_counters row missing") }
        return revision
    }

    static func audit(
        _ action: AuditAction, before: CatalogueItem?, after: CatalogueItem?, in transaction: AuditedTransaction
    ) throws {
        let change = auditChange(action, before: before, after: after, by: transaction.actor)
        try AuditLog.append(in: transaction, change, at: transaction.now)
    }

    static func auditChange(
        _ action: AuditAction, before: CatalogueItem?, after: CatalogueItem?, by actor: Actor
    ) -> AuditChange {
        AuditChange(
            actor: actor, action: action, subjectID: (after ?? before)?.id, before: before?.auditJSON,
            after: after?.auditJSON)
    }
}
