package import Foundation
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Synchronization
import TextCoding

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
        let folded = query.text.map(TextFolding.fold)
        // No name contains a text that is empty after folding.
        if let folded, folded.isEmpty { return ([], nil) }
        var rows: [SuggestionGroup] = try context.store.readOnStandby { session -> [SuggestionGroup] in
            let found = try folded.map { try matches($0, in: session) }
            if let found, found.count <= Self.fewMatches {
                return try among(found, query, after: cursor, limit: limit + 1, in: session)
            }
            // The indexes begin with the status.
            let statuses = query.status.map { [$0] } ?? SuggestionGroup.Status.allCases
            return try statuses.flatMap {
                try inOrder($0, by: query.sort, folded, after: cursor, limit: limit + 1, in: session)
            }
        }
        if query.status == nil { rows.sort { Self.precedes($0, $1, by: query.sort) } }
        let page = Array(rows.prefix(limit))
        guard rows.count > limit, let last = page.last else { return (page, nil) }
        return (page, PageCursor(number: Self.key(of: last, for: query.sort), ids: [last.id]))
    }

    /// More rows than that are found soon in the order of a list.
    private static let fewMatches = 2000

    /// The rows whose names contain a text, ``fewMatches`` and one more at most. Reading a list in its order, row by
    /// row, to look at the names takes several times as long if few match.
    private func matches(_ folded: String, in session: any SQLSession) throws -> [String] {
        switch context.store.dialect {
        case .sqlite:
            // Reads the index of the names only.
            try session.query(
                "SELECT rowid FROM suggestion_groups WHERE instr(normalised_name, ?) > 0 LIMIT ?",
                [.text(folded), .integer(Int64(Self.fewMatches) + 1)]
            ) { "\(try $0.integer(0))" }
        case .postgres:
            try session.query(
                "SELECT id FROM suggestion_groups WHERE strpos(normalised_name, ?) > 0 LIMIT ?",
                [.text(folded), .integer(Int64(Self.fewMatches) + 1)]
            ) { "\"\(Hexadecimal.text(try $0.uuid(0).rawBytes))\"" }
        }
    }

    /// The first of some rows in the order of a list. The plus keeps SQLite from reading the whole list in its order.
    private func among(
        _ places: [String], _ query: SuggestionListQuery, after cursor: PageCursor?, limit: Int,
        in session: any SQLSession
    ) throws -> [SuggestionGroup] {
        guard !places.isEmpty else { return [] }
        let isSQLite = context.store.dialect == .sqlite
        var conditions = [
            isSQLite
                ? "rowid IN (SELECT value FROM json_each(?))"
                : "id IN (SELECT decode(value, 'hex') FROM json_array_elements_text(?::json) AS given (value))"
        ]
        var arguments = [SQLValue.text("[\(places.joined(separator: ","))]")]
        if let status = query.status {
            conditions.append(isSQLite ? "+status = ?" : "status = ?")
            arguments.append(.text(status.rawValue))
        }
        return try Self.rows(conditions, arguments, by: query.sort, after: cursor, limit: limit, in: session)
    }

    /// The first rows of a status in the order of a list, those whose names contain a text.
    private func inOrder(
        _ status: SuggestionGroup.Status, by sort: SuggestionListQuery.Sort, _ folded: String?,
        after cursor: PageCursor?, limit: Int, in session: any SQLSession
    ) throws -> [SuggestionGroup] {
        var conditions = ["status = ?"]
        var arguments: [SQLValue] = [.text(status.rawValue)]
        if let folded {
            conditions.append("\(context.store.dialect == .sqlite ? "instr" : "strpos")(normalised_name, ?) > 0")
            arguments.append(.text(folded))
        }
        return try Self.rows(conditions, arguments, by: sort, after: cursor, limit: limit, in: session)
    }

    private static func rows(
        _ conditions: [String], _ arguments: [SQLValue], by sort: SuggestionListQuery.Sort, after cursor: PageCursor?,
        limit: Int, in session: any SQLSession
    ) throws -> [SuggestionGroup] {
        let column = sort == .count ? "suggestion_count" : "last_seen_at"
        var (conditions, arguments) = (conditions, arguments)
        if let cursor, let id = cursor.ids.first {
            conditions.append("(\(column), id) < (?, ?)")
            arguments += [.integer(cursor.number), .uuid(id)]
        }
        arguments.append(.integer(Int64(limit)))
        // Built from constants only; 16 variants in total.
        let sql = """
            SELECT \(SuggestionRow.columns) FROM suggestion_groups WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(column) DESC, id DESC LIMIT ?
            """
        return try session.query(sql, arguments, SuggestionRow.group)
    }

    private static func key(of group: SuggestionGroup, for sort: SuggestionListQuery.Sort) -> Int64 {
        sort == .count ? group.count : group.lastSeenAt.millisecondsSinceEpoch
    }

    /// The order of the database: descending, ids by their bytes.
    private static func precedes(
        _ left: SuggestionGroup, _ right: SuggestionGroup, by sort: SuggestionListQuery.Sort
    ) -> Bool {
        let (first, second) = (key(of: left, for: sort), key(of: right, for: sort))
        guard first == second else { return first > second }
        return right.id.rawBytes.lexicographicallyPrecedes(left.id.rawBytes)
    }

    /// The number of groups by status; statuses without groups are 0.
    package func counts() throws -> [SuggestionGroup.Status: Int64] {
        let largest = Self.largest.withLock { $0 }
        let others = SuggestionGroup.Status.allCases.filter { $0 != largest }
        // One statement, so that the counts are of one moment.
        let parts =
            ["(SELECT count(*) FROM suggestion_groups)"]
            + others.map { _ in "(SELECT count(*) FROM suggestion_groups WHERE status = ?)" }
        let sql = "SELECT " + parts.joined(separator: ", ")
        let arguments: [SQLValue] = others.map { .text($0.rawValue) }
        let found: [Int64] = try context.store.readOnStandby { session -> [Int64] in
            try session.first(sql, arguments) { row -> [Int64] in
                var numbers: [Int64] = []
                for place in parts.indices { numbers.append(try row.integer(place)) }
                return numbers
            } ?? []
        }
        var counts = Dictionary(zip(others, found.dropFirst())) { first, _ in first }
        counts[largest] = (found.first ?? 0) - counts.values.reduce(0, +)
        if let most = counts.max(by: { $0.value < $1.value }) { Self.largest.withLock { $0 = most.key } }
        return counts
    }

    /// The status that had the most groups. Counting all rows is much faster than counting those of a status, so its
    /// count is the difference. Any value gives the same counts.
    private static let largest = Mutex(SuggestionGroup.Status.pending)

    /// The names of those groups that exist.
    package func names(of ids: Set<UUID>) throws -> [UUID: String] {
        guard !ids.isEmpty else { return [:] }
        return try context.store.read { session in
            var names: [UUID: String] = [:]
            for id in ids { names[id] = try SuggestionRow.find(id, in: session)?.name }
            return names
        }
    }

    package func find(_ id: UUID) throws -> SuggestionGroup? {
        try context.store.read { try SuggestionRow.find(id, in: $0) }
    }

    /// Writes the groups as CSV, one row each. Formulas are neutralised.
    package static func csv(_ groups: [SuggestionGroup]) -> [UInt8] {
        var writer = CSVWriter()
        writer.record(["id", "name", "status", "count", "first_seen_at", "last_seen_at", "item_id", "decided_at"])
        for group in groups {
            writer.guardedRecord([
                group.id.lowercased, group.name, group.status.rawValue, "\(group.count)", group.firstSeenAt.rfc3339,
                group.lastSeenAt.rfc3339, group.itemID?.lowercased ?? "", group.decidedAt?.rfc3339 ?? "",
            ])
        }
        return writer.bytes
    }
}
