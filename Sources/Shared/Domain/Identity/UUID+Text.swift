public import Foundation

extension UUID {
    /// The 36 characters of the id in lower case, as ids travel on the wire.
    public var lowercased: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            withUnsafeBytes(of: uuid) { bytes in
                var position = 0
                for index in 0..<16 {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        buffer[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    buffer[position] = Self.hexadecimalDigit(bytes[index] >> 4)
                    buffer[position + 1] = Self.hexadecimalDigit(bytes[index] & 0x0F)
                    position += 2
                }
                return position
            }
        }
    }

    /// Reads exactly the 36 characters with their hyphens, digits in either case; nil for any other form.
    public init?(strict: String) {
        var strict = strict
        let parsed = strict.withUTF8 { UUID(strictBytes: UnsafeRawBufferPointer($0)) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Reads exactly the 36 characters with their hyphens, digits in either case; nil for any other form.
    public init?(strictBytes: UnsafeRawBufferPointer) {
        guard strictBytes.count == 36 else { return nil }
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let isValid = withUnsafeMutableBytes(of: &value) { target in
            var position = 0
            // Digits are random, so a branch on each would be guessed wrongly half the time; faults are summed up.
            var faults: UInt8 = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    faults |= strictBytes[position] ^ UInt8(ascii: "-")
                    position += 1
                }
                let high = Self.hexadecimalValue(strictBytes[position])
                let low = Self.hexadecimalValue(strictBytes[position + 1])
                faults |= (high | low) & 0xF0
                target[index] = high << 4 | low
                position += 2
            }
            return faults == 0
        }
        guard isValid else { return nil }
        self.init(uuid: value)
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The value of a hexadecimal digit, or 255 for any other byte.
    private static func hexadecimalValue(_ byte: UInt8) -> UInt8 {
        let digit = byte &- UInt8(ascii: "0")
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        let value = letter < 6 ? letter + 10 : 255
        return digit < 10 ? digit : value
    }
}
