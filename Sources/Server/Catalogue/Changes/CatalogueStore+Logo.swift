package import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

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
