/// A number of days, weeks, months or years between two charges.
public struct BillingInterval: Sendable, Hashable {
    /// 1…999.
    public let count: Int
    public let unit: BillingUnit

    public static let countRange = 1...999

    /// Nil when the count is out of range.
    public init?(count: Int, unit: BillingUnit) {
        guard Self.countRange.contains(count) else { return nil }
        self.count = count
        self.unit = unit
    }

    /// Reads a count without leading zeros and the letter of the unit, such as `18m`.
    init?(wire: some StringProtocol) {
        guard let letter = wire.last, let unit = BillingUnit(rawValue: String(letter)) else { return nil }
        let digits = wire.dropLast()
        guard digits.utf8.count <= 3, digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
            digits.utf8.first != UInt8(ascii: "0"), let count = Int(digits)
        else { return nil }
        self.init(count: count, unit: unit)
    }

    var wire: String { "\(count)\(unit.rawValue)" }
}
