/// Amounts as people and spreadsheets write them: `1 234,56 €`, `$15.99`, `1,234.56`, `EUR 9`.
public enum AmountText {
    /// The amount as it stands on the wire (`1234.56`) and the currency that a sign or code names; nil when there is no
    /// one way to read it.
    ///
    /// Of a point and a comma the last one parts decimals, and a mark that comes twice groups. A single mark parts
    /// decimals, also before three digits: so `1.234` is refused where the currency has two, and never taken for a
    /// thousand times as much.
    ///
    /// A sign or code stands before the number or behind it, never within; groups have three digits.
    public static func read(_ text: String) -> (decimal: String, currency: Currency?)? {
        let isNumeric = { (character: Character) in
            character.isASCII && (character.isNumber || character == "." || character == ",")
        }
        guard let first = text.firstIndex(where: isNumeric), let last = text.lastIndex(where: isNumeric) else {
            return nil
        }
        var sign = (text[..<first] + text[text.index(after: last)...]).filter { !$0.isWhitespace }
        let isNegative = text[..<first].contains { $0 == "-" || $0 == "\u{2212}" }
        if isNegative, let minus = sign.firstIndex(where: { $0 == "-" || $0 == "\u{2212}" }) { sign.remove(at: minus) }
        let named = sign.isEmpty ? nil : Self.currency(sign)
        guard sign.isEmpty || named != nil, let digits = ungrouped(text[first...last]), let decimal = decimal(digits)
        else { return nil }
        return ((isNegative ? "-" : "") + decimal, named)
    }

    /// Without blanks or apostrophes between groups of three digits; nil where they stand elsewhere.
    private static func ungrouped(_ number: Substring) -> String? {
        let whole = number.prefix { $0 != "." && $0 != "," }
        let rest = number[whole.endIndex...]
        guard rest.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }) else {
            // Behind the first mark there are more groups only where the mark groups too, which nobody writes.
            return nil
        }
        let isMark = { (character: Character) in
            character.isWhitespace || character == "'" || character == "\u{2019}"
        }
        let groups = whole.split(omittingEmptySubsequences: false, whereSeparator: isMark)
        guard groups.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), isGrouped(groups) else { return nil }
        return groups.joined() + rest
    }

    /// Whether every group but the first has three digits, and that one has one to three where there are others.
    private static func isGrouped(_ groups: [Substring]) -> Bool {
        groups.count <= 1 || groups.dropFirst().allSatisfy { $0.count == 3 } && (1...3).contains(groups[0].count)
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
            let groups = text.split(separator: text[last], omittingEmptySubsequences: false)
            return isGrouped(groups) && groups.allSatisfy { $0.allSatisfy(\.isNumber) } ? groups.joined() : nil
        }
        let groups = head.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard !tail.isEmpty, isGrouped(groups) else { return nil }
        return groups.joined() + "." + tail
    }
}
