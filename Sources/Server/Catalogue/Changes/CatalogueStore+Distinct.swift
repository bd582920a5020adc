package import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL

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
        let now = context.now()
        let pair = CataloguePair(first, second)
        try context.store.write { transaction in
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
                    """, ids + [.instant(now)])
                : try transaction.execute(
                    "DELETE FROM catalogue_distinct_pairs WHERE first_id = ? AND second_id = ?", ids)
            guard changed > 0 else { return }
            let json = Self.auditJSON(pair)
            try AuditLog.append(
                areDistinct ? .duplicateDismiss : .duplicateRestore, of: first, before: areDistinct ? nil : json,
                after: areDistinct ? json : nil, by: actor, at: now, in: transaction)
        }
    }

    private static func auditJSON(_ pair: CataloguePair) -> String {
        JSONWriter.text { writer in
            writer.field("first", pair.first.lowercased)
            writer.field("second", pair.second.lowercased)
        }
    }
}
