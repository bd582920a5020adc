public import Foundation

/// Ids that sort by the time at which they were made (RFC 9562 section 5.7).
public enum UUIDv7 {
    /// - Parameters:
    ///   - millisecondsSinceEpoch: held within the 48 bits that the format has for it.
    ///   - random: 12 bits are taken of the first number and 62 of the second.
    public static func make(millisecondsSinceEpoch: Int64, random: (UInt64, UInt64)) -> UUID {
        let time = UInt64(min(max(millisecondsSinceEpoch, 0), 0xFFFF_FFFF_FFFF))
        let high = time << 16 | 0x7000 | random.0 & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { target in
            target.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
            target.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: value)
    }
}
