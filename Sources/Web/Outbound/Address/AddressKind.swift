import Glibc

/// An IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16 bytes in network order.
    package let bytes: [UInt8]

    package var isIPv4: Bool { bytes.count == 4 }

    /// Reads the literals of `inet_pton`: four decimal numbers, or IPv6 without brackets and zone.
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else {
            return nil
        }
    }

    /// Nil for any other address family.
    init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6: bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
        default: return nil
        }
    }

    package var description: String {
        guard !isIPv4 else { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }
}

/// The kind of an address; determines whether the server may connect to it.
package enum AddressKind: Sendable, Hashable {
    /// A public address on the Internet.
    case global
    /// This machine or a private network.
    case ownNetwork
    /// An address to which nothing can be delivered, or which embeds another address.
    case special(String)

    package init(_ address: IPAddress) {
        if let found = Self.ranges.first(where: { $0.contains(address) }) {
            self = found.kind
        } else {
            // Only 2000::/3 of IPv6 is allocated (RFC 4291 section 4, IANA's registry).
            self = address.isIPv4 || address.bytes[0] >> 5 == 1 ? .global : .special("reserved")
        }
    }

    private struct Range {
        let base: IPAddress?
        let bits: Int
        let kind: AddressKind

        init(_ base: String, _ bits: Int, _ kind: AddressKind) {
            self.base = IPAddress(base)
            self.bits = bits
            self.kind = kind
        }

        func contains(_ address: IPAddress) -> Bool {
            guard let base, base.bytes.count == address.bytes.count else { return false }
            let whole = bits / 8
            guard base.bytes.prefix(whole) == address.bytes.prefix(whole) else { return false }
            let rest = bits % 8
            return rest == 0 || (base.bytes[whole] ^ address.bytes[whole]) >> UInt8(8 - rest) == 0
        }
    }

    /// From IANA's registries of special-purpose addresses. The first matching range decides.
    private static let ranges: [Range] = [
        Range("0.0.0.0", 8, .special("this host")),
        Range("10.0.0.0", 8, .ownNetwork),
        Range("100.64.0.0", 10, .ownNetwork),
        Range("127.0.0.0", 8, .ownNetwork),
        Range("169.254.0.0", 16, .special("link-local")),
        Range("172.16.0.0", 12, .ownNetwork),
        Range("192.0.0.0", 24, .special("protocol assignments")),
        Range("192.0.2.0", 24, .special("documentation")),
        Range("192.88.99.0", 24, .special("6to4 relay")),
        Range("192.168.0.0", 16, .ownNetwork),
        Range("198.18.0.0", 15, .special("benchmarking")),
        Range("198.51.100.0", 24, .special("documentation")),
        Range("203.0.113.0", 24, .special("documentation")),
        Range("224.0.0.0", 4, .special("multicast")),
        Range("240.0.0.0", 4, .special("reserved")),
        Range("::1", 128, .ownNetwork),
        Range("::ffff:0:0", 96, .special("IPv4-mapped")),
        Range("64:ff9b::", 96, .special("NAT64")),
        Range("64:ff9b:1::", 48, .special("NAT64")),
        Range("2001::", 32, .special("Teredo")),
        Range("2001::", 23, .special("protocol assignments")),
        Range("2001:db8::", 32, .special("documentation")),
        Range("2002::", 16, .special("6to4")),
        Range("3fff::", 20, .special("documentation")),
        Range("fc00::", 7, .ownNetwork),
        Range("fe80::", 10, .special("link-local")),
        Range("fec0::", 10, .special("site-local")),
        Range("ff00::", 8, .special("multicast")),
    ]
}

/// Resolves a host, once per transfer.
enum Resolver {
    /// Never empty. Blocks until the system's resolver returns.
    static func addresses(of host: String) throws(OutboundError) -> [IPAddress] {
        if let literal = IPAddress(host) { return [literal] }
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { throw .cannotResolve }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next {
            if let address = entry.pointee.ai_addr.flatMap({ IPAddress(UnsafePointer($0)) }),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        guard !addresses.isEmpty else { throw .cannotResolve }
        return addresses
    }
}
