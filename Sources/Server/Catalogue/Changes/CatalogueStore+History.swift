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

extension CatalogueStore {
    /// Sets the logo and adds its content to `contents`, or removes the logo. Setting the same logo again changes
    /// nothing.
    ///
    /// Throws ``BackendError/notFound(what:)`` and ``BackendError/preconditionFailed(currentRevision:)``.
    @discardableResult
    package func setLogo(
        _ logo: LogoFile?, in contents: any LogoContents, of id: UUID, ifRevision: Int64?, by actor: Actor
    ) throws -> CatalogueItem {
        if let logo { try contents.prepare(logo) }
        return try context.write(by: actor) { transaction in
            let item = try Self.load(id, ifRevision: ifRevision, in: transaction)
            if let logo {
                try contents.keep(logo, in: transaction)
                try transaction.execute(
                    """
                    INSERT INTO catalogue_logos (file_name, byte_count, stored_at, released_at) VALUES (?, ?, ?, NULL)
                    ON CONFLICT (file_name) DO UPDATE SET released_at = NULL
                    """, [.text(logo.name), .integer(Int64(logo.bytes.count)), .instant(transaction.now)])
            }
            guard item.logoURL != logo?.path else { return item }
            return try replace(item, with: item.draft, logoURL: logo?.path, action: .catalogueLogo, in: transaction)
        }
    }

    /// Returns the names of logos that have been unused since before `instant`; no undo can restore them. Also updates
    /// which logos are in use. Remove each with ``removeLogo(_:releasedBefore:from:)``.
    package func releasedLogos(before instant: UTCInstant) throws -> [String] {
        try context.write { transaction, now in
            try transaction.execute(
                """
                UPDATE catalogue_logos SET released_at = NULL
                WHERE released_at IS NOT NULL
                    AND EXISTS (SELECT 1 FROM catalogue_items WHERE logo_url = '/logos/' || file_name)
                """)
            try transaction.execute(
                """
                UPDATE catalogue_logos SET released_at = ?
                WHERE released_at IS NULL
                    AND NOT EXISTS (SELECT 1 FROM catalogue_items WHERE logo_url = '/logos/' || file_name)
                """, [.instant(now)])
            return try transaction.query(
                "SELECT file_name FROM catalogue_logos WHERE released_at < ? ORDER BY file_name", [.instant(instant)]
            ) { try $0.text(0) }
        }
    }

    /// Removes a logo and its content unless it is in use again since ``releasedLogos(before:)``. Returns whether it
    /// was removed.
    package func removeLogo(
        _ name: String, releasedBefore instant: UTCInstant, from contents: any LogoContents
    ) throws -> Bool {
        try context.store.write { transaction in
            let forgotten = try transaction.execute(
                """
                DELETE FROM catalogue_logos WHERE file_name = ? AND released_at < ?
                    AND NOT EXISTS (SELECT 1 FROM catalogue_items WHERE logo_url = '/logos/' || file_name)
                """, [.text(name), .instant(instant)])
            if forgotten > 0 { try contents.remove(name, in: transaction) }
            return forgotten > 0
        }
    }

    /// Whether `catalogue_logos` contains the logo.
    package func knowsLogo(_ name: String) throws -> Bool {
        try context.store.read { try Self.knowsLogo(name, in: $0) }
    }

    static func knowsLogo(_ name: String, in session: any SQLSession) throws -> Bool {
        try session.first("SELECT 1 FROM catalogue_logos WHERE file_name = ?", [.text(name)]) { _ in true } == true
    }
}
