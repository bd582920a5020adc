import SQLDatabase

extension BackendFixture {
    /// Runs a statement written in SQLite's dialect.
    package func execute(_ sqlite: String) throws {
        _ = try store.write { try $0.execute(words(sqlite)) }
    }

    /// Translates SQLite's blob literals to the dialect of the database.
    package func words(_ sqlite: String) -> String {
        guard store.dialect == .postgres else { return sqlite }
        return sqlite.replacing(/zeroblob\((length\(\w+\)|\d+)\)/) { "decode(repeat('00', \($0.1)), 'hex')" }
            .replacing(/\bx'([0-9A-F]*)'/) { "CAST('\\x\($0.1)' AS BYTEA)" }
            .replacing("AS BLOB", with: "AS BYTEA")
            .replacing("INSERT OR REPLACE", with: "INSERT")
    }

    /// Makes the database reject rows of a table for which a condition over `NEW` is true.
    package func refuseRows(of table: String, when condition: String) throws {
        switch store.dialect {
        case .sqlite:
            try execute(
                """
                CREATE TRIGGER refusal BEFORE INSERT ON \(table) WHEN \(condition)
                BEGIN SELECT RAISE(ABORT, 'no'); END
                """)
        case .postgres:
            try execute(
                "CREATE FUNCTION refusal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$")
            try execute(
                """
                CREATE TRIGGER refusal BEFORE INSERT ON \(table) FOR EACH ROW WHEN (\(condition))
                EXECUTE FUNCTION refusal()
                """)
        }
    }

    /// Undoes ``refuseRows(of:when:)``.
    package func takeRows(of table: String) throws { try dropTrigger("refusal", of: table) }

    package func dropTrigger(_ name: String, of table: String) throws {
        try execute("DROP TRIGGER \(name)\(store.dialect == .postgres ? " ON \(table)" : "")")
    }

    /// The names of a table's columns in order.
    package func columns(of table: String) throws -> [String] {
        try store.read { try $0.columns(ofTable: table, store.dialect).map(\.name) }
    }
}
