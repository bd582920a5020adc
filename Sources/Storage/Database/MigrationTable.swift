/// The table in which a store remembers its migrations.
enum MigrationTable {
    static func create(_ dialect: SQLDialect) -> String {
        """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            number INTEGER PRIMARY KEY,
            slug TEXT NOT NULL,
            checksum TEXT NOT NULL,
            applied_at TEXT NOT NULL
        )\(dialect == .sqlite ? " STRICT" : "")
        """
    }

    static let insert = "INSERT INTO schema_migrations (number, slug, checksum, applied_at) VALUES (?, ?, ?, ?)"

    /// Whether there are tables, but none of ours.
    static func isForeign(_ session: any SQLSession, _ dialect: SQLDialect) throws -> Bool {
        try session.tableNames(dialect).contains { $0 != "schema_migrations" }
    }

    /// For a file that is looked at before it is opened as a store.
    static let exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'"
    static let foreignTables = """
        SELECT 1 FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name != 'schema_migrations'
        """

    /// Ordered by number; empty when there is no such table yet.
    static func rows(in session: any SQLSession, _ dialect: SQLDialect) throws -> [MigrationStatus.Applied] {
        guard try session.tableNames(dialect).contains("schema_migrations") else { return [] }
        let rows = "SELECT number, slug, checksum, applied_at FROM schema_migrations ORDER BY number"
        return try session.query(rows) { row in
            MigrationStatus.Applied(
                number: Int(try row.integer(0)), slug: try row.text(1), checksum: try row.text(2),
                appliedAt: try row.text(3))
        }
    }
}
