import CPostgres
import Foundation
import SQLDatabase

/// How a PostgreSQL server is used.
package struct PostgresOptions: Sendable {
    /// Connections at most; the next call waits. Default 8.
    package var connectionCount = 8
    /// How long a connection may take to come about. Default 5 s, at least 2.
    package var connectTimeout = Duration.seconds(5)
    /// How long a call tries again when the server cannot be reached, before it throws ``SQLError/Code/disconnected``.
    /// Default 5 s: a server that restarts is back by then.
    package var reconnectTimeout = Duration.seconds(5)
    /// How long a call waits for a free connection before it throws ``SQLError/Code/busy``. Default 10 s.
    package var poolTimeout = Duration.seconds(10)
    /// How long one statement may take. Default 30 s. The server ends it then.
    package var statementTimeout = Duration.seconds(30)
    /// How much longer a call waits for a server that says nothing, not even that, before it gives the connection up and
    /// throws ``SQLError/Code/disconnected``. Default 5 s.
    package var silenceTimeout = Duration.seconds(5)
    /// How long a statement waits for a lock before it throws ``SQLError/Code/busy``. Default 10 s.
    package var lockTimeout = Duration.seconds(10)
    /// After so long without a statement the server ends a writing transaction whose client hangs. Default 5 s: as it may hold the
    /// lock of all writers, everybody waits for it meanwhile.
    package var idleInTransactionTimeout = Duration.seconds(5)

    package init() {}

    /// How long an answer may take in all.
    var answerTimeout: Duration { statementTimeout + silenceTimeout }
}

/// How to connect: the URL, and what we set where it says nothing.
struct PostgresParameters: Sendable {
    private let pairs: [(String, String)]

    /// - Parameters:
    ///   - url: `postgres://…`, as libpq reads it
    ///     (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS). What it says counts.
    init(url: String, options: PostgresOptions) {
        let given = PostgresURL.values(of: url) ?? [:]
        var pairs = [("dbname", url)]
        func add(_ name: String, _ value: String) {
            if given[name] == nil { pairs.append((name, value)) }
        }
        add("application_name", "subguardd")
        add("connect_timeout", "\(max(2, options.connectTimeout.wholeSeconds))")
        add("client_encoding", "UTF8")
        // Without these a connection whose other end has gone is noticed after hours.
        add("keepalives_idle", "10")
        add("keepalives_interval", "5")
        add("keepalives_count", "3")
        add("tcp_user_timeout", "15000")
        let settings =
            "-c statement_timeout=\(options.statementTimeout.wholeMilliseconds) "
            + "-c lock_timeout=\(options.lockTimeout.wholeMilliseconds) -c timezone=UTC "
            // Of a disk without moving parts, or a table in memory: the default reads whole tables too early.
            + "-c random_page_cost=1.1"
        // What comes later counts, so those of the URL have the last word on what they name and on nothing else.
        pairs.append(("options", given["options"].map { "\(settings) \($0)" } ?? settings))
        // Verified against the system's authorities, as libpq does not do by itself. Sockets of this machine have no TLS.
        if given["sslmode"] == nil, !PostgresURL.isLocal(given) {
            add("sslmode", "verify-full")
            if let authorities = Self.systemAuthorities { add("sslrootcert", authorities) }
        }
        self.pairs = pairs
    }

    /// Two arrays of names and values, each ended by null, valid inside `body`.
    func withArrays<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        // "dbname" is first, so that a whole URL in it is expanded and what follows counts more than its defaults.
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

/// What a URL of PostgreSQL says, as libpq reads it.
package enum PostgresURL {
    /// Whether libpq can read it.
    package static func isReadable(_ url: String) -> Bool { values(of: url) != nil }

    /// The values that it names, decoded; nil for one that libpq cannot read.
    static func values(of url: String) -> [String: String]? {
        guard let first = PQconninfoParse(url, nil) else { return nil }
        defer { PQconninfoFree(first) }
        var values: [String: String] = [:]
        var option = first
        // The last one has no keyword.
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }

    /// Whether every host is a socket's folder or this machine's loopback, or there is none.
    static func isLocal(_ values: [String: String]) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        let hosts = [values["host"] ?? environment["PGHOST"], values["hostaddr"] ?? environment["PGHOSTADDR"]]
        return hosts.compactMap(\.self).flatMap { $0.split(separator: ",") }.allSatisfy { host in
            host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
                || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
        }
    }
}
