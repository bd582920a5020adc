import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Remembers when each kind of data was last purged.
package struct RetentionLog: Sendable {
    private let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// Notes a purge of these tables, also one that found nothing to remove. `removed` are the rows of all of them.
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
