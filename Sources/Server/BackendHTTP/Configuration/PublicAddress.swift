import Outbound
import TextCoding

/// The parts of `public_url`.
package struct PublicAddress: Sendable {
    /// Scheme, host and non-default port.
    let origin: String
    /// The path under which a proxy publishes the server, such as `/subguard`; empty without one.
    let path: String

    package var text: String { origin + path }

    /// What the server's own paths begin with: a proxy that removes the path would be indistinguishable from one that
    /// does not.
    static let reserved: Set<String> = [
        "api", "batch", "console", "healthz", "ingest", "logos", "metrics", "problems", "readyz",
    ]

    /// Nil if the path is empty between slashes, has dot segments or other characters, or begins as one of the
    /// server's.
    init?(_ url: OutboundURL) {
        let segments = url.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            .dropFirst()
        let whole = segments.last == "" ? segments.dropLast() : segments
        let isPlain = whole.allSatisfy { segment in
            !["", ".", ".."].contains(segment) && segment.utf8.allSatisfy(PercentCoding.isUnreserved)
        }
        guard isPlain, whole.first.map({ !Self.reserved.contains($0) }) ?? true else { return nil }
        origin = url.label
        path = whole.map { "/\($0)" }.joined()
    }
}

extension Settings {
    /// Nil without `public_url`.
    package var publicAddress: PublicAddress? { self[\.publicURL].flatMap { PublicAddress($0) } }

    /// What the paths of requests that a proxy passes on begin with; empty without a path, and if the proxy removes it.
    var pathOfRequests: String { self[\.proxyRemovesPath] ? "" : publicAddress?.path ?? "" }
}
