package import Foundation
import SQLDatabase
import ServerAccess
import SubGuardSQL

/// How much an item is used, which a merge moves to another one.
package struct CatalogueItemUses: Sendable, Hashable {
    /// How often devices added it, under its id or one that was merged into it.
    package let additions: Int64
    /// Suggested names that became the item or an alias of it.
    package let suggestions: Int64

    package init(additions: Int64, suggestions: Int64) {
        self.additions = additions
        self.suggestions = suggestions
    }
}

extension CatalogueStore {
    /// The uses of a few items.
    package func uses(of ids: [UUID]) throws -> [UUID: CatalogueItemUses] {
        try context.store.read { session in
            var uses: [UUID: CatalogueItemUses] = [:]
            for id in ids {
                let additions = try session.integer(
                    """
                    SELECT CAST(coalesce(sum(addition_count), 0) AS BIGINT) FROM item_additions
                    WHERE item_id = ? OR item_id IN (SELECT id FROM catalogue_tombstones WHERE merged_into = ?)
                    """, [.uuid(id), .uuid(id)])
                let suggestions = try session.integer(
                    "SELECT count(*) FROM suggestion_groups WHERE item_id = ?", [.uuid(id)])
                uses[id] = CatalogueItemUses(additions: additions ?? 0, suggestions: suggestions ?? 0)
            }
            return uses
        }
    }
}
