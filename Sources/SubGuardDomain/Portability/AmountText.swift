/// Amounts as people and spreadsheets write them: `1 234,56 €`, `$15.99`, `1,234.56`, `EUR 9`.
public enum AmountText {
    /// The amount as it stands on the wire (`1234.56`) and the currency that a sign or code names; nil when there is no
    /// one way to read it.
    ///
    /// Of a point and a comma the last one parts decimals, and a mark that comes twice groups. A single mark parts
    /// decimals, also before three digits: so `1.234` is refused where the currency has two, and never taken for a
    /// thousand times as much.
    public static func read(_ text: String) -> (decimal: String, currency: Currency?)? {
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
        guard sign.isEmpty || named != nil, let decimal = decimal(digits) else {
            return nil
        }
        return (decimal, named)
    }

    private static func currency(_ sign: String) -> Currency? {
        if let currency = Currency(code: sign.uppercased()) { return currency }
        if sign == "$" { return .usd }
        return Currency.all.first { $0.symbol == sign }
    }

    private static func decimal(_ text: String) -> String? {
        guard let last = text.lastIndex(where: { $0 == "." || $0 == "," }) else { return text.isEmpty ? nil : text }
        let tail = text[text.index(after: last)...]
        let head = text[..<last]
        if head.contains(text[last]) {
            // It groups, and so does nothing else: every group has three digits.
            let groups = text.split(separator: text[last], omittingEmptySubsequences: false).dropFirst()
            return groups.allSatisfy { $0.count == 3 && $0.allSatisfy(\.isNumber) }
                ? text.filter { $0 != text[last] } : nil
        }
        guard !tail.isEmpty else { return nil }
        return head.filter { $0 != "." && $0 != "," } + "." + tail
    }
}
