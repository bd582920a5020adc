/// An exact amount in whole minor units of its currency.
public struct Money: Sendable, Hashable {
    /// Cents, or whole units of a currency without decimals.
    public var minorUnits: Int64
    /// The currency, which says how many decimals there are.
    public var currency: Currency

    /// An amount in cents, or whole units of a currency without decimals.
    public init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Reads the wire form: an optional `-`, digits, and optionally a point with at least one
    /// decimal and no more than the currency has.
    ///
    /// Accepts leading zeros and minus zero; rejects `+`, blanks, exponents and group separators.
    public init(decimal: String, currency: Currency) throws(MoneyError) {
        var digits = decimal.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy(Self.isDigits) else { throw .malformed }
        let decimals = parts.count == 2 ? parts[1].count : 0
        guard decimals <= currency.exponent else { throw .tooManyDecimals(allowed: currency.exponent) }

        // Summed as a negative number, whose range is one minor unit larger.
        var units: Int64 = 0
        for digit in parts.joined() { units = try Self.append(digit, to: units) }
        for _ in decimals..<currency.exponent { units = try Self.append(UInt8(ascii: "0"), to: units) }
        guard isNegative || units != .min else { throw .outOfRange }
        self.init(minorUnits: isNegative ? units : -units, currency: currency)
    }

    /// The amount with exactly as many decimals as the currency has: `13.49`, `-3.10`, `1200`.
    public var decimal: String {
        let exponent = currency.exponent
        var digits = String(minorUnits.magnitude)
        if digits.utf8.count <= exponent {
            digits = String(repeating: "0", count: exponent + 1 - digits.utf8.count) + digits
        }
        if exponent > 0 {
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -exponent))
        }
        return minorUnits < 0 ? "-" + digits : digits
    }

    private static func isDigits(_ part: Substring.UTF8View) -> Bool {
        !part.isEmpty && part.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }

    private static func append(_ digit: UInt8, to units: Int64) throws(MoneyError) -> Int64 {
        let (product, first) = units.multipliedReportingOverflow(by: 10)
        let (sum, second) = product.subtractingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
        guard !first, !second else { throw .outOfRange }
        return sum
    }
}

extension Money {
    /// The same amount to take away.
    package var negated: Money { Money(minorUnits: -minorUnits, currency: currency) }

    /// The amount without its sign.
    package var magnitude: Money { Money(minorUnits: abs(minorUnits), currency: currency) }

    /// The sum of each currency, sorted by code.
    public static func sums(of amounts: some Sequence<Money>) -> [Money] {
        var sums: [Currency: Int64] = [:]
        for amount in amounts { sums[amount.currency, default: 0].add(clamping: amount.minorUnits) }
        return sums.map { Money(minorUnits: $1, currency: $0) }.sorted { $0.currency.code < $1.currency.code }
    }
}

extension Int64 {
    /// Adds minor units; what 64 bits cannot hold becomes the nearest that they can.
    package mutating func add(clamping other: Int64) {
        let (sum, overflows) = addingReportingOverflow(other)
        self = overflows ? (other < 0 ? .min : .max) : sum
    }
}

extension Sequence<Int64> {
    /// The sum of minor units, within 64 bits.
    package var clampedSum: Int64 { reduce(into: 0) { $0.add(clamping: $1) } }
}

extension Money: CustomStringConvertible {
    /// The amount and the code of its currency: `13.49 EUR`.
    public var description: String { "\(decimal) \(currency.code)" }
}

/// Why a text is not an amount.
public enum MoneyError: Error, Sendable, Hashable {
    /// Not a decimal number with a point, such as an empty text, `13,49` or `+1`.
    case malformed
    /// More decimals than the currency has; `allowed` is how many it has.
    case tooManyDecimals(allowed: Int)
    /// More minor units than 64 bits hold.
    case outOfRange

    /// The code on the wire.
    public var code: FaultCode {
        switch self {
        case .malformed: .invalidAmount
        case .tooManyDecimals: .tooManyDecimals
        case .outOfRange: .outOfRange
        }
    }

    /// What is wrong, for a person; its values are kept apart for translation.
    public var sentence: Sentence {
        switch self {
        case .malformed: "Must be a decimal number such as \"13.49\"."
        case .tooManyDecimals(0): "Must have no decimals."
        case .tooManyDecimals(let allowed): "Must have at most \(allowed) decimals."
        case .outOfRange: "The amount is too large."
        }
    }
}
