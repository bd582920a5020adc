package import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Filters and order of a list of suggestions.
package struct SuggestionListQuery: Sendable, Hashable {
    /// All orders are descending. The raw value is the name on the wire.
    package enum Sort: String, Sendable, CaseIterable {
        case count = "-count"
        case lastSeen = "-last_seen_at"
    }

    /// Nil for all.
    package var status: SuggestionGroup.Status?
    package var sort: Sort
    /// Only names that contain this text, ignoring case and accents; nil for all.
    package var text: String?

    package init(status: SuggestionGroup.Status?, sort: Sort = .count, text: String? = nil) {
        self.status = status
        self.sort = sort
        self.text = text
    }

    /// The list that cursors belong to.
    package var list: PageCursor.List { PageCursor.List("suggestions", ids: 1, status?.rawValue, sort.rawValue, text) }
}

extension SuggestionStore {
    /// Returns a page of groups and the cursor of the next one. A group whose count grows between two pages may appear
    /// twice or not at all.
    package func list(
        _ query: SuggestionListQuery, after cursor: PageCursor?, limit: Int
    ) throws -> (groups: [SuggestionGroup], next: PageCursor?) {
        let column = query.sort == .count ? "suggestion_count" : "last_seen_at"
        var conditions: [String] = []
        var arguments: [SQLValue] = []
        if let status = query.status {
            conditions.append("status = ?")
            arguments.append(.text(status.rawValue))
        }
        if let text = query.text {
            let folded = TextFolding.fold(text)
            // No name contains a text that is empty after folding.
            guard !folded.isEmpty else { return ([], nil) }
            conditions.append("normalised_name LIKE ? ESCAPE '\\'")
            arguments.append(.text("%\(Self.escaped(folded))%"))
        }
        if let cursor, let id = cursor.ids.first {
            conditions.append("(\(column), id) < (?, ?)")
            arguments += [.integer(cursor.number), .uuid(id)]
        }
        arguments.append(.integer(Int64(limit) + 1))
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        // Built from constants only; 16 variants in total.
        let sql = """
            SELECT \(SuggestionRow.columns) FROM suggestion_groups \(filter)
            ORDER BY \(column) DESC, id DESC LIMIT ?
            """
        let rows = try context.store.read { try $0.query(sql, arguments, SuggestionRow.group) }
        let page = Array(rows.prefix(limit))
        guard rows.count > limit, let last = page.last else { return (page, nil) }
        let key = query.sort == .count ? last.count : last.lastSeenAt.millisecondsSinceEpoch
        return (page, PageCursor(number: key, ids: [last.id]))
    }

    /// Escapes a text for LIKE with a backslash as the escape character.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
    }

    /// The number of groups by status; statuses without groups are 0.
    package func counts() throws -> [SuggestionGroup.Status: Int64] {
        let found = try context.store.read { session in
            try session.query("SELECT status, count(*) FROM suggestion_groups GROUP BY status") { row in
                (try row.word(0) as SuggestionGroup.Status, try row.integer(1))
            }
        }
        let none = SuggestionGroup.Status.allCases.map { ($0, Int64(0)) }
        return Dictionary(none + found) { _, last in last }
    }

    package func find(_ id: UUID) throws -> SuggestionGroup? {
        try context.store.read { try SuggestionRow.find(id, in: $0) }
    }
}
