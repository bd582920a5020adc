import Foundation
import SQLDatabase
package import SubGuardContract
import SubGuardDomain
import SubGuardSQL

/// Stores suggestions, grouped by normalised name for moderation.
package struct SuggestionStore: Sendable {
    let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// Stores suggestions in one transaction, each id once. Names must follow the rules of the catalogue, so that an
    /// approved one can become an item. Nothing else about the sender is stored.
    package func submit(_ suggestions: [Suggestion]) throws -> SuggestionReceipt {
        let now = context.now()
        return try context.store.write { transaction in
            var accepted = 0
            for suggestion in suggestions {
                if try insert(suggestion.id, name: suggestion.name, at: now, in: transaction) { accepted += 1 }
            }
            return SuggestionReceipt(accepted: accepted, duplicates: suggestions.count - accepted)
        }
    }

    private static let hasLostItem = """
        suggestion_groups.status = 'approved'
        AND NOT EXISTS (SELECT 1 FROM catalogue_items WHERE catalogue_items.id = suggestion_groups.item_id)
        """

    /// Returns false without writing if the id was received before. An approved name whose item was deleted becomes
    /// pending again; otherwise it would not be listed for moderation.
    private func insert(
        _ id: UUID, name: String, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws -> Bool {
        let known = try transaction.first("SELECT 1 FROM suggestions WHERE id = ?", [.uuid(id)]) { try $0.integer(0) }
        guard known == nil else { return false }
        let groupID = try transaction.first(
            """
            INSERT INTO suggestion_groups (id, normalised_name, name, suggestion_count, first_seen_at, last_seen_at)
            VALUES (?, ?, ?, 1, ?, ?)
            ON CONFLICT (normalised_name) DO UPDATE SET
                suggestion_count = suggestion_groups.suggestion_count + 1, last_seen_at = excluded.last_seen_at,
                status = CASE WHEN \(Self.hasLostItem) THEN 'pending' ELSE suggestion_groups.status END,
                item_id = CASE WHEN \(Self.hasLostItem) THEN NULL ELSE suggestion_groups.item_id END,
                decided_at = CASE WHEN \(Self.hasLostItem) THEN NULL ELSE suggestion_groups.decided_at END
            RETURNING id
            """,
            [.uuid(context.makeID()), .text(TextFolding.fold(name)), .text(name), .instant(now), .instant(now)]
        ) { try $0.blob(0) }
        try transaction.execute(
            "INSERT INTO suggestions (id, group_id) VALUES (?, ?)", [.uuid(id), .blob(orNull: groupID)])
        return true
    }
}
