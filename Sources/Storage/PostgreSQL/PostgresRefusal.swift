import CPostgres
import Foundation

/// Why no connection can be opened, for the operator.
package enum PostgresRefusal: Sendable, Hashable {
    /// The server refuses, with this SQLSTATE (appendix A of PostgreSQL's manual).
    case refused(sqlState: String)
    case unknownHost
    case nobodyListens
    case timeout
    /// The server has no TLS, which `sslmode` asks for.
    case withoutTLS
    /// The server's certificate is not trusted, or the authority's file is missing.
    case certificate
    /// The parameter has a value that libpq does not know.
    case parameter(String)
    case unknown

    /// Maximum duration of ``find(url:options:)``.
    private static let maximumWait = Duration.seconds(5)

    /// Finds it by another attempt: libpq tells the SQLSTATE only if asked before it connects.
    package static func find(url: String, options: PostgresOptions = PostgresOptions()) -> PostgresRefusal {
        let parameters = PostgresParameters(url: url, options: options)
        guard let handle = parameters.withArrays({ PQconnectStartParams($0, $1, 1) }) else { return .unknown }
        defer { PQfinish(handle) }
        PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
        let end = ContinuousClock.now + maximumWait
        var state = PGRES_POLLING_WRITING
        while PQstatus(handle) != CONNECTION_BAD, state != PGRES_POLLING_FAILED, state != PGRES_POLLING_OK {
            let left = Int32(clamping: (end - .now).wholeMilliseconds)
            var waiting = pollfd(
                fd: PQsocket(handle), events: Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
            guard left > 0, poll(&waiting, 1, left) > 0 else { return .timeout }
            state = PQconnectPoll(handle)
        }
        // libpq speaks English, because nothing sets a locale. Its text quotes parts of the URL, so it is not passed
        // on.
        return PostgresRefusal(PQerrorMessage(handle).map { String(cString: $0) } ?? "")
    }

    /// - Parameter message: of libpq, a line for each address that was tried. The last address that told a reason
    ///   decides.
    package init(_ message: String) {
        self = message.split(separator: "\n").reversed().lazy.compactMap(Self.reason).first ?? .unknown
    }

    private static func reason(_ line: Substring) -> PostgresRefusal? {
        if let found = line.firstMatch(of: /: +([0-9A-Z]{5})$/) { return .refused(sqlState: String(found.1)) }
        if let found = line.firstMatch(of: /invalid ([a-z_]+) value:/) { return .parameter(String(found.1)) }
        let texts: [(String, PostgresRefusal)] = [
            ("could not translate host name", .unknownHost), ("Connection refused", .nobodyListens),
            ("No such file or directory", .nobodyListens), ("timeout expired", .timeout),
            ("Connection timed out", .timeout), ("does not support SSL", .withoutTLS), ("certificate", .certificate),
        ]
        return texts.first { line.contains($0.0) }?.1
    }
}
