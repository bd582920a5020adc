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
        let isMigrated = try isMigrated()
        // Before the migrations, which may be incomplete too.
        if try StoreCopy.isUnfinished(store) { throw StartError.unfinishedCopy }
        switch migrations {
        case .apply: try migrate()
        case .require where !isMigrated: throw StartError.notMigrated
        case .require, .leave: break
        }
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

/// The paths of a database's files, whether or not they exist.
package struct StoreFiles: Sendable {
    /// Nil for PostgreSQL.
    package let store: String?
    /// The folder of the SQLite file; nil for PostgreSQL.
    var folder: String? { store.map { FilePath.split($0).folder } }
    /// Nil if the logos are in the database.
    package let logos: LogoFolder?
    package let backups: BackupFolder

    package init(settings: Settings) {
        store = settings[\.databaseURL].filePath
        let folder = store.map { FilePath.split($0).folder } ?? "\(FileManager.default.currentDirectoryPath)/data"
        let logoFolder = settings[\.logoFolder] ?? (store == nil ? nil : "\(folder)/logos")
        logos = logoFolder.map { LogoFolder(path: $0) }
        backups = BackupFolder(path: settings[\.backupFolder] ?? "\(folder)/backups")
    }

    /// For the newest backup, and for the folders that a restore writes to.
    var restoreDrill: RestoreDrill {
        RestoreDrill(
            folder: backups, targets: [folder, store == nil ? nil : logos?.path].compactMap(\.self),
            random: OpenStore.random)
    }

    /// Verifies the newest backup.
    package func drill() throws -> (backup: String, copy: RestoredCopy) {
        try restoreDrill.run(
            at: OpenStore.now(), in: store.map { FilePath.split($0).folder })
    }

    /// Replaces the database with a backup.
    package func restore(
        _ backup: String, by actor: Actor
    ) throws -> (store: String, copy: RestoredCopy, kept: String?) {
        guard let store, let logos else { throw StartError.notAFile("restore it with the tool that made its backup") }
        let restored = try Restore(storePath: store, logos: logos, now: OpenStore.now, random: OpenStore.random)
            .run(backup, by: actor)
        return (store, restored.copy, restored.kept)
    }
}

extension OpenStore {
    /// Writes a backup; the database stays writable during the backup.
    package func backUp(to folder: BackupFolder) throws -> (path: String, manifest: BackupManifest) {
        guard let sqlite, let logos = files.logos else {
            throw StartError.notAFile("back it up with pg_dump, or copy it into a file with subguardd migrate-store")
        }
        return try BackupWriter(store: sqlite, logos: logos, program: BuildInfo.version).write(
            to: folder, at: context.now())
    }
}

/// The user rights with which a command uses the files of a database.
package enum StoreRights {
    /// Drops to the rights of the owner of the database folder if root runs the command. Does nothing for other users,
    /// for a database owned by root, and for PostgreSQL.
    ///
    /// Call it after reading the settings, the certificates and the files named on the command line, and before using
    /// any file of the database. `FileRights` determines the owner.
    ///
    /// - Parameter permanently: whether root's rights are dropped permanently, as a server does.
    package static func assume(_ settings: Settings, permanently: Bool = false) throws {
        try assume([StoreFiles(settings: settings).store].compactMap(\.self), permanently: permanently)
    }

    /// The same for the SQLite databases among these URLs. Throws ``StoreRightsError`` if they have different owners.
    package static func assume(urls: [String]) throws {
        // An invalid URL is reported when the database is opened.
        try assume(urls.compactMap { (try? SQLDatabaseURL($0))?.filePath }, permanently: false)
    }

    private static func assume(_ paths: [String], permanently: Bool) throws {
        guard geteuid() == 0, !paths.isEmpty else { return }
        let rights = try paths.map { try FileRights(ofFile: $0) }
        guard let first = rights.first, rights.allSatisfy({ $0.user == first.user }) else {
            throw StoreRightsError(paths: paths, users: rights.map(\.user))
        }
        try ProcessIdentity.assume(user: first.user, folderGroup: first.group, permanently: permanently)
    }
}

/// The databases belong to different users: root must not copy files from one user to another.
package struct StoreRightsError: Error, CustomStringConvertible {
    let paths: [String]
    let users: [UInt32]

    package var description: String {
        let list = zip(paths, users).map { "\($0) to user \($1)" }.joined(separator: ", ")
        return "the stores belong to different users (\(list)): change the owner of one folder first"
    }
}
