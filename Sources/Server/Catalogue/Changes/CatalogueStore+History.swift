package import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

extension CatalogueStore {
    /// The changes of an item, newest first, including those of a deleted item. `sequence` is that of the last change
    /// already returned. Throws ``BackendError/notFound(what:)`` for an id that no item ever had.
    package func history(of id: UUID, after sequence: Int64?, limit: Int) throws -> [AuditEntry] {
        let entries = try context.store.read { session in
            try session.query(
                """
                SELECT \(AuditLog.columns) FROM audit_entries
                WHERE subject_id = ? AND action LIKE 'catalogue.%' AND sequence < ? ORDER BY sequence DESC LIMIT ?
                """, [.uuid(id), .integer(sequence ?? .max), .integer(Int64(limit))], AuditLog.entry)
        }
        guard !entries.isEmpty || sequence != nil else { throw BackendError.notFound(what: "catalogue item") }
        return entries
    }

    /// Restores an item to its state before one of its changes; nil means the latest one. Undoing a deletion restores
    /// the item under its id; undoing its creation deletes it and returns nil. Undoing a merge, from any of its items,
    /// restores all of them. An undo is a change, so it can be undone.
    ///
    /// A logo whose content was removed is not restored. Throws ``BackendError/notFound(what:)`` if the item has no
    /// such change, ``BackendError/preconditionFailed(currentRevision:)``, and ``BackendError/conflict(code:detail:)``
    /// with `slug_taken` if another item has the slug, and with `conflict` for a merge whose primary is gone.
    package func undo(
        _ sequence: Int64?, of id: UUID, ifRevision: Int64?, by actor: Actor, logos: any LogoContents
    ) throws -> CatalogueItem? {
        try context.write(by: actor) { transaction in
            let entry = try Self.change(sequence, of: id, in: transaction).orNotFound("change of this item")
            let present = try CatalogueRow.find(id, in: transaction)
            try BackendError.requireRevision(ifRevision, is: present?.revision)
            if let merge = try RecordedMerge(of: entry, in: transaction) {
                return try undo(merge, from: entry, logos: logos, in: transaction)
            }
            if let restored = try RestoredMerge(by: entry, in: transaction) {
                return try redo(restored, from: entry, logos: logos, in: transaction)
            }
            guard let text = entry.change.before, let former = CatalogueItem(auditJSON: text) else {
                // The change created the item or restored a deleted one.
                if let present {
                    try remove(present, mergedInto: nil, in: transaction)
                    try Self.audit(.catalogueUndo, before: present, after: nil, in: transaction)
                }
                return nil
            }
            let logo = try Self.storedLogo(former.logoURL, logos, in: transaction)
            guard let present else {
                return try insert(
                    former.draft, id: id, logoURL: logo, undoesMerge: true, action: .catalogueUndo, in: transaction)
            }
            guard present.draft != former.draft || present.logoURL != logo else { return present }
            return try replace(present, with: former.draft, logoURL: logo, action: .catalogueUndo, in: transaction)
        }
    }

    /// The logo if its content is still stored.
    static func storedLogo(
        _ path: String?, _ logos: any LogoContents, in transaction: any SQLTransaction
    ) throws -> String? {
        try path.flatMap { path in
            try LogoFile.name(inPath: path).map { try logos.exists($0, in: transaction) } == true ? path : nil
        }
    }

    private static func change(
        _ sequence: Int64?, of id: UUID, in session: any SQLSession
    ) throws -> AuditEntry? {
        try session.first(
            """
            SELECT \(AuditLog.columns) FROM audit_entries
            WHERE subject_id = ? AND action LIKE 'catalogue.%' AND sequence BETWEEN ? AND ?
            ORDER BY sequence DESC LIMIT 1
            """, [.uuid(id), .integer(Int64(sequence ?? 0)), .integer(Int64(sequence ?? .max))], AuditLog.entry)
    }
}
