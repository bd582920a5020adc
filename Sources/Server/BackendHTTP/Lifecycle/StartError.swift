import Backend
package import HTTPServer
package import SQLDatabase

/// Why the server does not start, described for the operator.
package enum StartError: Error, CustomStringConvertible {
    case notMigrated
    case noStore(path: String)
    case storeIsRestored
    case unfinishedCopy
    case databaseCannotBeReached(SQLDatabaseURL, SQLError)
    case pooledByTransaction
    /// The database acknowledges commits before they are where they were promised to be.
    case commitsAreNotDurable(DurabilityFault, standbys: Int)
    /// The operation requires the file of an SQLite database.
    case notAFile(String)
    case storeCannotBeOpened(path: String, SQLError)
    case cannotListen(ListenError)
    case cannotRedirect(ListenError)
    case cannotServeMetrics(ListenError)
    case tls(TLSError)
    case rootCertificates(path: String)
    case certificateAuthorities(path: String)

    package var description: String {
        switch self {
        case .storeIsRestored:
            "SUBGUARD_DATABASE_URL: the store is being restored; start the server when the restore has finished"
        case .unfinishedCopy:
            "SUBGUARD_DATABASE_URL: the store is an unfinished copy of another one: run `subguardd migrate-store` again"
        case .noStore(let path): "SUBGUARD_DATABASE_URL: there is no database at \(path): run `subguardd migrate` first"
        case .notMigrated: "the database needs migration: run `subguardd migrate` first"
        case .storeCannotBeOpened(let path, let error):
            "SUBGUARD_DATABASE_URL: \(path) cannot be opened: \(Self.words(for: error)) (SQLite error \(error.number))"
        case .cannotListen(let error): "SUBGUARD_HOST, SUBGUARD_PORT: \(error)"
        case .cannotRedirect(let error): "SUBGUARD_HTTP_REDIRECT_PORT: \(error)"
        case .cannotServeMetrics(let error): "SUBGUARD_METRICS_HOST, SUBGUARD_METRICS_PORT: \(error)"
        case .tls(let error):
            "\((error.part == .key ? Settings.list.tlsKey : Settings.list.tlsCertificate).variable): \(error)"
        case .rootCertificates(let path):
            "\(Settings.list.appStoreRootCertificates.variable): \(path) cannot be read, or holds no PEM certificate"
        case .certificateAuthorities(let path):
            "\(Settings.list.alertsCAFile.variable): \(path) cannot be read, or holds no PEM certificate"
        case .databaseCannotBeReached(let url, let error):
            "SUBGUARD_DATABASE_URL: \(url): \(Self.reach(error)) (\(error.code.rawValue))"
        case .pooledByTransaction:
            "SUBGUARD_DATABASE_URL: this leads to a pooler that pools by transaction, but the server needs sessions for "
                + "prepared statements and notifications: use a pool by session (PgBouncer: pool_mode = session)"
        case .commitsAreNotDurable(.level(let level), let standbys):
            "SUBGUARD_DATABASE_URL: synchronous_commit is \(level), so acknowledged data may be lost: set it to on"
                + (standbys > 0 ? ", or lower SUBGUARD_DATABASE_SYNCHRONOUS_STANDBYS" : "")
        case .commitsAreNotDurable(.standbys(let count), let standbys):
            "SUBGUARD_DATABASE_SYNCHRONOUS_STANDBYS: \(standbys), but synchronous_standby_names waits for \(count)"
        case .notAFile(let advice): "SUBGUARD_DATABASE_URL: a PostgreSQL database is not a file; \(advice)"
        }
    }

    /// The reason why a database cannot be opened.
    static func reason(_ error: SQLError, of url: SQLDatabaseURL) -> String {
        switch url.location {
        case .sqlite: words(for: error)
        case .postgres: reach(error)
        }
    }

    private static func words(for error: SQLError) -> String {
        switch error.code {
        case .corrupt: "it is not an SQLite database"
        case .readOnly: "it is read-only"
        case .diskFull: "the disk is full"
        case .busy: "another program has locked it"
        default: "check the path, and that this user may read and write there"
        }
    }

    static func reach(_ error: SQLError) -> String {
        switch error.code {
        case .disconnected: "no server responds there, or its certificate is not trusted"
        case .cannotOpen: "the server rejects this user, password or database"
        case .busy: "the server has no free connection"
        default: "the server rejects the connection"
        }
    }
}
