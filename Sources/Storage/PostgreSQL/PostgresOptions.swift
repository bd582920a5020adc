import CPostgres
import Foundation

/// Options of a PostgreSQL database.
package struct PostgresOptions: Sendable {
    /// Maximum connections; further calls wait. Default 8.
    package var connectionCount = 8
    /// Timeout for connecting. Default 5 s, at least 2.
    package var connectTimeout = Duration.seconds(5)
    /// How long a call retries while the server cannot be reached, before it throws ``SQLError/Code/disconnected``.
    /// Default 5 s: enough for a restart of the server.
    package var reconnectTimeout = Duration.seconds(5)
    /// How long a call waits for a free connection before it throws ``SQLError/Code/busy``. Default 10 s.
    package var poolTimeout = Duration.seconds(10)
    /// Maximum duration of one statement, enforced by the server. Default 30 s.
    package var statementTimeout = Duration.seconds(30)
    /// How long a call waits beyond `statementTimeout` for a server that does not respond at all, before it gives up
    /// the connection and throws ``SQLError/Code/disconnected``. Default 5 s.
    package var silenceTimeout = Duration.seconds(5)
    /// How long a statement waits for a lock before it throws ``SQLError/Code/busy``. Default 10 s.
    package var lockTimeout = Duration.seconds(10)
    /// Time without a statement after which the server aborts a writing transaction. Default 5 s, because the
    /// transaction may hold the lock of all writers.
    package var idleInTransactionTimeout = Duration.seconds(5)

    /// Maximum time for the first response of a connection that is lent; nil for that of any statement.
    var startTimeout: Duration?

    package init() {}

    /// Maximum time until a result is complete.
    var answerTimeout: Duration { statementTimeout + silenceTimeout }
}

/// Connection parameters: the URL, and defaults for what it omits.
struct PostgresParameters: Sendable {
    private var pairs: [(String, String)]
    /// Sets what the URL's options do not set. Not part of the startup message, which poolers such as PgBouncer 1.18
    /// reject with options in it.
    let sessionSettings: String
    /// Maximum time for the response to `sessionSettings`.
    let startTimeout: Duration

    /// - Parameters:
    ///   - url: `postgres://…` as parsed by libpq
    ///     (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS). Its values take
    ///     precedence.
    init(url: String, options: PostgresOptions) {
        let given = PostgresURL.values(of: url) ?? [:]
        var pairs = [("dbname", url)]
        func add(_ name: String, _ value: String) {
            if given[name] == nil { pairs.append((name, value)) }
        }
        add("application_name", "subguardd")
        add("connect_timeout", "\(max(2, options.connectTimeout.wholeSeconds))")
        add("client_encoding", "UTF8")
        // Otherwise a dead peer is noticed only after hours.
        add("keepalives_idle", "10")
        add("keepalives_interval", "5")
        add("keepalives_count", "3")
        add("tcp_user_timeout", "15000")
        startTimeout = max(.seconds(2), options.connectTimeout)
        // The page cost is for SSDs or data in memory: the default favours full table scans too early.
        sessionSettings =
            """
            SELECT set_config(name, wanted.value, false) FROM pg_settings JOIN (VALUES
                ('statement_timeout', '\(options.statementTimeout.wholeMilliseconds)'),
                ('lock_timeout', '\(options.lockTimeout.wholeMilliseconds)'), ('TimeZone', 'UTC'),
                ('random_page_cost', '1.1')
            ) AS wanted (name, value) USING (name) WHERE source <> 'client'
            """
        // Verify with the system's authorities, which is not libpq's default. Local sockets have no TLS.
        if given["sslmode"] == nil, !PostgresURL.isLocal(given) {
            add("sslmode", "verify-full")
            if let authorities = Self.systemAuthorities { add("sslrootcert", authorities) }
        }
        self.pairs = pairs
    }

    /// Overrides a value of the URL.
    mutating func set(_ name: String, _ value: String) {
        pairs.removeAll { $0.0 == name }
        pairs.append((name, value))
    }

    /// Passes two null-terminated arrays of names and values, valid inside `body`.
    func withArrays<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        // "dbname" is first, so that a whole URL in it is expanded and later parameters override its defaults.
        let names = pairs.map { strdup($0.0) }
        let values = pairs.map { strdup($0.1) }
        defer { (names + values).forEach { free($0) } }
        return (names.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { names in
            (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
                guard let names = names.baseAddress, let values = values.baseAddress else {
                    // proof: an array with at least its null has an address.
                    preconditionFailure("each has its null at least")
                }
                return body(names, values)
            }
        }
    }

    private static let systemAuthorities = ["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"]
        .first { FileManager.default.fileExists(atPath: $0) }
}

extension Duration {
    fileprivate var wholeSeconds: Int64 { components.seconds }
}

/// The parameters of a PostgreSQL URL, as parsed by libpq.
package enum PostgresURL {
    /// Whether libpq can parse it.
    package static func isReadable(_ url: String) -> Bool { values(of: url) != nil }

    /// The name of a parameter whose value libpq does not know: it looks only when it connects.
    package static func unknownValue(in url: String) -> String? {
        let choices = [
            "sslmode": ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"],
            "gssencmode": ["disable", "prefer", "require"], "channel_binding": ["disable", "prefer", "require"],
            "target_session_attrs": ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"],
        ]
        return values(of: url)?.sorted { $0.key < $1.key }.first { name, value in
            choices[name].map { !value.isEmpty && !$0.contains(value) } ?? false
        }?.key
    }

    /// The decoded parameters; nil if libpq cannot parse the URL.
    static func values(of url: String) -> [String: String]? {
        guard let first = PQconninfoParse(url, nil) else { return nil }
        defer { PQconninfoFree(first) }
        var values: [String: String] = [:]
        var option = first
        // A null keyword ends the list.
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }

    /// Whether every host is a socket folder or a loopback address, or no host is given. A service of libpq's own file
    /// may name any host, so with one nothing counts as local.
    package static func isLocal(_ values: [String: String]) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        guard (values["service"] ?? environment["PGSERVICE"] ?? "").isEmpty else { return false }
        let lists = [values["host"] ?? environment["PGHOST"], values["hostaddr"] ?? environment["PGHOSTADDR"]]
        let hosts = lists.compactMap(\.self).flatMap { list in list.split(separator: ",") }
        return hosts.allSatisfy(isLocal)
    }

    private static func isLocal(_ host: Substring) -> Bool {
        if host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1" { return true }
        return host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
