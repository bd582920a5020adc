package import SQLDatabase

extension Migrator {
    /// The schema of the server's store.
    package static func backend(_ dialect: SQLDialect) -> Migrator {
        var migrator =
            switch dialect {
            case .sqlite: Migrator(migrations: SQLiteMigrations.all)
            case .postgres: Migrator(migrations: PostgresMigrations.all)
            }
        migrator.adviceForEarlierBuilds = """
            With that build, run `subguardd catalogue export` and, if the events are needed elsewhere, \
            `subguardd events export`; then begin a new database with this one and run `subguardd catalogue import`
            """
        return migrator
    }
}
