import SQLDatabase
import SubGuardSQL

/// Finds out whether the store takes writes, by writing.
package struct StoreProbe: Sendable {
    private let context: BackendContext

    package init(context: BackendContext) {
        self.context = context
    }

    /// Commits one real write, to the same row each time. Throws what the store throws: a full disk or a file that became
    /// read-only shows here and not only when a device loses its events.
    package func check() throws {
        let now = context.now()
        let changed = try context.store.write { transaction in
            try transaction.execute(
                "UPDATE health_probe SET write_count = write_count + 1, probed_at = ? WHERE id = 1", [.instant(now)])
        }
        guard changed == 1 else { throw SQLError(code: .corrupt, number: 0, context: "health_probe row missing") }
    }
}
