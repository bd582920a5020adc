/// The 32 bytes that identify a user: the SHA-256 of a random id of the device. Ordered bytewise.
package struct UserHash: Sendable, Hashable, Comparable {
    // Big-endian, so that comparing numbers compares bytes.
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    package static let byteCount = 32

    /// Nil unless there are exactly 32 bytes.
    package init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(checked: bytes)
    }

    /// `bytes` must be 32 bytes.
    package init(checked bytes: UnsafeRawBufferPointer) {
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        first = word(0)
        second = word(1)
        third = word(2)
        fourth = word(3)
    }

    /// Nil unless there are exactly 32 bytes.
    package init?(bytes: [UInt8]) {
        guard let hash = bytes.withUnsafeBytes({ UserHash(bytes: $0) }) else { return nil }
        self = hash
    }

    package var bytes: [UInt8] { withBytes { Array($0) } }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let words = (first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian)
        return try withUnsafeBytes(of: words, body)
    }

    var halves: (UInt128, UInt128) {
        (UInt128(first) << 64 | UInt128(second), UInt128(third) << 64 | UInt128(fourth))
    }

    package static func < (left: UserHash, right: UserHash) -> Bool {
        (left.first, left.second, left.third, left.fourth) < (right.first, right.second, right.third, right.fourth)
    }
}

extension UserHash {
    /// Reads 64 lower-case hexadecimal digits; nil for anything else.
    package init?(hexadecimal digits: UnsafeRawBufferPointer) {
        guard digits.count == 2 * Self.byteCount else { return nil }
        // Branch-free, because random digits defeat branch prediction; faults are accumulated.
        var faults: UInt8 = 0
        func word(_ index: Int) -> UInt64 {
            var word: UInt64 = 0
            for position in index * 16..<index * 16 + 16 {
                let value = Self.values[Int(digits[position])]
                faults |= value
                word = word << 4 | UInt64(value & 0x0F)
            }
            return word
        }
        let words = (word(0), word(1), word(2), word(3))
        guard faults & 0xF0 == 0 else { return nil }
        (first, second, third, fourth) = words
    }

    /// For each byte: the value of a lower-case hexadecimal digit, or 255.
    private static let values: [UInt8] = (0...255).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(byte) - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt8(byte) - UInt8(ascii: "a") + 10
        default: 255
        }
    }
}

extension EventIDSeed {
    /// Where a user stands among all others. Users choose their hashes, but not their keys.
    package func key(of user: UserHash) -> Int64 {
        let (left, right) = user.halves
        let first = hash(EventID(value: left))
        return Int64(bitPattern: hash(EventID(value: right ^ UInt128(first) << 64)))
    }
}
