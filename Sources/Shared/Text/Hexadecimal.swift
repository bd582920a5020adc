/// Bytes as hexadecimal digits.
package enum Hexadecimal {
    /// Lower-case digits.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            text.append(lower(byte >> 4))
            text.append(lower(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// All lower-case digits of a number, with leading zeros.
    package static func text(_ number: some UnsignedInteger & FixedWidthInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.utf8.count) + digits
    }

    /// Nil unless the text is pairs of lower-case digits.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            guard let value = character.hexDigitValue, !(0x41...0x46).contains(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    /// The lower-case digit of a value below 16.
    @inlinable package static func lower(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    /// The upper-case digit of a value below 16.
    @inlinable package static func upper(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit; nil for any other octet.
    @inlinable package var hexDigitValue: UInt8? {
        switch self {
        case 0x30...0x39: self &- 0x30
        case 0x41...0x46: self &- 0x37
        case 0x61...0x66: self &- 0x57
        default: nil
        }
    }
}
