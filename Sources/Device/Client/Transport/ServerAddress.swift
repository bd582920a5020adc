import Foundation

/// The address of a server: https, or http on this machine only.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// Why an address is invalid.
    public struct Invalid: Error, Sendable, Hashable {
        /// The rule that the text breaks.
        public enum Reason: Sendable, Hashable, CaseIterable {
            /// The text is not a URL with a scheme and a host, or has blanks or characters beyond ASCII.
            case noAddress
            /// It has a user name, a password, a query or a fragment.
            case moreThanAddress
            /// The host is an IPv6 address, such as `[::1]`.
            case literalIPv6
            /// The scheme is neither https nor http.
            case otherScheme
            /// The scheme is http, and the host is not this machine.
            case plainElsewhere
            /// The port is not from 1 to 65535.
            case port
        }

        /// The rule that the text breaks.
        public let reason: Reason

        /// One English sentence.
        public var detail: String {
            switch reason {
            case .noAddress: "Must be the address of a server, such as https://subguard.example."
            case .moreThanAddress: "Must have no user name, query or fragment."
            case .literalIPv6: "Must use a host name or an IPv4 address; IPv6 literals are not supported."
            case .otherScheme: "Must begin with https://."
            case .plainElsewhere: "Must begin with https://; http:// is allowed for this machine only."
            case .port: "Must have a port from 1 to 65535."
            }
        }
    }

    /// Scheme, host, port and optional base path, without a trailing slash. Identifies the server in cached data.
    public let text: String

    /// See ``text``.
    public var description: String { text }

    /// Refuses http to other machines, user names, queries and fragments.
    public init(_ text: String) throws(Invalid) {
        guard text.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }),
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.host?.lowercased(), !host.isEmpty
        else { throw Invalid(reason: .noAddress) }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw Invalid(reason: .moreThanAddress)
        }
        guard !host.hasPrefix("[") else {
            throw Invalid(reason: .literalIPv6)
        }
        guard scheme == "https" || scheme == "http" else { throw Invalid(reason: .otherScheme) }
        guard scheme == "https" || Self.isLoopback(host) else {
            throw Invalid(reason: .plainElsewhere)
        }
        if let port = parts.port, !(1...65535).contains(port) {
            throw Invalid(reason: .port)
        }
        let isDefaultPort = parts.port == nil || parts.port == (scheme == "https" ? 443 : 80)
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        self.text = scheme + "://" + host + (isDefaultPort ? "" : ":\(parts.port ?? 0)") + path
    }

    /// An address of 127.0.0.0/8, or `localhost` (RFC 6761 section 6.3).
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0).map(String.init) == String($0) }
    }
}
