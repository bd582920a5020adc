/// Amounts as people and spreadsheets write them: `1 234,56 €`, `$15.99`, `1,234.56`, `EUR 9`.
public enum AmountText {
    /// The amount as it stands on the wire (`1234.56`) and the currency that a sign or code names; nil when there is no
    /// one way to read it.
    ///
    /// Of a point and a comma the last one parts decimals, unless it stands before exactly three digits and the other
    /// mark or a second one shows that it groups. One mark before exactly three digits is read as decimals only when
    /// `currency` has three of them.
    public static func read(_ text: String, currency: Currency? = nil) -> (decimal: String, currency: Currency?)? {
        var digits = ""
        var sign = ""
        for character in text {
            if character.isASCII, character.isNumber || character == "." || character == "," {
                digits.append(character)
            } else if character == "-" && digits.isEmpty || character == "\u{2212}" && digits.isEmpty {
                digits.append("-")
            } else if !character.isWhitespace, character != "'", character != "\u{2019}" {
                sign.append(character)
            }
        }
        let named = sign.isEmpty ? nil : Self.currency(sign)
        guard sign.isEmpty || named != nil, let decimal = decimal(digits, currency: named ?? currency) else {
            return nil
        }
        return (decimal, named)
    }

    private static func currency(_ sign: String) -> Currency? {
        if let currency = Currency(code: sign.uppercased()) { return currency }
        if sign == "$" { return .usd }
        return Currency.all.first { $0.symbol == sign }
    }

    private static func decimal(_ text: String, currency: Currency?) -> String? {
        let marks = text.filter { $0 == "." || $0 == "," }
        guard let last = text.lastIndex(where: { $0 == "." || $0 == "," }) else { return text.isEmpty ? nil : text }
        let tail = text[text.index(after: last)...]
        let mark = text[last]
        let isRepeated = marks.filter { $0 == mark }.count > 1
        let hasOther = marks.contains { $0 != mark }
        let groups = isRepeated || tail.count == 3 && !hasOther && currency?.exponent != 3
        // `1,234` without anything else is a thousand and more, but `0,123` is none.
        if groups, tail.count == 3, text.first != "0" { return text.filter { $0 != "." && $0 != "," } }
        guard !isRepeated, !tail.isEmpty else { return nil }
        return text[..<last].filter { $0 != "." && $0 != "," } + "." + tail
    }
}
