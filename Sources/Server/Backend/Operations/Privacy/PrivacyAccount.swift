import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// What this store keeps, table by table and column by column, as it is now.
package struct PrivacyAccount: Sendable {
    package struct Field: Sendable {
        package let name: String
        package let type: String
        package let meaning: String?
    }

    package struct Table: Sendable {
        package let name: String
        package let purpose: String
        package let subject: PrivacyRegistry.Subject
        package let retention: String
        package let fields: [Field]
        /// At most ``PrivacyAccount/countedRows``.
        package let rows: Int64
        package let lastPurgedAt: UTCInstant?

        package var rowsAreExact: Bool { rows < PrivacyAccount.countedRows }
    }

    /// Counting stops here: it must not read a large table from end to end for whoever asks.
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
                let fields = try session.columns(ofTable: name, dialect).map { column in
                    Field(name: column.name, type: column.type, meaning: entry?.fields[column.name])
                }
                return Table(
                    name: name, purpose: entry?.purpose ?? "Not described.", subject: entry?.subject ?? .devices,
                    retention: entry?.retention ?? "Not described.", fields: fields,
                    rows: try Self.count(name, in: session), lastPurgedAt: purges[name])
            }
        }
    }

    /// The name comes from the schema, never from outside; quoted all the same.
    private static func count(_ table: String, in session: any SQLSession) throws -> Int64 {
        let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
        return try session.first(
            "SELECT count(*) FROM (SELECT 1 FROM \(quoted) LIMIT \(countedRows)) AS counted"
        ) { try $0.integer(0) } ?? 0
    }
}
