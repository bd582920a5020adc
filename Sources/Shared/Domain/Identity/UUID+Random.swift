public import Foundation

extension UUID {
    /// An id of nothing but chance (RFC 9562 section 5.4): 60 bits are taken of the first number and 62 of the second.
    public init(version4 random: (UInt64, UInt64)) {
        self.init(
            high: random.0 & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF)
    }
}
