package import Foundation
import SQLDatabase
package import SubGuardDomain

extension CatalogueStore {
    /// Shows a logo, or none. The file must lie in its folder before. The same logo again changes nothing.
    ///
    /// Throws ``BackendError/notFound(what:)`` and ``BackendError/preconditionFailed(currentRevision:)``.
    @discardableResult
    package func setLogo(
        _ logo: LogoFile?, of id: UUID, ifRevision: Int64?, by actor: Actor
    ) throws -> CatalogueItem {
        let now = context.now()
        return try context.store.write { transaction in
            let item = try Self.load(id, ifRevision: ifRevision, in: transaction)
            if let logo {
                try transaction.execute(
                    """
                    INSERT INTO catalogue_logos (file_name, byte_count, stored_at, released_at) VALUES (?, ?, ?, NULL)
                    ON CONFLICT (file_name) DO UPDATE SET released_at = NULL
                    """, [.text(logo.name), .integer(Int64(logo.byteCount)), .instant(now)])
            }
            guard item.logoURL != logo?.path else { return item }
            return try replace(
                item, with: item.draft, logoURL: logo?.path, action: "catalogue.logo", by: actor, at: now,
                in: transaction)
        }
    }

    /// Names of files that no item has shown since before that moment; nobody can bring them back by undoing then. Marks
    /// on the way which files are shown. Forget each file with ``forgetLogo(_:)`` when it is gone from the folder.
    package func releasedLogos(before instant: UTCInstant) throws -> [String] {
        let now = context.now()
        return try context.store.write { transaction in
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

    package func forgetLogo(_ name: String) throws {
        try context.store.write { transaction in
            try transaction.execute(
                "DELETE FROM catalogue_logos WHERE file_name = ? AND released_at IS NOT NULL", [.text(name)])
        }
    }

    /// Whether the store knows of this file.
    package func knowsLogo(_ name: String) throws -> Bool {
        try context.store.read { session in
            try session.first("SELECT 1 FROM catalogue_logos WHERE file_name = ?", [.text(name)]) { _ in true } == true
        }
    }
}
