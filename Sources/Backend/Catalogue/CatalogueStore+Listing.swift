import SQLDatabase
package import SubGuardDomain

extension CatalogueStore {
    /// A page of items in the order of the query, and the cursor of the next page or nil on the last one.
    ///
    /// Pages are cut by key and not by number: an item that is there all the while is seen exactly once, whatever is
    /// inserted or deleted meanwhile. Throws ``BackendError/invalid(_:)`` at `#/cursor` for a cursor of another order.
    package func list(
        matching query: CatalogueListQuery, after cursor: CatalogueListCursor?, limit: Int
    ) throws -> (items: [CatalogueItem], next: CatalogueListCursor?) {
        if let cursor, cursor.sort != query.sort {
            throw BackendError.invalid([
                FieldError(
                    pointer: "#/cursor", code: "invalid_cursor", detail: "The cursor belongs to another sort order.")
            ])
        }
        let limit = max(1, limit)
        let statement = Self.statement(query, after: cursor, limit: limit + 1)
        let keyColumn = CatalogueRow.columnCount
        var rows = try context.store.read { session in
            try session.query(statement.sql, statement.arguments) { row in
                let item = try CatalogueRow.item(row)
                return (item: item, key: try Self.key(row, keyColumn, query.sort))
            }
        }
        guard rows.count > limit else { return (rows.map(\.item), nil) }
        rows.removeLast(rows.count - limit)
        let next = rows.last.map { CatalogueListCursor(sort: query.sort, key: $0.key, id: $0.item.id) }
        return (rows.map(\.item), next)
    }

    /// Put together from constants only; every value is an argument. There are 64 texts at most, all cached.
    private static func statement(
        _ query: CatalogueListQuery, after cursor: CatalogueListCursor?, limit: Int
    ) -> (sql: String, arguments: [SQLValue]) {
        let column = column(query.sort.field)
        let direction = query.sort.isDescending ? "DESC" : "ASC"
        var conditions: [String] = []
        var arguments: [SQLValue] = []
        if let text = query.text.map(TextFolding.fold), !text.isEmpty {
            conditions.append("search_text LIKE ? ESCAPE '\\'")
            arguments.append(.text("%\(escapedPattern(text))%"))
        }
        if let category = query.category {
            conditions.append("category = ?")
            arguments.append(.text(category))
        }
        if let cursor {
            conditions.append("(\(column), id) \(query.sort.isDescending ? "<" : ">") (?, ?)")
            arguments += [value(cursor.key), .uuid(cursor.id)]
        }
        arguments.append(.integer(Int64(limit)))
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let sql = """
            SELECT \(CatalogueRow.columns), \(column) FROM catalogue_items \(filter)
            ORDER BY \(column) \(direction), id \(direction) LIMIT ?
            """
        return (sql, arguments)
    }

    private static func column(_ field: CatalogueSort.Field) -> String {
        switch field {
        case .name: "sort_name"
        case .slug: "slug"
        case .updatedAt: "updated_at"
        case .category: "category"
        }
    }

    private static func key(_ row: any SQLRow, _ column: Int, _ sort: CatalogueSort) throws -> CatalogueListCursor.Key {
        sort.field == .updatedAt ? .integer(try row.integer(column)) : .text(try row.text(column))
    }

    private static func value(_ key: CatalogueListCursor.Key) -> SQLValue {
        switch key {
        case .text(let text): .text(text)
        case .integer(let integer): .integer(integer)
        }
    }

    /// Takes the meaning off the characters that LIKE reads. Folded text holds none of them but in names of signs alone.
    private static func escapedPattern(_ text: String) -> String {
        var pattern = ""
        for character in text {
            if character == "%" || character == "_" || character == "\\" { pattern.append("\\") }
            pattern.append(character)
        }
        return pattern
    }
}
