import CPostgres
import Foundation

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
