/// Which letters a text holds; rare ones share a bit, so that a missing bit is certain and a present one is not.
struct LetterSet: Sendable {
    private var bits: UInt64 = 0

    init(_ units: [UInt16]) {
        for unit in units { _ = insert(unit) }
    }

    /// False when the bit of the letter was set before.
    mutating func insert(_ unit: UInt16) -> Bool {
        let bit: UInt64 = 1 << Self.position(unit)
        defer { bits |= bit }
        return bits & bit == 0
    }

    /// How many distinct letters of `other` are missing here, at least.
    func missing(from other: LetterSet) -> Int {
        (other.bits & ~bits).nonzeroBitCount
    }

    private static func position(_ unit: UInt16) -> UInt64 {
        switch unit {
        case 0x61...0x7A: UInt64(unit - 0x61)
        case 0x30...0x39: UInt64(unit - 0x30) + 26
        case 0x20: 36
        default: 37 + UInt64(unit % 27)
        }
    }
}
