package import Foundation
import JSONWire
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

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
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("id", group.id.lowercased)
        writer.field("status", group.status.rawValue)
        writer.field("count", group.count)
        writer.field("item_id", group.itemID?.lowercased)
        if let reason { writer.field("reason", reason) }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
