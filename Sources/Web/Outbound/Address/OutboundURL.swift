import CCurl

/// A URL to send messages to. libcurl both parses it and connects to it, so the checked target and the actual one
/// cannot differ.
package struct OutboundURL: Sendable, Hashable {
    package let text: String
    package let scheme: String
    /// Dotted decimal for an IPv4 address in any notation; IPv6 without brackets.
    package let host: String
    package let port: Int
    package let hasCredentials: Bool
    /// Scheme, host and non-default port: the part without secrets.
    package let label: String
    /// As written, percent-encoded; empty without one.
    package let path: String
    /// Whether it has a query or a fragment.
    package let hasMore: Bool

    /// Nil if libcurl cannot parse it, if the scheme is not in `schemes`, and unless it is printable ASCII. Credentials
    /// are allowed only with `allowsCredentials`.
    package init?(_ text: String, schemes: [String], allowsCredentials: Bool = false) {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let parts = curl_url() else {
            return nil
        }
        defer { curl_url_cleanup(parts) }
        guard curl_url_set(parts, CURLUPART_URL, text, 0) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: parts), schemes.contains(scheme),
            // libcurl ignores a superfluous slash and takes the host from the path.
            !text.contains(":///"),
            var host = Self.part(CURLUPART_HOST, of: parts), !host.isEmpty,
            let port = Self.part(CURLUPART_PORT, of: parts, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) }),
            (1...65_535).contains(port), Self.part(CURLUPART_ZONEID, of: parts) == nil
        else { return nil }
        hasCredentials =
            Self.part(CURLUPART_USER, of: parts) != nil || Self.part(CURLUPART_PASSWORD, of: parts) != nil
        guard allowsCredentials || !hasCredentials else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        self.text = text
        self.scheme = scheme
        self.host = host
        self.port = port
        let shown = host.contains(":") ? "[\(host)]" : host
        let isUsual = Self.part(CURLUPART_PORT, of: parts, flags: UInt32(CURLU_NO_DEFAULT_PORT)) == nil
        label = "\(scheme)://\(shown)\(isUsual ? "" : ":\(port)")"
        path = Self.part(CURLUPART_PATH, of: parts) ?? ""
        hasMore = text.contains { $0 == "?" || $0 == "#" }
    }

    private static func part(_ part: CURLUPart, of parts: OpaquePointer, flags: UInt32 = 0) -> String? {
        var found: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parts, part, &found, flags) == CURLUE_OK, let found else { return nil }
        defer { curl_free(found) }
        return String(cString: found)
    }
}

/// The targets that the configuration may make the server connect to.
package struct TargetPolicy: Sendable {
    /// Whether addresses of this machine and of private networks are allowed too.
    package var allowsOwnNetworks = false
    /// Names and address literals whose addresses are not checked, in lower case.
    package var permittedHosts: Set<String> = []

    package init(allowsOwnNetworks: Bool = false, permittedHosts: Set<String> = []) {
        self.allowsOwnNetworks = allowsOwnNetworks
        self.permittedHosts = Set(permittedHosts.map { $0.lowercased() })
    }

    /// Throws ``OutboundError/notAllowed(_:)`` unless every address is allowed: the owner of the name could otherwise
    /// choose a forbidden one.
    func check(_ addresses: [IPAddress], of host: String) throws(OutboundError) {
        guard !permittedHosts.contains(host.lowercased()) else { return }
        for address in addresses {
            switch AddressKind(address) {
            case .global: break
            case .ownNetwork where allowsOwnNetworks: break
            case .ownNetwork: throw .notAllowed("the target lies in a private or loopback range")
            case .special(let name): throw .notAllowed("the target lies in a special range (\(name))")
            }
        }
    }
}
