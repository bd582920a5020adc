package import HTTPServer
import JSONWire
import Outbound
import PostgresDatabase
package import SQLDatabase
import SubGuardDomain

/// Why the server does not start, described for the operator.
package enum StartError: Error, CustomStringConvertible {
    case notMigrated
    case noStore(path: String)
    case storeIsRestored
    case restoreWasInterrupted(path: String)
    case unfinishedCopy
    case databaseCannotBeReached(SQLDatabaseURL, reason: String)
    /// The database answers, and a first statement fails.
    case databaseFails(SQLDatabaseURL, SQLError)
    /// The database's texts are not UTF-8.
    case encoding(SQLDatabaseURL, String)
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
        case .restoreWasInterrupted(let path):
            "SUBGUARD_DATABASE_URL: a restore was interrupted and there is no database at \(path): restore again; or "
                + "give the last \(path).before-restore-*, if any, its name back and remove \(path).restoring-*"
        case .unfinishedCopy:
            "SUBGUARD_DATABASE_URL: the store is an unfinished copy of another one: run `subguardd migrate-store` again"
        case .noStore(let path): "SUBGUARD_DATABASE_URL: there is no database at \(path): run `subguardd migrate` first"
        case .notMigrated: "the database needs migration: run `subguardd migrate` first"
        case .storeCannotBeOpened(let path, let error):
            "SUBGUARD_DATABASE_URL: \(path) cannot be opened: \(Self.words(for: error))"
        case .cannotListen(let error): "SUBGUARD_HOST, SUBGUARD_PORT: \(error)"
        case .cannotRedirect(let error): "SUBGUARD_HTTP_REDIRECT_PORT: \(error)"
        case .cannotServeMetrics(let error): "SUBGUARD_METRICS_HOST, SUBGUARD_METRICS_PORT: \(error)"
        case .tls(let error):
            "\((error.part == .key ? Settings.list.tlsKey : Settings.list.tlsCertificate).variable): \(error)"
        case .rootCertificates(let path):
            "\(Settings.list.appStoreRootCertificates.variable): \(path) cannot be read, or holds no PEM certificate"
        case .certificateAuthorities(let path):
            "\(Settings.list.alertsCAFile.variable): \(path) cannot be read, or holds no PEM certificate"
        case .databaseCannotBeReached(let url, let reason): "SUBGUARD_DATABASE_URL: \(url): \(reason)"
        case .databaseFails(let url, let error): "SUBGUARD_DATABASE_URL: \(url): \(error)"
        case .encoding(let url, let encoding):
            "SUBGUARD_DATABASE_URL: \(url): the encoding of this database is \(encoding): create one with "
                + "`createdb --encoding=UTF8 --template=template0`"
        case .pooledByTransaction:
            "SUBGUARD_DATABASE_URL: this leads to a pooler that pools by transaction, but the server needs sessions "
                + "for prepared statements and notifications: use a pool by session (PgBouncer: pool_mode = session)"
        case .commitsAreNotDurable(.level(let level), let standbys):
            "SUBGUARD_DATABASE_URL: synchronous_commit is \(level), so acknowledged data may be lost: set it to on"
                + (standbys > 0 ? ", or lower SUBGUARD_DATABASE_SYNCHRONOUS_STANDBYS" : "")
        case .commitsAreNotDurable(.standbys(let count), let standbys):
            "SUBGUARD_DATABASE_SYNCHRONOUS_STANDBYS: \(standbys), but synchronous_standby_names waits for \(count)"
        case .notAFile(let advice): "SUBGUARD_DATABASE_URL: a PostgreSQL database is not a file; \(advice)"
        }
    }

    /// The reason why a database cannot be opened. Tries to connect to PostgreSQL once more.
    static func reason(_ error: SQLError, of url: SQLDatabaseURL) -> String {
        switch url.location {
        case .sqlite: words(for: error)
        case .postgres: PostgresRefusal.find(url: url.text).sentence
        }
    }

    private static func words(for error: SQLError) -> String {
        let words =
            switch error.code {
            case .corrupt: "it is not an SQLite database"
            case .readOnly: "it is read-only"
            case .diskFull: "the disk is full"
            case .busy: "another program has locked it"
            default: "check the path, and that this user may read and write there"
            }
        return "\(words) (SQLite error \(error.number))"
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

extension PostgresRefusal {
    /// What went wrong, and what to do.
    fileprivate var sentence: String {
        switch self {
        case .refused(let state): "\(Self.answer(state)) (SQLSTATE \(state))"
        case .unknownHost: "this host is not known; check its name, and write an @ in a password as %40"
        case .nobodyListens: "no server responds there: check host and port, and that PostgreSQL runs"
        case .timeout: "no server responds there in time: check host, port and firewall"
        case .withoutTLS: "the server has no TLS: set it up, or add sslmode=disable in a network that you trust"
        case .certificate:
            "the server's certificate is not trusted: name the file of its authority with sslrootcert, or choose "
                + "another sslmode"
        case .parameter(let name): "the parameter \(name) has a value that PostgreSQL's library does not know"
        case .unknown: "the server rejects the connection"
        }
    }

    private static func answer(_ state: String) -> String {
        switch state {
        case "28P01": "the server rejects this user or password"
        case "28000": "the server does not let this user in: check that the role exists and may log in, and pg_hba.conf"
        case "3D000": "there is no database of this name: create it with `createdb --encoding=UTF8`"
        case "42501": "this user may not connect to the database: grant CONNECT"
        case "53300": "the server has no free connection"
        case "57P03": "the server is starting, stopping or recovering: try again"
        default: "the server rejects the connection"
        }
    }
}

/// The line that `serve` prints for its parent process.
package enum StartLine {
    /// The line on standard output once the server listens on `port`, including the line end: text, or one JSON object
    /// with `log_format: json`.
    package static func listening(_ settings: Settings, port: Int) -> String {
        let url = url(settings, host: settings[\.host], port: port)
        guard settings[\.logFormat] == .json else { return "subguardd \(BuildInfo.version) listening on \(url)\n" }
        return json("notice", "listening", [("version", BuildInfo.version), ("url", url)])
    }

    private static func url(_ settings: Settings, host: String, port: Int) -> String {
        if settings.listensOnUnixSocket { return host }
        let authority = host.contains(":") ? "[\(host)]" : host
        return "\(settings.usesTLS ? "https" : "http")://\(authority):\(port)"
    }

    /// The address for links to this server, without a slash at its end: `public_url`, else where it listens. A server
    /// that listens on every address is reached through localhost.
    package static func baseURL(_ settings: Settings) -> String {
        if let address = settings.publicAddress { return address.text }
        let host = settings[\.host]
        if settings.listensOnUnixSocket { return "\(settings.usesTLS ? "https" : "http")://localhost" }
        return url(settings, host: ["0.0.0.0", "::"].contains(host) ? "localhost" : host, port: settings[\.port])
    }

    /// The line on standard error when the server does not start, as JSON.
    package static func failed(_ error: any Error) -> String {
        json("critical", "not started", [("error", "\(error)")])
    }

    private static func json(_ level: String, _ message: String, _ fields: [(String, String)]) -> String {
        JSONWriter.text { writer in
            writer.field("time", OpenStore.now().rfc3339)
            writer.field("level", level)
            writer.field("message", message)
            for (name, value) in fields { writer.field(name, value) }
        } + "\n"
    }
}
