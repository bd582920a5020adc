import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// The suggestion_groups table and its rows.
enum SuggestionRow {
    static let columns = "id, name, status, suggestion_count, first_seen_at, last_seen_at, item_id, decided_at"

    static func group(_ row: any SQLRow) throws -> SuggestionGroup {
        guard let status = SuggestionGroup.Status(rawValue: try row.text(2)) else {
            throw SQLError.malformed("status")
        }
        return SuggestionGroup(
            id: try row.uuid(0), name: try row.text(1), status: status, count: try row.integer(3),
            firstSeenAt: try row.instant(4), lastSeenAt: try row.instant(5), itemID: try row.optionalUUID(6),
            decidedAt: try row.optionalInstant(7))
    }

    static func find(_ id: UUID, in session: any SQLSession) throws -> SuggestionGroup? {
        try session.first("SELECT \(columns) FROM suggestion_groups WHERE id = ?", [.uuid(id)], group)
    }

    /// - Parameter reason: why it came to this, when the moderator said so.
    static func auditJSON(_ group: SuggestionGroup, reason: String? = nil) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("id", group.id.lowercased)
        writer.field("name", group.name)
        writer.field("status", group.status.rawValue)
        writer.field("count", group.count)
        writer.field("item_id", group.itemID?.lowercased)
        if let reason { writer.field("reason", reason) }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
