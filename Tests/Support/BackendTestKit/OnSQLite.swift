import TestKit
package import Testing

extension Trait where Self == ConditionTrait {
    /// For tests of the SQLite file, which PostgreSQL does not have.
    package static var onSQLite: Self {
        .enabled(if: TestDatabase.chosen == .sqlite, "about the file of an SQLite store")
    }
}
