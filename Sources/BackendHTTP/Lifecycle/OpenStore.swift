package import Backend
import Foundation
package import HTTPServer
package import SQLDatabase
package import SubGuardDomain

/// A store that is open and has the schema of this program.
package struct OpenStore: Sendable {
    package let context: BackendContext
    let sqlite: SQLiteStore
    private let files: StoreFiles
    /// While it is held no restore puts another file in the place of this one. Nil where no lock can be made.
    private let lock: StoreLock?
    /// Where the files of logos lie.
    package var logos: LogoFolder { files.logos }
    /// Where backups lie.
    package var backups: BackupFolder { files.backups }

    static let migrator = Migrator(migrations: SQLiteMigrations.all)

    /// What to do about a store that lacks migrations.
    package enum Migrations {
        case apply
        /// Throws ``StartError/notMigrated``.
        case require
        /// The caller will see to it.
        case leave
    }

    /// Throws ``StartError``, `SQLError` or `MigrationError`.
    package init(
        settings: Settings, migrations: Migrations, now: @escaping @Sendable () -> UTCInstant = OpenStore.now
    ) throws {
        files = try StoreFiles(settings: settings)
        let path = files.store
        // Opening would create it, and nothing shall be left of a mistyped path.
        if case .require = migrations, !FileManager.default.fileExists(atPath: path) {
            throw StartError.noStore(path: path)
        }
        lock = try Self.lock(path)
        do {
            sqlite = try SQLiteStore(path: path)
        } catch let error as SQLError {
            throw StartError.storeCannotBeOpened(path: path, error)
        }
        context = BackendContext(store: sqlite, now: now, random: Self.random)
        switch migrations {
        case .apply: try migrate()
        case .require:
            if try !isMigrated() { throw StartError.notMigrated }
        case .leave: break
        }
    }

    private static func lock(_ path: String) throws -> StoreLock? {
        do {
            guard let lock = try StoreLock(store: path, alone: false) else { throw StartError.storeIsRestored }
            return lock
        } catch let error as StartError {
            throw error
        } catch {
            // A folder that nobody may write to says why when the store is opened.
            return nil
        }
    }

    /// Applies what is pending and returns the names of it.
    @discardableResult
    package func migrate() throws -> [String] {
        let names = try Self.migrator.migrate(sqlite, now: context.now().rfc3339).map { "\($0.number)-\($0.slug)" }
        // In portions of its own: a migration is one transaction.
        try EventLog(context: context).adoptRows()
        return names
    }

    package func isMigrated() throws -> Bool {
        try Self.migrator.status(of: sqlite).isUpToDate && !EventLog.hasRows(sqlite)
    }

    package func close() { try? sqlite.close() }

    package static let now: @Sendable () -> UTCInstant = {
        UTCInstant(millisecondsSinceEpoch: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }

    package static let random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
}

/// Why the server does not start, in words for the operator.
package enum StartError: Error, CustomStringConvertible {
    case notMigrated
    case noStore(path: String)
    case storeIsRestored
    case postgresNotSupported
    case storeCannotBeOpened(path: String, SQLError)
    case cannotListen(ListenError)
    case cannotRedirect(ListenError)
    case tls(TLSError)
    case rootCertificates(path: String)

    package var description: String {
        switch self {
        case .storeIsRestored: "SUBGUARD_DATABASE_URL: the store is being restored; start again when that is done"
        case .noStore(let path): "SUBGUARD_DATABASE_URL: there is no store at \(path): run `subguardd migrate` first"
        case .notMigrated: "the store lacks migrations: run `subguardd migrate` first"
        case .storeCannotBeOpened(let path, let error):
            "SUBGUARD_DATABASE_URL: \(path) cannot be opened: \(Self.words(for: error)) (SQLite error \(error.number))"
        case .cannotListen(let error): "SUBGUARD_HOST, SUBGUARD_PORT: \(error)"
        case .cannotRedirect(let error): "SUBGUARD_HTTP_REDIRECT_PORT: \(error)"
        case .tls(let error):
            "\((error.part == .key ? Setting.tlsKey : .tlsCertificate).variable): \(error)"
        case .rootCertificates(let path):
            "\(Setting.appStoreRootCertificates.variable): \(path) cannot be read, or holds no PEM certificate"
        case .postgresNotSupported: "SUBGUARD_DATABASE_URL: PostgreSQL is not supported yet, use sqlite:PATH"
        }
    }

    private static func words(for error: SQLError) -> String {
        switch error.code {
        case .corrupt: "it is not an SQLite database"
        case .readOnly: "it may only be read"
        case .diskFull: "the disk is full"
        case .busy: "another program holds it"
        default: "is the path right, and may this user read and write there?"
        }
    }
}
