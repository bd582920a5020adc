import Foundation
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Stores suggestions, grouped by normalised name for moderation.
package struct SuggestionStore: Sendable {
    let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// The trimmed name. It must follow the rules of a catalogue name (1…120 characters, no control characters), so
    /// that an approved one can become an item; throws the error at `pointer`.
    package static func validateName(_ name: String, pointer: String = "#/name") throws(Fault) -> String {
        let trimmed = CatalogueRules.trimmed(name)
        if let error = CatalogueRules.nameError(trimmed, field: pointer) { throw error }
        return trimmed
    }

    /// Stores all of them in one transaction, each id once.
    ///
    /// Throws ``BackendError/invalid(_:)`` with pointers such as `#/suggestions/3/name` before anything is written.
    package func submit(_ suggestions: [Suggestion]) throws -> SuggestionReceipt {
        let names = try Self.validatedNames(suggestions)
        let now = context.now()
        return try context.store.write { transaction in
            var accepted = 0
            for (suggestion, name) in zip(suggestions, names) {
                if try insert(suggestion.id, name: name, at: now, in: transaction) { accepted += 1 }
            }
            return SuggestionReceipt(accepted: accepted, duplicates: suggestions.count - accepted)
        }
    }

    private static let hasLostItem = """
        suggestion_groups.status = 'approved'
        AND NOT EXISTS (SELECT 1 FROM catalogue_items WHERE catalogue_items.id = suggestion_groups.item_id)
        """

    private static func validatedNames(_ suggestions: [Suggestion]) throws -> [String] {
        var names: [String] = []
        var errors = FaultList()
        for (index, suggestion) in suggestions.enumerated() {
            do {
                names.append(try validateName(suggestion.name, pointer: "#/suggestions/\(index)/name"))
            } catch {
                errors.note(error)
            }
        }
        guard errors.isEmpty else { throw BackendError.invalid(errors) }
        return names
    }

    /// False, without writing, when the id is known. A name that was approved and whose item is deleted becomes pending
    /// again; otherwise no moderator would see it.
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
