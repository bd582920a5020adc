import CEpoll
import Foundation
import Glibc

/// A resolved socket address.
package struct NetworkAddress: Sendable, Equatable {
    /// A `sockaddr_in` or `sockaddr_in6` in memory.
    let bytes: [UInt8]
    let family: Int32

    /// Resolves the host once and returns the first address, used by every connection.
    ///
    /// Uninvited load is an attack. Every address of the name must therefore be one of this machine or of a private
    /// network, unless `isOwned`.
    package static func resolve(_ target: LoadTarget, isOwned: Bool) throws(LoadOptionError) -> NetworkAddress {
        let found = lookUp(target)
        guard let first = found.first else {
            throw LoadOptionError("--url", "the host '\(target.host)' cannot be resolved")
        }
        guard isOwned || found.allSatisfy(\.isPrivate) else {
            throw LoadOptionError(
                "--url",
                "'\(target.host)' is neither this machine nor in a private network; "
                    + "if the server is yours to load, say --i-own-this-server")
        }
        return first
    }

    /// Loopback (RFC 1122, RFC 4291), private (RFC 1918) and unique local (RFC 4193) addresses. Link-local addresses
    /// are not included, because cloud machines reach services of their host there.
    package var isPrivate: Bool {
        if family == AF_INET6 {
            let address = Array(bytes[8..<24])
            if address.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
                return Self.isPrivate(v4: address[12...])
            }
            return address[0] & 0xFE == 0xFC || address == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        }
        return Self.isPrivate(v4: bytes[4..<8])
    }

    private static func isPrivate(v4 address: ArraySlice<UInt8>) -> Bool {
        switch (address[address.startIndex], address[address.startIndex + 1]) {
        case (127, _), (10, _), (192, 168), (172, 16...31): true
        default: false
        }
    }

    private static func lookUp(_ target: LoadTarget) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(target.host, "\(target.port)", &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [NetworkAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr, entry.ai_family == AF_INET || entry.ai_family == AF_INET6 {
                let raw = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
                found.append(NetworkAddress(bytes: Array(raw), family: entry.ai_family))
            }
            next = entry.ai_next
        }
        // A server with its default host listens on IPv4 only, while `localhost` often resolves to IPv6 first.
        return found.filter { $0.family == AF_INET } + found.filter { $0.family != AF_INET }
    }
}

/// The server under load.
package struct LoadTarget: Sendable, Equatable {
    /// Without the brackets of an IPv6 address.
    package let host: String
    package let port: Int
    package let isSecure: Bool

    /// Parses `http://HOST:PORT` or `https://HOST:PORT`. The default port is 80 or 443.
    package init(_ text: String) throws(LoadOptionError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty
        else { throw LoadOptionError("--url", "'\(text)' is not an address such as http://127.0.0.1:8080") }
        guard ["http", "https"].contains(scheme.lowercased()) else {
            throw LoadOptionError("--url", "'\(scheme)' is neither http nor https")
        }
        isSecure = scheme.lowercased() == "https"
        guard parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.fragment == nil, parts.user == nil,
            parts.password == nil
        else { throw LoadOptionError("--url", "must contain only a host and a port") }
        let port = parts.port ?? (isSecure ? 443 : 80)
        guard (1...65_535).contains(port) else { throw LoadOptionError("--url", "\(port) is not a port") }
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.port = port
    }

    /// The value of the `Host` field.
    package var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    package var url: String { (isSecure ? "https://" : "http://") + authority }
}
