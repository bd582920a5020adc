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
        // IPv4 addresses stand in the last 32 bits.
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
