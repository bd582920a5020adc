/// How amounts are formatted for people.
///
/// Foundation's formatter is not used because it goes through floating point on some systems.
public struct AmountStyle: Sendable, Hashable {
    /// Between whole units and decimals: `.` or `,`.
    public var decimalSeparator: String
    /// Between groups of three digits; empty for none.
    public var groupSeparator: String
    /// Whether the symbol precedes the digits or follows them. Letters that precede, as in `CHF 1.50`, have a space.
    public var symbolLeads: Bool
    /// Between digits and a symbol that follows.
    public var symbolGap: String
    /// Before negative amounts: a hyphen, which other programs read too; on pages the sign of print.
    package var minusSign = "-"

    /// A style of your own; takes the fields as they are.
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

    /// The style of a language: ``english`` or ``french``.
    public init(_ language: DisplayLanguage) {
        self = language == .french ? .french : .english
    }

    /// The style of a locale with its own separators; the position of the symbol follows the language.
    public init(decimalSeparator: String?, groupSeparator: String?, language: DisplayLanguage) {
        self.init(language)
        if let decimalSeparator { self.decimalSeparator = decimalSeparator }
        if let groupSeparator { self.groupSeparator = groupSeparator }
    }
}

extension AmountStyle {
    /// A whole number with its digits in groups of three.
    public func grouped(_ number: Int) -> String { (number < 0 ? "-" : "") + grouped(Substring("\(number.magnitude)")) }

    fileprivate func grouped(_ digits: Substring) -> String {
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { grouped += groupSeparator }
            grouped.append(digit)
        }
        return grouped
    }
}

extension Money {
    /// The formatted amount: `€13.49`, `13,49 €`, `¥1,200`, `CHF 1.50`.
    public func formatted(_ style: AmountStyle) -> String {
        let parts = decimal.drop { $0 == "-" }.split(separator: ".")
        var digits = style.grouped(parts[0])
        if parts.count == 2 { digits += style.decimalSeparator + parts[1] }
        let sign = minorUnits < 0 ? style.minusSign : ""
        guard style.symbolLeads else { return sign + digits + style.symbolGap + currency.symbol }
        let gap = currency.symbol.count > 1 && currency.symbol.last?.isLetter == true ? "\u{00A0}" : ""
        return sign + currency.symbol + gap + digits
    }
}

extension Currency {
    /// The symbol, or the code for currencies without one.
    public var symbol: String { Self.symbols[code] ?? code }

    private static let symbols = [
        "EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩", "ILS": "₪", "VND": "₫", "UAH": "₴",
        "PHP": "₱", "NGN": "₦", "CAD": "CA$", "AUD": "A$", "NZD": "NZ$", "BRL": "R$", "CNY": "CN¥", "MXN": "MX$",
        "HKD": "HK$", "TWD": "NT$",
    ]
}
