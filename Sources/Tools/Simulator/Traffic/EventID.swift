import SubGuardDomain

/// The 128 bits of an event's id.
struct EventID: Hashable {
    static let textLength = 36

    let high: UInt64
    let low: UInt64

    /// RFC 9562 section 5.4.
    static func v4(_ random: inout SplitMix64) -> EventID {
        EventID(
            high: random.next() & ~0xF000 | 0x4000, low: random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// RFC 9562 section 5.7.
    static func v7(millisecondsSinceEpoch: Int64, _ random: inout SplitMix64) -> EventID {
        EventID(
            high: UInt64(millisecondsSinceEpoch) << 16 | 0x7000 | random.next() & 0x0FFF,
            low: random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    var text: String {
        String(unsafeUninitializedCapacity: Self.textLength) { target in
            write(to: UnsafeMutableRawBufferPointer(target))
            return Self.textLength
        }
    }

    /// Writes the 36 characters at the beginning of `target`.
    func write(to target: UnsafeMutableRawBufferPointer) {
        var position = 0
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                target[position] = UInt8(ascii: "-")
                position += 1
            }
            let word = digit < 16 ? high : low
            target[position] = HexDigits.lower(UInt8(truncatingIfNeeded: word >> UInt64(60 - digit % 16 * 4) & 0x0F))
            position += 1
        }
    }
}

enum HexDigits {
    static func lower(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    /// Writes 16 digits at the position.
    static func write(_ word: UInt64, to target: UnsafeMutableRawBufferPointer, at position: Int) {
        for digit in 0..<16 {
            target[position + digit] = lower(UInt8(truncatingIfNeeded: word >> UInt64(60 - digit * 4) & 0x0F))
        }
    }
}
