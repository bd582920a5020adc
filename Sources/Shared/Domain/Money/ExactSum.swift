/// An exact sum of amounts times annual factors, rounded only when read.
public struct ExactSum: Sendable, Hashable {
    /// Minor units by denominator.
    private var numerators: [Int64: Int128] = [:]

    public init() {}

    /// Adds `minorUnits` times the factor.
    public mutating func add(_ minorUnits: Int64, times factor: AnnualFactor) {
        numerators[factor.denominator, default: 0] += Int128(minorUnits) * Int128(factor.numerator)
    }

    /// Adds another sum.
    public mutating func add(_ other: ExactSum) {
        for (denominator, numerator) in other.numerators { numerators[denominator, default: 0] += numerator }
    }

    /// The sum divided by `divisor`, in whole minor units, rounded half to even and clamped to 64 bits.
    ///
    /// - Parameter divisor: 1…1000, such as 12 for the monthly part of a yearly sum.
    public func rounded(dividedBy divisor: Int64 = 1) -> Int64 {
        var whole: Int128 = 0
        var fraction = WideFraction()
        for (denominator, numerator) in numerators {
            let divisor = Int128(denominator) * Int128(divisor)
            var quotient = numerator / divisor
            var remainder = numerator % divisor
            if remainder < 0 {
                quotient -= 1
                remainder += divisor
            }
            whole += quotient
            // Both are below 999 × 1000.
            fraction.add(UInt32(remainder), over: UInt32(divisor))
        }
        let (carried, rest) = fraction.wholeAndRest()
        whole += Int128(carried)
        if rest == .aboveHalf || rest == .half && !whole.isMultiple(of: 2) { whole += 1 }
        return Int64(clamping: whole)
    }
}

/// An exact sum of fractions below one, for any number of denominators.
private struct WideFraction {
    enum Rest { case belowHalf, half, aboveHalf }

    private var numerator = WideNatural(0)
    private var denominator = WideNatural(1)
    private var count = 0

    mutating func add(_ part: UInt32, over whole: UInt32) {
        guard part > 0 else { return }
        var scaled = denominator
        scaled.multiply(by: part)
        numerator.multiply(by: whole)
        numerator.add(scaled)
        denominator.multiply(by: whole)
        count += 1
    }

    func wholeAndRest() -> (whole: Int, rest: Rest) {
        var rest = numerator
        var whole = 0
        // At most one iteration per fraction.
        while rest >= denominator {
            rest.subtract(denominator)
            whole += 1
        }
        rest.multiply(by: 2)
        return (whole, rest == denominator ? .half : rest < denominator ? .belowHalf : .aboveHalf)
    }
}

/// An unsigned integer of any size, with the operations that exact sums need.
struct WideNatural: Hashable, Comparable {
    /// Little-endian, without leading zeros.
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
