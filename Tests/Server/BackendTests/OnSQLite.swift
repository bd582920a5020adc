import TestKit
import Testing

extension Trait where Self == ConditionTrait {
    /// For what is about the file of an SQLite store, of which PostgreSQL has none.
    static var onSQLite: Self {
        .enabled(if: TestDatabase.chosen == .sqlite, "about the file of an SQLite store")
    }
}
