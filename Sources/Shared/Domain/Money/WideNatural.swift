/// A natural number of any size, with the few operations that exact sums need.
struct WideNatural: Hashable, Comparable {
    /// Little end first, without leading zeros.
    private var limbs: [UInt32]

    init(_ value: UInt32) { limbs = value == 0 ? [] : [value] }

    mutating func multiply(by factor: UInt32) {
        guard factor > 0 else {
            limbs = []
            return
        }
        var carry: UInt64 = 0
        for index in limbs.indices {
            let product = UInt64(limbs[index]) * UInt64(factor) + carry
            limbs[index] = UInt32(truncatingIfNeeded: product)
            carry = product >> 32
        }
        if carry > 0 { limbs.append(UInt32(carry)) }
    }

    mutating func add(_ other: WideNatural) {
        var carry: UInt64 = 0
        for index in 0..<max(limbs.count, other.limbs.count) {
            if index == limbs.count { limbs.append(0) }
            let sum = UInt64(limbs[index]) + (index < other.limbs.count ? UInt64(other.limbs[index]) : 0) + carry
            limbs[index] = UInt32(truncatingIfNeeded: sum)
            carry = sum >> 32
        }
        if carry > 0 { limbs.append(UInt32(carry)) }
    }

    /// `other` must not be greater.
    mutating func subtract(_ other: WideNatural) {
        var borrow: Int64 = 0
        for index in limbs.indices {
            var difference = Int64(limbs[index]) - borrow - (index < other.limbs.count ? Int64(other.limbs[index]) : 0)
            borrow = difference < 0 ? 1 : 0
            if difference < 0 { difference += 1 << 32 }
            limbs[index] = UInt32(difference)
        }
        while limbs.last == 0 { limbs.removeLast() }
    }

    static func < (left: WideNatural, right: WideNatural) -> Bool {
        guard left.limbs.count == right.limbs.count else { return left.limbs.count < right.limbs.count }
        for index in left.limbs.indices.reversed() where left.limbs[index] != right.limbs[index] {
            return left.limbs[index] < right.limbs[index]
        }
        return false
    }
}
