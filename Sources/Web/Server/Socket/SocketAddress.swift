// Which module owns the fields of sockaddr_storage depends on the order in which headers are read.
package import CEpoll
import Glibc

/// The address of a peer without its port, for limits and logs.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// 16 bytes as in IPv6; an IPv4 address is mapped (`::ffff:a.b.c.d`).
    let high: UInt64
    let low: UInt64

    package static let unknown = SocketAddress(high: 0, low: 0)

    package var isLoopback: Bool {
        (high == 0 && low == 1) || (high == 0 && low >> 32 == 0xFFFF && (low >> 24) & 0xFF == 127)
    }

    /// The network of the client: an IPv6 subscriber has a /64 and can choose the other 64 bits.
    package var client: SocketAddress {
        isIPv4 || isLoopback ? self : SocketAddress(high: high, low: 0)
    }

    /// Maximum number of networks of ``network(_:)``.
    package static let networkCount = 3

    /// The networks by which limits count an address, narrowest first. An IPv4 or loopback address counts alone. An
    /// IPv6 address counts for its /64, which one subscriber gets, and for its /56 and /48, which some subscribers get:
    /// their limits are two and four times as high.
    ///
    /// - Parameter level: 0 is the narrowest. Returns nil if the address has no such network.
    package func network(_ level: Int) -> SocketAddress? {
        guard level > 0 else { return client }
        guard level < Self.networkCount, !isIPv4, !isLoopback else { return nil }
        let mask: UInt64 = level == 1 ? .max << 8 : .max << 16
        return SocketAddress(high: high & mask, low: 0)
    }

    private var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    package var description: String {
        if high == 0, low >> 32 == 0xFFFF {
            return [24, 16, 8, 0].map { String((low >> $0) & 0xFF) }.joined(separator: ".")
        }
        let words = [high, low].flatMap { half in [48, 32, 16, 0].map { (half >> UInt64($0)) & 0xFFFF } }
        return words.map { String($0, radix: 16) }.joined(separator: ":")
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(_ storage: sockaddr_storage) {
        self = withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let address = bytes.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
                return SocketAddress(high: 0, low: 0xFFFF << 32 | UInt64(UInt32(bigEndian: address)))
            case AF_INET6:
                let address = bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr
                return withUnsafeBytes(of: address) {
                    SocketAddress(
                        high: UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                        low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
                }
            // A program of this machine, as at the loopback address.
            case AF_UNIX: return SocketAddress(high: 0, low: 1)
            default: return .unknown
            }
        }
    }
}

extension SocketAddress {
    /// An IPv4 or IPv6 literal, as a trusted proxy writes it.
    package init?(numeric text: String) {
        // C would end the text there.
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(high: 0, low: 0xFFFF << 32 | UInt64(UInt32(bigEndian: four.s_addr)))
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self = withUnsafeBytes(of: six) {
                SocketAddress(
                    high: UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                    low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
            }
        } else {
            return nil
        }
    }
}

/// A range of addresses: `10.0.0.0/8`, `2001:db8::/32`, or a single one without a length.
package struct AddressRange: Sendable, Equatable {
    private let base: SocketAddress
    private let highMask: UInt64
    private let lowMask: UInt64

    /// Bits of the address beyond the length are ignored. `nil` when it is neither an address nor a range.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = SocketAddress(numeric: String(parts[0])) else { return nil }
        let isFour = !parts[0].contains(":")
        let width = isFour ? 32 : 128
        var length = width
        if parts.count == 2 {
            let digits = parts[1].utf8
            guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
                let given = Int(parts[1]), given <= width
            else { return nil }
            length = given
        }
        // An IPv4 address is in the last 32 bits.
        let bits = isFour ? length + 96 : length
        highMask = Self.mask(min(bits, 64))
        lowMask = Self.mask(max(0, bits - 64))
        base = address
    }

    package func contains(_ address: SocketAddress) -> Bool {
        (address.high ^ base.high) & highMask == 0 && (address.low ^ base.low) & lowMask == 0
    }

    /// The first `bits` bits.
    private static func mask(_ bits: Int) -> UInt64 { bits == 0 ? 0 : .max << UInt64(64 - bits) }
}
