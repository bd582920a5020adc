package import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

extension CatalogueStore {
    /// Maximum number of items in one merge.
    package static let maximumMerged = 50

    /// Merges duplicates into an item in one transaction. Their names and aliases become its aliases. A missing
    /// website, logo, cancellation page or notice period is copied from the first duplicate that has it. References to
    /// a duplicate are changed to the item, and the old ids redirect permanently.
    ///
    /// Throws ``BackendError/notFound(what:)`` for the item, ``BackendError/invalid(_:)`` with pointers such as
    /// `#/duplicate_ids/1` for a duplicate that is the item itself or does not exist, or if there would be too many
    /// aliases, and ``BackendError/preconditionFailed(currentRevision:)``.
    @discardableResult
    package func merge(
        _ duplicates: [UUID], into id: UUID, ifRevision: Int64?, by actor: Actor
    ) throws -> CatalogueItem {
        try context.write(by: actor) { transaction in
            let primary = try Self.load(id, ifRevision: ifRevision, in: transaction)
            let merged = try Self.loadDuplicates(duplicates, of: id, in: transaction)
            return try merge(merged, into: primary, in: transaction)
        }
    }

    /// The audit rows of a merge follow each other without a gap, that of the item last; undoing a merge relies on it.
    func merge(
        _ merged: [CatalogueItem], into primary: CatalogueItem, in transaction: AuditedTransaction
    ) throws -> CatalogueItem {
        let id = primary.id
        let draft = try Self.draft(merging: merged, into: primary)
        let logoURL = primary.logoURL ?? merged.lazy.compactMap(\.logoURL).first
        for duplicate in merged {
            try remove(duplicate, mergedInto: id, in: transaction)
            let moved = try MergedReferences.move(from: duplicate.id, to: id, in: transaction)
            try transaction.audit(
                .catalogueMerged, of: duplicate.id, before: duplicate.auditJSON, after: moved.auditJSON(mergedInto: id))
        }
        // A new revision even when no field changes, so that the merge appears in the history.
        let changed = CatalogueItem(
            id: id, draft, logoURL: logoURL, updatedAt: transaction.now, revision: try Self.nextRevision(transaction))
        try CatalogueRow.update([changed], in: transaction)
        try Self.audit(.catalogueMerge, before: primary, after: changed, in: transaction)
        return changed
    }

    private static func loadDuplicates(
        _ ids: [UUID], of primary: UUID, in transaction: any SQLTransaction
    ) throws -> [CatalogueItem] {
        var items: [CatalogueItem] = []
        var errors = FaultList()
        for (index, id) in ids.enumerated() {
            let pointer = "#/duplicate_ids/\(index)"
            if id == primary {
                errors.note(Fault(pointer, .sameItem, "Is the item itself."))
            } else if let item = try CatalogueRow.find(id, in: transaction) {
                items.append(item)
            } else {
                errors.note(Fault(pointer, .notFound, "There is no such item."))
            }
        }
        guard errors.isEmpty else { throw BackendError.invalid(errors) }
        return items
    }

    private static func draft(merging duplicates: [CatalogueItem], into primary: CatalogueItem) throws -> CatalogueDraft
    {
        var draft = primary.draft
        var known = Set(([draft.name] + draft.aliases).map(TextFolding.fold))
        for duplicate in duplicates {
            for name in [duplicate.name] + duplicate.aliases where known.insert(TextFolding.fold(name)).inserted {
                draft.aliases.append(name)
            }
            draft.fill(from: duplicate.draft)
        }
        guard draft.aliases.count <= CatalogueRules.maximumAliases else {
            throw BackendError.invalid([
                Fault(
                    "#/duplicate_ids", .tooManyAliases,
                    """
                    The item would have \(draft.aliases.count) aliases; \(CatalogueRules.maximumAliases) is the maximum.
                    """
                )
            ])
        }
        return draft
    }
}

/// References to catalogue items by id, and their move when an item is merged.
///
/// Counts of additions (`item_additions`, `ranking_entries`) and raw events keep the id that the device sent, because
/// late events still arrive under the old id and `figures verify` compares the two. Readers map an id to its primary by
/// its tombstone; tombstones of merges are never purged. Undoing a merge therefore also restores each item's own
/// counts.
enum MergedReferences {
    /// What was moved, so that undoing the merge moves exactly that back.
    static func move(
        from duplicate: UUID, to primary: UUID, in transaction: any SQLTransaction
    ) throws -> MovedReferences {
        let earlier = try transaction.query(
            "SELECT id FROM catalogue_tombstones WHERE merged_into = ? ORDER BY revision", [.uuid(duplicate)]
        ) { try $0.uuid(0) }
        for id in earlier { try redirect(id, to: primary, in: transaction) }
        let suggestions = try transaction.query(
            "SELECT id FROM suggestion_groups WHERE item_id = ? ORDER BY id", [.uuid(duplicate)]
        ) { try $0.uuid(0) }
        try transaction.execute(
            "UPDATE suggestion_groups SET item_id = ? WHERE item_id = ?", [.uuid(primary), .uuid(duplicate)])
        return MovedReferences(mergedIDs: earlier, suggestionIDs: suggestions)
    }

    /// Moves back what a merge moved, except what was moved or decided again since.
    static func moveBack(
        _ moved: MovedReferences, from primary: UUID, to duplicate: UUID, in transaction: any SQLTransaction
    ) throws {
        for id in moved.mergedIDs where try self.primary(of: id, in: transaction) == primary {
            try redirect(id, to: duplicate, in: transaction)
        }
        for id in moved.suggestionIDs {
            try transaction.execute(
                "UPDATE suggestion_groups SET item_id = ? WHERE id = ? AND item_id = ?",
                [.uuid(duplicate), .uuid(id), .uuid(primary)])
        }
    }

    /// With a new revision, so that syncing clients receive it.
    private static func redirect(_ id: UUID, to primary: UUID, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            "UPDATE catalogue_tombstones SET merged_into = ?, revision = ? WHERE id = ?",
            [.uuid(primary), .integer(try CatalogueStore.nextRevision(transaction)), .uuid(id)])
    }

    /// The current id of an item: `id` itself or its primary. One lookup is enough, because a merge updates all
    /// tombstones that pointed to the duplicate.
    static func primary(of id: UUID, in session: any SQLSession) throws -> UUID {
        let merged = try session.first(
            "SELECT merged_into FROM catalogue_tombstones WHERE id = ? AND merged_into IS NOT NULL", [.uuid(id)]
        ) { try $0.uuid(0) }
        return merged ?? id
    }
}

/// What a merge moved from a duplicate to its primary.
struct MovedReferences {
    /// Items that were merged into the duplicate before.
    var mergedIDs: [UUID] = []
    /// Suggestions that were approved as the duplicate or an alias of it.
    var suggestionIDs: [UUID] = []
}

extension MovedReferences {
    /// Reads the audit row of a duplicate.
    init(audit object: JSONObject) {
        func ids(_ name: String) -> [UUID] {
            (object[name]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { UUID(strict: $0) } }
        }
        self.init(mergedIDs: ids("merged_ids"), suggestionIDs: ids("suggestion_ids"))
    }

    func auditJSON(mergedInto id: UUID) -> String {
        JSONWriter.text { writer in
            writer.field("merged_into", id.lowercased)
            for (name, ids) in [("merged_ids", mergedIDs), ("suggestion_ids", suggestionIDs)] where !ids.isEmpty {
                writer.strings(name, ids.map(\.lowercased))
            }
        }
    }
}

/// Pairs of items that look alike and are different services.
extension CatalogueStore {
    /// The pairs that operators declared to be different services.
    package func distinctPairs() throws -> Set<CataloguePair> {
        try context.store.read { session in
            Set(
                try session.query("SELECT first_id, second_id FROM catalogue_distinct_pairs", []) {
                    CataloguePair(try $0.uuid(0), try $0.uuid(1))
                })
        }
    }

    /// Declares two items to be different services, or takes that back. Repeating it changes nothing. The deletion or
    /// merge of an item ends it.
    ///
    /// Throws ``BackendError/invalid(_:)`` with the pointers `#/first` and `#/second` for items that do not exist, or
    /// are one.
    package func setDistinct(_ first: UUID, _ second: UUID, _ areDistinct: Bool, by actor: Actor) throws {
        let pair = CataloguePair(first, second)
        try context.write(by: actor) { transaction in
            var errors = FaultList()
            if first == second { errors.note(Fault("#/second", .sameItem, "Is the item itself.")) }
            for (pointer, id) in [("#/first", first), ("#/second", second)]
            where try CatalogueRow.find(id, in: transaction) == nil {
                errors.note(Fault(pointer, .notFound, "There is no such item."))
            }
            guard errors.isEmpty else { throw BackendError.invalid(errors) }
            let ids: [SQLValue] = [.uuid(pair.first), .uuid(pair.second)]
            let changed =
                areDistinct
                ? try transaction.execute(
                    """
                    INSERT INTO catalogue_distinct_pairs (first_id, second_id, decided_at) VALUES (?, ?, ?)
                    ON CONFLICT (first_id, second_id) DO NOTHING
                    """, ids + [.instant(transaction.now)])
                : try transaction.execute(
                    "DELETE FROM catalogue_distinct_pairs WHERE first_id = ? AND second_id = ?", ids)
            guard changed > 0 else { return }
            let json = Self.auditJSON(pair)
            try transaction.audit(
                areDistinct ? .duplicateDismiss : .duplicateRestore, of: first, before: areDistinct ? nil : json,
                after: areDistinct ? json : nil)
        }
    }

    private static func auditJSON(_ pair: CataloguePair) -> String {
        JSONWriter.text { writer in
            writer.field("first", pair.first.lowercased)
            writer.field("second", pair.second.lowercased)
        }
    }
}
