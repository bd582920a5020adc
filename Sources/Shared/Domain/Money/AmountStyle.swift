/// How amounts are written for people.
///
/// Foundation's own formatter is not used: on some systems it goes through floating point, and an amount must come out
/// to the last digit.
public struct AmountStyle: Sendable, Hashable {
    public var decimalSeparator: String
    public var groupSeparator: String
    /// Whether the symbol stands before the digits, without a blank, or after them with one.
    public var symbolLeads: Bool
    /// Between digits and a symbol that follows.
    public var symbolGap: String

    public init(decimalSeparator: String, groupSeparator: String, symbolLeads: Bool, symbolGap: String) {
        self.decimalSeparator = decimalSeparator
        self.groupSeparator = groupSeparator
        self.symbolLeads = symbolLeads
        self.symbolGap = symbolGap
    }

    /// €1,234.56
    public static let english = AmountStyle(
        decimalSeparator: ".", groupSeparator: ",", symbolLeads: true, symbolGap: "")

    /// 1 234,56 €, with a narrow no-break space between groups and a no-break space before the symbol (CLDR).
    public static let french = AmountStyle(
        decimalSeparator: ",", groupSeparator: "\u{202F}", symbolLeads: false, symbolGap: "\u{00A0}")

    public init(_ language: DisplayLanguage) {
        self = language == .french ? .french : .english
    }

    /// The style of a locale, as far as it differs in separators; the symbol stands as in its language.
    public init(decimalSeparator: String?, groupSeparator: String?, language: DisplayLanguage) {
        self.init(language)
        if let decimalSeparator { self.decimalSeparator = decimalSeparator }
        if let groupSeparator { self.groupSeparator = groupSeparator }
    }
}

extension Money {
    /// The amount for people: `€13.49`, `13,49 €`, `¥1,200`, `CHF 1.50`.
    public func formatted(_ style: AmountStyle) -> String {
        let parts = decimal.drop { $0 == "-" }.split(separator: ".")
        var digits = ""
        for (index, digit) in parts[0].enumerated() {
            if index > 0, (parts[0].count - index).isMultiple(of: 3) { digits += style.groupSeparator }
            digits.append(digit)
        }
        if parts.count == 2 { digits += style.decimalSeparator + parts[1] }
        let sign = minorUnits < 0 ? "-" : ""
        guard style.symbolLeads else { return sign + digits + style.symbolGap + currency.symbol }
        let gap = currency.symbol.count > 1 && currency.symbol.last?.isLetter == true ? "\u{00A0}" : ""
        return sign + currency.symbol + gap + digits
    }
}

extension Currency {
    /// The sign that people know, or else the code.
    public var symbol: String { Self.symbols[code] ?? code }

    private static let symbols = [
        "EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩", "ILS": "₪", "VND": "₫", "UAH": "₴",
        "PHP": "₱", "NGN": "₦", "CAD": "CA$", "AUD": "A$", "NZD": "NZ$", "BRL": "R$", "CNY": "CN¥", "MXN": "MX$",
        "HKD": "HK$", "TWD": "NT$",
    ]
}
