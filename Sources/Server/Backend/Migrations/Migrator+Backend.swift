package import SQLDatabase

extension Migrator {
    /// The schema of the server's store.
    package static func backend(_ dialect: SQLDialect) -> Migrator {
        switch dialect {
        case .sqlite: Migrator(migrations: SQLiteMigrations.all)
        case .postgres: Migrator(migrations: PostgresMigrations.all)
        }
    }
}
