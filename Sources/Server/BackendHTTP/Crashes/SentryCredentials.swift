import HTTPServer
import HTTPWire
import SubGuardContract

/// Finds the DSN keys in the head of a Sentry SDK's request.
enum SentryCredentials {
    /// The keys in `X-Sentry-Auth` and in the query parameter `sentry_key`. The obsolete secret is ignored.
    static func keys(in request: Request) throws -> [String] {
        let fields = request.head.values(of: .sentryAuth).flatMap { keys(in: $0) }
        let query = try request.queryItems().items.filter { $0.name == "sentry_key" }.map(\.value)
        return fields + query
    }

    /// Parses `Sentry sentry_key=…, sentry_version=7, …` in any order; the scheme may be missing.
    private static func keys(in field: String) -> [String] {
        let pairs = field.split { $0 == "," || $0 == " " || $0 == "\t" }
        return pairs.compactMap { pair in
            guard pair.lowercased().hasPrefix("sentry_key=") else { return nil }
            return String(pair.dropFirst("sentry_key=".count)).filter { $0 != "\"" }
        }
    }
}
