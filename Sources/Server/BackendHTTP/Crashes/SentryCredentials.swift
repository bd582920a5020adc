import HTTPServer
import HTTPWire
import SubGuardContract

/// The keys by which a Sentry SDK says who it is, wherever they stand in a request's head.
enum SentryCredentials {
    /// That of `X-Sentry-Auth` and that of the query's `sentry_key`. A secret beside them is ignored: it has meant nothing for
    /// years.
    static func keys(in request: Request) throws -> [String] {
        let fields = request.head.values(of: .sentryAuth).flatMap { keys(in: $0) }
        let query = try request.queryItems().items.filter { $0.name == "sentry_key" }.map(\.value)
        return fields + query
    }

    /// `Sentry sentry_key=…, sentry_version=7, …` in any order; the word before it may be missing.
    private static func keys(in field: String) -> [String] {
        let pairs = field.split { $0 == "," || $0 == " " || $0 == "\t" }
        return pairs.compactMap { pair in
            guard pair.lowercased().hasPrefix("sentry_key=") else { return nil }
            return String(pair.dropFirst("sentry_key=".count)).filter { $0 != "\"" }
        }
    }
}
