import Foundation

/// Migrates the schema of a database to the program's version, forward only.
///
/// Applied migrations are recorded in `schema_migrations`. Several processes may migrate one database at the same time:
/// each migration first takes the write lock and reads the record again, so only one process applies it. Programs of
/// the release before may go on meanwhile and afterwards, as far as each migration declares it
/// (``Migration/oldestReader``).
package struct Migrator: Sendable {
    /// What is written in the transaction of each migration besides it.
    package typealias Companion = (any SchemaSession) throws -> Void

    package let migrations: [Migration]

    /// How long to wait for another migrating process. Default 10 minutes.
    package var lockTimeout = Duration.seconds(600)

    /// Whether a database may have newer migrations, provided that each of them lets this program run.
    package var acceptsNewer = false

    /// How to carry over what a database of a build before 0.1.0 holds. Its first migration has another name:
    /// migrations began anew with 0.1.0.
    package var adviceForEarlierBuilds = ""

    /// `migrations` must be numbered 1, 2, 3, … in order.
    package init(migrations: [Migration]) {
        self.migrations = migrations
    }

    /// Returns applied and pending migrations. Throws ``MigrationError`` if the two lists are inconsistent.
    package func status(of store: any SQLStore) throws -> MigrationStatus {
        try store.read { try status(in: $0, store.dialect) }
    }

    /// Applies pending migrations, each in one transaction together with its record, and returns those that it applied.
    ///
    /// `now` is the recorded time: RFC 3339, UTC. A database that already has migrations is copied first
    /// (``SchemaStore/keepCopy(beforeMigration:)``). `alongside` runs at the end of each transaction.
    ///
    /// Throws ``MigrationError``, before any write if the lists are inconsistent. A failed migration is rolled back;
    /// earlier ones stay.
    @discardableResult
    package func migrate(
        _ store: any SchemaStore, now: String, alongside: Companion = { _ in }
    ) throws -> [Migration] {
        guard try !status(of: store).isUpToDate else { return [] }
        var applied: [Migration] = []
        while let migration = try applyPatiently(to: store, now: now, copiesFirst: applied.isEmpty, alongside) {
            applied.append(migration)
        }
        return applied
    }

    /// A migration that waits for a table in use gives way, so that others do not wait behind it, and tries again.
    private func applyPatiently(
        to store: any SchemaStore, now: String, copiesFirst: Bool, _ alongside: Companion
    ) throws -> Migration? {
        let end = ContinuousClock.now + lockTimeout
        while true {
            do {
                return try applyNext(to: store, now: now, copiesFirst: copiesFirst, alongside)
            } catch MigrationError.failed(_, _, _, let cause) where cause.isLockTimeout && ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: Self.secondsBetweenAttempts)
            }
        }
    }

    private static let secondsBetweenAttempts = 0.5

    private func applyNext(
        to store: any SchemaStore, now: String, copiesFirst: Bool, _ alongside: Companion
    ) throws -> Migration? {
        var current: Migration?
        do {
            return try store.alterSchema(lockTimeout: lockTimeout) { session in
                let status = try status(in: session, store.dialect)
                guard let migration = status.pending.first else { return nil }
                if copiesFirst, !status.applied.isEmpty { try store.keepCopy(beforeMigration: migration.number) }
                current = migration
                try apply(migration, in: session, store.dialect, now: now)
                try alongside(session)
                return migration
            }
        } catch let error as SQLError {
            guard let current else { throw error }
            throw MigrationError.failed(number: current.number, slug: current.slug, statement: 0, cause: error)
        }
    }

    private func apply(
        _ migration: Migration, in session: any SchemaSession, _ dialect: SQLDialect, now: String
    ) throws {
        do {
            try session.runScript(migration.sql)
        } catch ScriptError.forbidden(let statement, let keyword) {
            throw MigrationError.forbiddenStatement(
                number: migration.number, slug: migration.slug, statement: statement, keyword: keyword)
        } catch ScriptError.failed(let statement, let cause) {
            throw MigrationError.failed(
                number: migration.number, slug: migration.slug, statement: statement, cause: cause)
        }
        try session.execute(MigrationTable.create(dialect))
        if try !MigrationTable.hasReaders(session, dialect) { try session.execute(MigrationTable.addReaders) }
        try session.execute(
            MigrationTable.insert,
            [
                .integer(Int64(migration.number)), .text(migration.slug), .text(migration.checksum), .text(now),
                .integer(Int64(migration.oldestReader)),
            ])
    }

    private func status(in session: any SQLSession, _ dialect: SQLDialect) throws -> MigrationStatus {
        let applied = try MigrationTable.rows(in: session, dialect)
        try requireFit(applied)
        if applied.isEmpty, try MigrationTable.isForeign(session, dialect) { throw MigrationError.foreignStore }
        return MigrationStatus(
            applied: applied, pending: Array(migrations.dropFirst(applied.count)),
            newer: Array(applied.dropFirst(migrations.count)))
    }

    private func requireFit(_ applied: [MigrationStatus.Applied]) throws {
        for (index, migration) in migrations.enumerated() where migration.number != index + 1 {
            throw MigrationError.invalidList(number: migration.number)
        }
        // From 0.1.0 on the first migration is for ever, so that another one is from before that.
        if let first = applied.first, first.number == 1, let own = migrations.first, first.slug != own.slug {
            throw MigrationError.earlierBuild(advice: adviceForEarlierBuilds)
        }
        // Checked next: nothing else can be judged in the database of a newer program.
        let refusing = applied.first { row in
            !migrations.indices.contains(row.number - 1)
                && !(acceptsNewer && row.oldestReader ?? row.number <= migrations.count)
        }
        if let refusing {
            throw MigrationError.storeFromTheFuture(number: refusing.number, slug: refusing.slug)
        }
        for (index, row) in applied.enumerated() {
            guard row.number == index + 1 else { throw MigrationError.missingInStore(number: index + 1) }
            guard migrations.indices.contains(index) else { continue }
            guard row.checksum == migrations[index].checksum else {
                throw MigrationError.checksumMismatch(number: row.number, slug: row.slug)
            }
        }
    }
}

/// The table that records applied migrations.
package enum MigrationTable {
    package static let name = "schema_migrations"

    package static func create(_ dialect: SQLDialect) -> String {
        """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            number INTEGER PRIMARY KEY,
            slug TEXT NOT NULL,
            checksum TEXT NOT NULL,
            applied_at TEXT NOT NULL,
            oldest_reader INTEGER
        )\(dialect == .sqlite ? " STRICT" : "")
        """
    }

    static let insert =
        "INSERT INTO schema_migrations (number, slug, checksum, applied_at, oldest_reader) VALUES (?, ?, ?, ?, ?)"

    /// For a table that was created before migrations declared their oldest reader.
    static let addReaders = "ALTER TABLE schema_migrations ADD COLUMN oldest_reader INTEGER"

    static func hasReaders(_ session: any SQLSession, _ dialect: SQLDialect) throws -> Bool {
        let sql =
            switch dialect {
            case .sqlite: "SELECT 1 FROM pragma_table_info('schema_migrations') WHERE name = 'oldest_reader'"
            case .postgres:
                """
                SELECT 1 FROM pg_attribute WHERE attrelid = 'schema_migrations'::regclass
                AND attname = 'oldest_reader' AND NOT attisdropped
                """
            }
        return try session.first(sql) { try $0.integer(0) } != nil
    }

    /// Whether there are tables, but no table of migrations.
    static func isForeign(_ session: any SQLSession, _ dialect: SQLDialect) throws -> Bool {
        try session.tableNames(dialect).contains { $0 != "schema_migrations" }
    }

    /// Ordered by number; empty if there is no such table yet.
    static func rows(in session: any SQLSession, _ dialect: SQLDialect) throws -> [MigrationStatus.Applied] {
        guard try session.tableNames(dialect).contains("schema_migrations") else { return [] }
        let reader = try hasReaders(session, dialect) ? "oldest_reader" : "NULL"
        let rows = "SELECT number, slug, checksum, applied_at, \(reader) FROM schema_migrations ORDER BY number"
        return try session.query(rows) { row in
            MigrationStatus.Applied(
                number: Int(try row.integer(0)), slug: try row.text(1), checksum: try row.text(2),
                appliedAt: try row.text(3), oldestReader: try row.optionalInteger(4).map(Int.init))
        }
    }
}
