/// Introspection of the database's schema.
extension SQLSession {
    /// The tables of the database in the order of their names, without system tables. In PostgreSQL, those of the
    /// schema in which new tables are created.
    package func tableNames(_ dialect: SQLDialect) throws -> [String] {
        let names =
            switch dialect {
            case .sqlite:
                """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
                ORDER BY name
                """
            case .postgres:
                """
                SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                ORDER BY c.relname COLLATE "C"
                """
            }
        return try query(names) { try $0.text(0) }
    }

    /// The columns of a table in order, with SQLite's type names: `INTEGER`, `TEXT`, `BLOB`.
    package func columns(ofTable table: String, _ dialect: SQLDialect) throws -> [(name: String, type: String)] {
        let columns =
            switch dialect {
            case .sqlite: "SELECT name, type FROM pragma_table_xinfo(?) ORDER BY cid"
            case .postgres:
                """
                SELECT a.attname, CASE format_type(a.atttypid, NULL)
                    WHEN 'bigint' THEN 'INTEGER' WHEN 'integer' THEN 'INTEGER' WHEN 'bytea' THEN 'BLOB'
                    ELSE upper(format_type(a.atttypid, NULL)) END
                FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
                JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = current_schema() AND c.relname = ? AND a.attnum > 0 AND NOT a.attisdropped
                ORDER BY a.attnum
                """
            }
        return try query(columns, [.text(table)]) { (name: try $0.text(0), type: try $0.text(1)) }
    }

    /// The columns of a table's primary key, in the order of the key.
    package func keyColumns(ofTable table: String, _ dialect: SQLDialect) throws -> [String] {
        let columns =
            switch dialect {
            case .sqlite: "SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk"
            case .postgres:
                """
                SELECT a.attname
                FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
                JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
                JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
                WHERE n.nspname = current_schema() AND c.relname = ? AND i.indisprimary ORDER BY k.place
                """
            }
        return try query(columns, [.text(table)]) { try $0.text(0) }
    }

    /// The names of columns whose values the database computes.
    package func generatedColumns(ofTable table: String, _ dialect: SQLDialect) throws -> [String] {
        let columns =
            switch dialect {
            case .sqlite: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden IN (2, 3)"
            case .postgres:
                """
                SELECT a.attname FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
                JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = current_schema() AND c.relname = ? AND a.attgenerated <> ''
                """
            }
        return try query(columns, [.text(table)]) { try $0.text(0) }
    }
}
