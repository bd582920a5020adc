/// An exact sum of amounts times annual factors, rounded only when read.
package struct ExactSum: Sendable, Hashable {
    /// Minor units by denominator.
    private var numerators: [Int64: WideInteger] = [:]

    package init() {}

    /// Adds `minorUnits` times the factor.
    package mutating func add(_ minorUnits: Int64, times factor: AnnualFactor) {
        numerators[factor.denominator, default: WideInteger()].add(
            WideInteger(minorUnits, times: factor.numerator))
    }

    /// Adds another sum.
    package mutating func add(_ other: ExactSum) {
        for (denominator, numerator) in other.numerators {
            numerators[denominator, default: WideInteger()].add(numerator)
        }
    }

    /// The sum divided by `divisor`, in whole minor units, rounded half to even and clamped to 64 bits.
    ///
    /// - Parameter divisor: 1…1000, such as 12 for the monthly part of a yearly sum.
    package func rounded(dividedBy divisor: Int64 = 1) -> Int64 {
        var whole = WideInteger()
        var fraction = WideFraction()
        for (denominator, numerator) in numerators {
            let divisor = denominator * divisor
            let (quotient, remainder) = numerator.divided(by: divisor)
            whole.add(quotient)
            // Both are below 999 × 1000.
            fraction.add(UInt32(remainder), over: UInt32(divisor))
        }
        let (carried, rest) = fraction.wholeAndRest()
        whole.add(WideInteger(Int64(carried), times: 1))
        if rest == .aboveHalf || rest == .half && !whole.isEven { whole.add(WideInteger(1, times: 1)) }
        return whole.clamped
    }
}

/// A number of 128 bits, which sums of minor units times factors stay far below. `Int128` needs iOS 18.
private struct WideInteger: Hashable {
    private var high: Int64 = 0
    private var low: UInt64 = 0

    init() {}

    init(_ value: Int64, times factor: Int64) { (high, low) = value.multipliedFullWidth(by: factor) }

    var isEven: Bool { low & 1 == 0 }

    /// The nearest number of 64 bits.
    var clamped: Int64 {
        if high == 0, low <= UInt64(Int64.max) { return Int64(low) }
        if high == -1, low > UInt64(Int64.max) { return Int64(bitPattern: low) }
        return high < 0 ? .min : .max
    }

    mutating func add(_ other: WideInteger) {
        let (sum, carries) = low.addingReportingOverflow(other.low)
        low = sum
        high += other.high + (carries ? 1 : 0)
    }

    /// Rounded down, so that the remainder is not negative. `divisor` is positive.
    func divided(by divisor: Int64) -> (quotient: WideInteger, remainder: Int64) {
        var quotient = WideInteger()
        var (upper, rest) = high.quotientAndRemainder(dividingBy: divisor)
        if rest < 0 {
            upper -= 1
            rest += divisor
        }
        let (lower, remainder) = UInt64(divisor).dividingFullWidth((UInt64(rest), low))
        (quotient.high, quotient.low) = (upper, lower)
        return (quotient, Int64(remainder))
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
