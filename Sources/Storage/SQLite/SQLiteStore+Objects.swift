package import SQLDatabase

/// The tables, indexes, views and triggers of a database, compared with those that its migrations make.
extension SQLiteStore {
    /// How the database differs from a new one with the same migrations, in words; empty if it does not. A trigger or a
    /// view of another program would change what later statements do.
    ///
    /// The database must be one of `migrator`'s: see ``Migrator/status(of:)``. No row is read before the statement of
    /// its table was compared: a foreign column could compute anything.
    package func objectDifferences(_ migrator: Migrator) throws -> [String] {
        let record = ObjectName(kind: "table", name: MigrationTable.name, table: MigrationTable.name)
        // As SQLite keeps the statement.
        let expectedRecord = MigrationTable.create(.sqlite).replacing("IF NOT EXISTS ", with: "")
        // A forged schema may say that it belongs to another table.
        let records = try objects([record.name]).filter { $0.key.name == record.name }
        guard records.isEmpty || records == [record: SchemaStatement(expectedRecord, tables: [])] else {
            return ["\(record.text) differs"]
        }
        let applied = Set(try migrator.status(of: self).applied.map(\.number))
        let fresh = try SQLiteStore.temporary()
        defer { try? fresh.close() }
        try Migrator(migrations: migrator.migrations.filter { applied.contains($0.number) })
            .migrate(fresh, now: "1970-01-01T00:00:00Z")
        let tables = try fresh.tableNames()
        let (expected, found) = (try fresh.objects(tables), try objects(tables))
        let foreign = found.keys.filter { expected[$0] == nil }.map { "\($0.text) is not part of it" }
        let missing = expected.keys.filter { found[$0] == nil }.map { "\($0.text) is missing" }
        let changed = expected.filter { found[$0.key] != nil && found[$0.key] != $0.value }.map {
            "\($0.key.text) differs"
        }
        return foreign.sorted() + missing.sorted() + changed.sorted()
    }

    private struct ObjectName: Hashable {
        let kind: String
        let name: String
        /// The table that an index or a trigger belongs to.
        let table: String

        /// Names come from the file, so they are quoted.
        var text: String { "\(kind) \(String(reflecting: name))" }
    }

    private func tableNames() throws -> Set<String> {
        Set(try read { try $0.query("SELECT name FROM sqlite_schema WHERE type = 'table'") { try $0.text(0) } })
    }

    /// The statement that made each object. Those of SQLite itself are left out: they follow from others, or hold
    /// statistics.
    ///
    /// - Parameter tables: the names of all tables that are expected.
    private func objects(_ tables: Set<String>) throws -> [ObjectName: SchemaStatement] {
        let rows = try read { session in
            try session.query("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema") { row in
                (
                    ObjectName(kind: try row.text(0), name: try row.text(1), table: try row.text(2)),
                    SchemaStatement(try row.text(3), tables: tables)
                )
            }
        }
        let own = rows.filter { object, statement in
            switch object.kind {
            case "index": !statement.tokens.isEmpty
            case "table": !object.name.hasPrefix("sqlite_")
            default: true
            }
        }
        return Dictionary(own) { first, _ in first }
    }
}
