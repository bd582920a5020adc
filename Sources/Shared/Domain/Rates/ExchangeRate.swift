/// How many units of a currency one euro buys, exactly as its source writes it: `1.0823`.
///
/// All rates are against the euro, as the European Central Bank publishes them; two other currencies convert by their
/// rates of the same day.
public struct ExchangeRate: Sendable, Hashable {
    /// The digits without the point and without trailing zeros; greater than 0.
    public let digits: Int64
    /// How many of the digits are decimals, from 0 through ``maximumDecimals``.
    public let decimals: Int

    /// Decimals that a rate may have.
    public static let maximumDecimals = 12
    /// More digits than any source publishes, and few enough that a product with any amount is exact.
    public static let maximumDigits = 15

    /// One euro for one euro.
    public static let one = ExchangeRate(uncheckedDigits: 1, decimals: 0)

    private init(uncheckedDigits digits: Int64, decimals: Int) {
        self.digits = digits
        self.decimals = decimals
    }

    /// Nil unless the number is positive and within the bounds.
    public init?(digits: Int64, decimals: Int) {
        guard digits > 0, digits < 1_000_000_000_000_000, (0...Self.maximumDecimals).contains(decimals) else {
            return nil
        }
        var (digits, decimals) = (digits, decimals)
        while decimals > 0, digits.isMultiple(of: 10) {
            digits /= 10
            decimals -= 1
        }
        self.init(uncheckedDigits: digits, decimals: decimals)
    }

    /// Reads digits and optionally a point with decimals: `157.25`. Nil for anything else, and for zero.
    public init?(_ text: some StringProtocol) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let decimals = parts.count == 2 ? Array(parts[1]) : []
        let significant = decimals.prefix(decimals.count - decimals.reversed().prefix { $0 == 0x30 }.count)
        let whole = parts[0].drop { $0 == 0x30 }
        guard whole.count + significant.count <= Self.maximumDigits else { return nil }
        let digits = (Array(whole) + significant).reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        self.init(digits: digits, decimals: significant.count)
    }

    /// The number as text: `1.0823`, `157`.
    public var decimal: String {
        let text = String(digits)
        guard decimals > 0 else { return text }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - text.utf8.count)) + text
        return "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}

/// The rate of a day.
public struct DatedRate: Sendable, Hashable {
    /// The currency whose units one euro buys.
    public var currency: Currency
    /// The first day on which it applies.
    public var on: CalendarDay
    /// Units of ``currency`` for one euro.
    public var rate: ExchangeRate

    /// Takes the fields as they are.
    public init(currency: Currency, on: CalendarDay, rate: ExchangeRate) {
        self.currency = currency
        self.on = on
        self.rate = rate
    }
}
