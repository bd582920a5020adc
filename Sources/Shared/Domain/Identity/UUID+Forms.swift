public import Foundation
import TextCoding

extension UUID {
    /// The 36 characters of the id in lower case, the wire form.
    public var lowercased: String {
        String(unsafeUninitializedCapacity: 36, initializingUTF8With: writeLowercased)
    }

    /// Writes ``lowercased`` into a buffer of at least 36 bytes and returns its length.
    package func writeLowercased(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        withUnsafeBytes(of: uuid) { bytes in
            var position = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                buffer[position] = Hexadecimal.lower(bytes[index] >> 4)
                buffer[position + 1] = Hexadecimal.lower(bytes[index] & 0x0F)
                position += 2
            }
            return position
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
            // Digits are random, so branches would be mispredicted; invalid bytes are accumulated and checked once.
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

    /// The value of a hexadecimal digit, or 255 for any other byte.
    private static func hexadecimalValue(_ byte: UInt8) -> UInt8 {
        let digit = byte &- UInt8(ascii: "0")
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        let value = letter < 6 ? letter + 10 : 255
        return digit < 10 ? digit : value
    }

    /// The 16 bytes in the order in which they are written.
    public var rawBytes: [UInt8] {
        withUnsafeBytes(of: uuid) { Array($0) }
    }

    /// Nil unless there are exactly 16 bytes.
    public init?(rawBytes: some Collection<UInt8>) { self.init(rawBytes: Array(rawBytes)) }

    /// Nil unless there are exactly 16 bytes. For rows of a database: without the calls that any collection would need.
    public init?(rawBytes: [UInt8]) {
        guard rawBytes.count == 16 else { return nil }
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: rawBytes) }
        self.init(uuid: value)
    }

    /// The first and the last eight bytes as numbers, most significant byte first.
    public var halves: (high: UInt64, low: UInt64) {
        withUnsafeBytes(of: uuid) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// The id with these ``halves``.
    public init(high: UInt64, low: UInt64) {
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { target in
            target.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
            target.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        self.init(uuid: value)
    }
}

/// Ids that sort by creation time (RFC 9562 section 5.7).
package enum UUIDv7 {
    /// - Parameters:
    ///   - millisecondsSinceEpoch: clamped to the 48 bits of the format.
    ///   - random: 12 bits of the first number and 62 of the second are used.
    package static func make(millisecondsSinceEpoch: Int64, random: (UInt64, UInt64)) -> UUID {
        let time = UInt64(min(max(millisecondsSinceEpoch, 0), 0xFFFF_FFFF_FFFF))
        let high = time << 16 | 0x7000 | random.0 & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
        return UUID(high: high, low: low)
    }
}

extension UUID {
    /// A custom id (RFC 9562 section 5.8), from the first 16 bytes of a hash.
    package init(version8 hash: some Sequence<UInt8>) {
        let numbers = hash.prefix(16).enumerated().reduce(into: (high: UInt64(0), low: UInt64(0))) { numbers, byte in
            if byte.offset < 8 {
                numbers.high = numbers.high << 8 | UInt64(byte.element)
            } else {
                numbers.low = numbers.low << 8 | UInt64(byte.element)
            }
        }
        self.init(high: numbers.high & ~0xF000 | 0x8000, low: numbers.low & ~(3 << 62) | 1 << 63)
    }

    /// A random id (RFC 9562 section 5.4), from 60 bits of the first number and 62 of the second.
    public init(version4 random: (UInt64, UInt64)) {
        self.init(
            high: random.0 & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF)
    }
}
