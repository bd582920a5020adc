package import Catalogue
import EventLog
import FileAccess
import Foundation
package import Operations
import PostgresDatabase
package import SQLDatabase
package import SQLiteDatabase
package import ServerAccess
package import SubGuardDomain

/// An open database with the schema of this version.
package struct OpenStore: Sendable {
    package let context: BackendContext
    private let store: any SchemaStore
    package let files: StoreFiles
    /// Keeps a restore from replacing the file. Nil where locking is impossible.
    private let lock: StoreLock?
    package let logos: any LogoContents
    package var backups: BackupFolder { files.backups }
    /// Nil unless the database is a single file.
    package var sqlite: SQLiteStore? { store as? SQLiteStore }
    private var migrator: Migrator {
        var migrator = Migrator.backend(store.dialect)
        migrator.acceptsNewer = true
        return migrator
    }

    /// How to handle pending migrations.
    package enum Migrations {
        case apply
        /// Throws ``StartError/notMigrated``.
        case require
        /// Leaves them to the caller.
        case leave
    }

    /// Throws ``StartError``, `SQLError` or `MigrationError`.
    package init(
        settings: Settings, migrations: Migrations, now: @escaping @Sendable () -> UTCInstant = OpenStore.now
    ) throws {
        files = StoreFiles(settings: settings)
        let url = settings[\.databaseURL]
        if let path = files.store {
            // Opening would create the file, which must not happen for a mistyped path. A link counts as a file, even
            // if its target is missing.
            if case .require = migrations, (try? FileManager.default.attributesOfItem(atPath: path)) == nil {
                throw StartError.noStore(path: path)
            }
            lock = try Self.lock(path)
            if case .apply = migrations, lock != nil, try !Restore.removeRemains(of: path) {
                throw StartError.restoreWasInterrupted(path: path)
            }
            // Before opening, which would switch another program's database to WAL.
            try SQLiteStore.requireOwn(path: path)
        } else {
            lock = nil
        }
        do {
            store = try url.open(standby: settings[\.databaseReadURL], postgres: PostgresOptions(settings))
        } catch let error as SQLError {
            throw files.store.map { StartError.storeCannotBeOpened(path: $0, error) }
                ?? StartError.databaseCannotBeReached(url, reason: StartError.reason(error, of: url))
        }
        logos = files.logos ?? LogoTable(store: store)
        context = BackendContext(store: store, now: now, random: Self.random)
        do {
            try prepare(migrations, url)
        } catch let error as SQLError {
            throw StartError.databaseFails(url, error)
        }
    }

    private func prepare(_ migrations: Migrations, _ url: SQLDatabaseURL) throws {
        guard try !store.isPooledByTransaction() else { throw StartError.pooledByTransaction }
        if let encoding = try store.foreignEncoding() { throw StartError.encoding(url, encoding) }
        if case .apply = migrations { try migrate() }
        let isMigrated = try isMigrated()
        if case .require = migrations, !isMigrated { throw StartError.notMigrated }
        if isMigrated, try StoreCopy.isUnfinished(store) { throw StartError.unfinishedCopy }
    }

    private static func lock(_ path: String) throws -> StoreLock? {
        do {
            guard let lock = try StoreLock(store: path, alone: false) else { throw StartError.storeIsRestored }
            return lock
        } catch let error as StartError {
            throw error
        } catch let error as FileFailure where error.isUnsafe {
            throw error
        } catch {
            // A folder that is not writable is reported when the database is opened.
            return nil
        }
    }

    /// Applies pending migrations and returns their names.
    @discardableResult
    package func migrate() throws -> [String] {
        try migrator.migrate(store, now: context.now().rfc3339).map { "\($0.number)-\($0.slug)" }
    }

    package func isMigrated() throws -> Bool {
        try migrator.status(of: store).isUpToDate
    }

    /// The schema, as far as this program is concerned. Throws ``MigrationError`` for one on which it must not run.
    package func schema() throws -> SchemaState {
        guard try isMigrated() else { return .pending }
        return try migrationStatus().newer.isEmpty ? .current : .newer
    }

    /// Migrations that this database has, and those that it lacks.
    package func migrationStatus() throws -> MigrationStatus { try migrator.status(of: store) }

    /// Why a commit may be lost although it was promised to be on disk, also on that many standbys.
    func durabilityFault(standbys: Int) throws -> DurabilityFault? { try store.durabilityFault(standbys: standbys) }

    package func close() { try? store.close() }

    package static let now: @Sendable () -> UTCInstant = {
        UTCInstant(Date())
    }

    package static let random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
}

/// How the schema of a database relates to this program.
package enum SchemaState: Sendable {
    case current
    /// A newer release has migrated the database, and this one may go on.
    case newer
    /// Migrations are pending.
    case pending
}
