import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// What names a catalogue item by its id, and follows it into the item that it is merged into.
///
/// Counts of additions (`item_additions`, `ranking_entries`) and raw events keep the id that the device named: they are a
/// record of what was said, late events still arrive under the old id, and `figures verify` compares the two. Whoever
/// reads them goes from an id to its primary by its tombstone, and the tombstone of a merge is never purged. So a merge
/// that is undone also gives every item its own counts back.
enum MergedReferences {
    static func move(from duplicate: UUID, to primary: UUID, in transaction: any SQLTransaction) throws {
        let earlier = try transaction.query(
            "SELECT id FROM catalogue_tombstones WHERE merged_into = ? ORDER BY revision", [.uuid(duplicate)]
        ) { try $0.uuid(0) }
        for id in earlier {
            // A revision of its own, so that whoever follows the changes hears of it.
            try transaction.execute(
                "UPDATE catalogue_tombstones SET merged_into = ?, revision = ? WHERE id = ?",
                [.uuid(primary), .integer(try CatalogueStore.nextRevision(transaction)), .uuid(id)])
        }
        try transaction.execute(
            "UPDATE suggestion_groups SET item_id = ? WHERE item_id = ?", [.uuid(primary), .uuid(duplicate)])
    }

    /// The item that an id leads to today: itself, or what it was merged into. One step is enough, because a merge moves
    /// the tombstones that led to the duplicate.
    static func primary(of id: UUID, in session: any SQLSession) throws -> UUID {
        let merged = try session.first(
            "SELECT merged_into FROM catalogue_tombstones WHERE id = ? AND merged_into IS NOT NULL", [.uuid(id)]
        ) { try $0.uuid(0) }
        return merged ?? id
    }
}
