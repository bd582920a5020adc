import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

/// The privacy report: the current contents of the database, table by table and column by column.
package struct PrivacyReport: Sendable {
    package struct Column: Sendable {
        package let name: String
        package let type: String
        package let meaning: String?
    }

    package struct Table: Sendable {
        package let name: String
        package let purpose: Sentence
        package let subject: PrivacyRegistry.Subject
        package let retention: Sentence
        package let columns: [Column]
        /// At most ``PrivacyReport/countedRows``.
        package let rows: Int64
        /// What the rows hold; nil if each holds one.
        package let records: Int64?
        package let lastPurgedAt: UTCInstant?

        package var rowsAreExact: Bool { rows < PrivacyReport.countedRows }
    }

    /// Counting stops here, so that a public request cannot scan a large table.
    package static let countedRows: Int64 = 1_000_000

    package let generatedAt: UTCInstant
    /// By name.
    package let tables: [Table]

    /// Reads schema and counts from one snapshot.
    package init(context: BackendContext, registry: PrivacyRegistry) throws {
        let purges = try RetentionLog(context: context).lastRuns()
        generatedAt = context.now()
        tables = try context.store.read { session in
            let dialect = context.store.dialect
            return try session.tableNames(dialect).map { name in
                let entry = registry.tables[name]
                let columns = try session.columns(ofTable: name, dialect).map { column in
                    Column(name: column.name, type: column.type, meaning: entry?.fields[column.name])
                }
                return Table(
                    name: name, purpose: entry?.purpose ?? "Not described.", subject: entry?.subject ?? .devices,
                    retention: entry?.retention ?? "Not described.", columns: columns,
                    rows: try Self.count(name, in: session),
                    records: try entry?.countingRecords.map { try session.integer($0) ?? 0 },
                    lastPurgedAt: purges[name])
            }
        }
    }

    /// The name comes from the schema, never from input; it is quoted nevertheless.
    private static func count(_ table: String, in session: any SQLSession) throws -> Int64 {
        let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
        return try session.integer(
            "SELECT count(*) FROM (SELECT 1 FROM \(quoted) LIMIT \(countedRows)) AS counted") ?? 0
    }
}

/// Records when each kind of data was last purged.
package struct RetentionLog: Sendable {
    private let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// Records a purge of these tables, even if it deleted nothing. `removed` is their total number of rows.
    package func note(_ tables: String..., removed: Int) throws {
        try context.store.write { transaction in
            for table in tables {
                try transaction.execute(
                    """
                    INSERT INTO retention_runs (subject, ran_at, removed_count) VALUES (?, ?, ?)
                    ON CONFLICT (subject) DO UPDATE SET ran_at = excluded.ran_at, removed_count = excluded.removed_count
                    """, [.text(table), .instant(context.now()), .integer(Int64(removed))])
            }
        }
    }

    /// By table.
    package func lastRuns() throws -> [String: UTCInstant] {
        let runs = try context.store.read { session in
            try session.query("SELECT subject, ran_at FROM retention_runs") { (try $0.text(0), try $0.instant(1)) }
        }
        return Dictionary(runs) { _, last in last }
    }
}
