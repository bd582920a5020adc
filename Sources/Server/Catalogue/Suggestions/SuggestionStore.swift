package import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
package import SubGuardContract
package import SubGuardDomain
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
        try context.write { transaction, now in
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
        guard try !transaction.exists("SELECT 1 FROM suggestions WHERE id = ?", [.uuid(id)]) else { return false }
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

/// All suggestions of one name, ignoring case and accents: the unit of moderation.
package struct SuggestionGroup: Sendable, Hashable {
    package enum Status: String, Sendable, CaseIterable {
        case pending
        case approved
        case rejected
    }

    package let id: UUID
    /// The first spelling received.
    package let name: String
    package let status: Status
    /// Number of suggestions received.
    package let count: Int64
    package let firstSeenAt: UTCInstant
    package let lastSeenAt: UTCInstant
    /// The catalogue item after approval.
    package let itemID: UUID?
    package let decidedAt: UTCInstant?
}

/// The columns of `suggestion_groups` and the conversion of its rows.
enum SuggestionRow {
    static let columns = "id, name, status, suggestion_count, first_seen_at, last_seen_at, item_id, decided_at"

    static func group(_ row: any SQLRow) throws -> SuggestionGroup {
        SuggestionGroup(
            id: try row.uuid(0), name: try row.text(1), status: try row.word(2), count: try row.integer(3),
            firstSeenAt: try row.instant(4), lastSeenAt: try row.instant(5), itemID: try row.optionalUUID(6),
            decidedAt: try row.optionalInstant(7))
    }

    static func find(_ id: UUID, in session: any SQLSession) throws -> SuggestionGroup? {
        try session.first("SELECT \(columns) FROM suggestion_groups WHERE id = ?", [.uuid(id)], group)
    }

    /// Without the name, which a deletion could not remove from the audit log.
    ///
    /// - Parameter reason: the moderator's reason, if given.
    static func auditJSON(_ group: SuggestionGroup, reason: String? = nil) -> String {
        JSONWriter.text { writer in
            writer.field("id", group.id.lowercased)
            writer.field("status", group.status.rawValue)
            writer.field("count", group.count)
            writer.field("item_id", group.itemID?.lowercased)
            if let reason { writer.field("reason", reason) }
        }
    }
}
