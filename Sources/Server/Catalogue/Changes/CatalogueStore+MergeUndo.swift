import Foundation
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// A merge as the audit log has it: the rows of its duplicates and, right after them, that of its primary.
struct RecordedMerge {
    struct Duplicate {
        let item: CatalogueItem
        let moved: MovedReferences
    }

    let primaryID: UUID
    /// The primary before and after.
    let before: CatalogueItem
    let after: CatalogueItem
    let duplicates: [Duplicate]

    /// Nil if the row is not of a merge.
    init?(of entry: AuditEntry, in session: any SQLSession) throws {
        guard [AuditAction.catalogueMerge.rawValue, AuditAction.catalogueMerged.rawValue].contains(entry.change.action)
        else { return nil }
        let reach = Int64(CatalogueStore.maximumMerged)
        let near = try session.query(
            "SELECT \(AuditLog.columns) FROM audit_entries WHERE sequence BETWEEN ? AND ? ORDER BY sequence",
            [.integer(entry.sequence - reach), .integer(entry.sequence + reach)], AuditLog.entry)
        guard
            let last = near.first(where: {
                $0.sequence >= entry.sequence && $0.change.action == AuditAction.catalogueMerge.rawValue
            }), let id = last.change.subjectID,
            let before = last.change.before.flatMap({ CatalogueItem(auditJSON: $0) }),
            let after = last.change.after.flatMap({ CatalogueItem(auditJSON: $0) })
        else { return nil }
        var duplicates: [Duplicate] = []
        for row in near.reversed() where row.sequence < last.sequence {
            guard let moved = Self.moved(row, into: id),
                let item = row.change.before.flatMap({ CatalogueItem(auditJSON: $0) })
            else { break }
            duplicates.append(Duplicate(item: item, moved: moved))
        }
        let isPart = entry.sequence == last.sequence || duplicates.contains { $0.item.id == entry.change.subjectID }
        guard isPart, !duplicates.isEmpty else { return nil }
        (primaryID, self.before, self.after, self.duplicates) = (id, before, after, duplicates.reversed())
    }

    private static func moved(_ row: AuditEntry, into id: UUID) -> MovedReferences? {
        guard row.change.action == AuditAction.catalogueMerged.rawValue,
            let object = row.change.after.flatMap({ (try? JSONValue.parse(Array($0.utf8)))?.objectValue }),
            object["merged_into"]?.stringValue == id.lowercased
        else { return nil }
        return MovedReferences(audit: object)
    }
}

/// Items that an undo of their merge restored, with the primary that they were merged into.
struct RestoredMerge {
    let primaryID: UUID
    let duplicateIDs: [UUID]

    /// Nil if the row is not of such an undo.
    init?(by entry: AuditEntry, in session: any SQLSession) throws {
        guard entry.change.action == AuditAction.catalogueUndo.rawValue, let id = entry.change.subjectID else {
            return nil
        }
        if let primary = try Self.primary(ofRestored: entry, in: session) {
            (primaryID, duplicateIDs) = (primary, [id])
            return
        }
        // The row of the primary comes first.
        let following = try session.query(
            "SELECT \(AuditLog.columns) FROM audit_entries WHERE sequence BETWEEN ? AND ? ORDER BY sequence",
            [.integer(entry.sequence + 1), .integer(entry.sequence + Int64(CatalogueStore.maximumMerged))],
            AuditLog.entry)
        var ids: [UUID] = []
        for row in following {
            guard row.happenedAt == entry.happenedAt, let other = row.change.subjectID,
                try Self.primary(ofRestored: row, in: session) == id
            else { break }
            ids.append(other)
        }
        guard !ids.isEmpty else { return nil }
        (primaryID, duplicateIDs) = (id, ids)
    }

    /// The item into which an item was merged when the row restored it.
    private static func primary(ofRestored row: AuditEntry, in session: any SQLSession) throws -> UUID? {
        guard row.change.action == AuditAction.catalogueUndo.rawValue, row.change.before == nil,
            let id = row.change.subjectID
        else { return nil }
        let former = try session.first(
            """
            SELECT \(AuditLog.columns) FROM audit_entries
            WHERE subject_id = ? AND action LIKE 'catalogue.%' AND sequence < ? ORDER BY sequence DESC LIMIT 1
            """, [.uuid(id), .integer(row.sequence)], AuditLog.entry)
        guard let former, former.change.action == AuditAction.catalogueMerged.rawValue,
            let object = former.change.after.flatMap({ (try? JSONValue.parse(Array($0.utf8)))?.objectValue })
        else { return nil }
        return object["merged_into"]?.stringValue.flatMap { UUID(strict: $0) }
    }
}

extension CatalogueStore {
    private static let primaryIsGone = BackendError.conflict(
        detail: "The item that it was merged into is deleted or merged itself. Undo that first.")

    /// Restores all items of a merge and moves their references back. From the row of the primary, the primary becomes
    /// what it was before; from that of a duplicate, it loses what it got by the merge and keeps later changes.
    func undo(
        _ merge: RecordedMerge, from entry: AuditEntry, logos: any LogoContents, in transaction: AuditedTransaction
    ) throws -> CatalogueItem? {
        guard let primary = try CatalogueRow.find(merge.primaryID, in: transaction) else { throw Self.primaryIsGone }
        let isFromPrimary = entry.change.subjectID == merge.primaryID
        let draft = isFromPrimary ? merge.before.draft : Self.draft(primary, without: merge)
        let logo =
            isFromPrimary || primary.logoURL == merge.after.logoURL ? merge.before.logoURL : primary.logoURL
        var restored = primary
        // First, because it may free the slug of a duplicate.
        if draft != primary.draft || logo != primary.logoURL {
            restored = try replace(
                primary, with: draft, logoURL: try Self.storedLogo(logo, logos, in: transaction),
                action: .catalogueUndo, in: transaction)
        }
        for duplicate in merge.duplicates {
            let id = duplicate.item.id
            if try CatalogueRow.find(id, in: transaction) == nil {
                guard try MergedReferences.primary(of: id, in: transaction) == primary.id else {
                    throw Self.primaryIsGone
                }
                let item = try insert(
                    duplicate.item.draft, id: id,
                    logoURL: try Self.storedLogo(duplicate.item.logoURL, logos, in: transaction), undoesMerge: true,
                    action: .catalogueUndo, in: transaction)
                if id == entry.change.subjectID { restored = item }
            }
            try MergedReferences.moveBack(duplicate.moved, from: primary.id, to: id, in: transaction)
        }
        return try entry.change.subjectID.flatMap { try CatalogueRow.find($0, in: transaction) } ?? restored
    }

    /// What the item is without what the merge added to it. What was changed since stays.
    private static func draft(_ item: CatalogueItem, without merge: RecordedMerge) -> CatalogueDraft {
        var draft = item.draft
        let (before, after) = (merge.before.draft, merge.after.draft)
        let own = Set(([before.name] + before.aliases).map(TextFolding.fold))
        let added = Set(after.aliases.map(TextFolding.fold)).subtracting(own)
        draft.aliases.removeAll { added.contains(TextFolding.fold($0)) }
        draft.revert(to: before, from: after)
        // The console gives the item the slug of a duplicate when that is chosen.
        if merge.duplicates.contains(where: { $0.item.slug == draft.slug }) { draft.slug = before.slug }
        return draft
    }

    /// Merges items again whose merge was undone. Returns the item of the row; nil if it was merged.
    func redo(
        _ merge: RestoredMerge, from entry: AuditEntry, logos: any LogoContents, in transaction: AuditedTransaction
    ) throws -> CatalogueItem? {
        guard let primary = try CatalogueRow.find(merge.primaryID, in: transaction) else { throw Self.primaryIsGone }
        let items = try merge.duplicateIDs.compactMap { try CatalogueRow.find($0, in: transaction) }
        var present = primary
        if !items.isEmpty {
            present = try self.merge(items, into: primary, in: transaction)
        }
        guard entry.change.subjectID == primary.id else { return nil }
        guard let former = entry.change.before.flatMap({ CatalogueItem(auditJSON: $0) }) else { return present }
        return try update(present, to: former.draft, action: .catalogueUndo, in: transaction)
    }
}
