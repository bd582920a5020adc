/// Reads amounts as people and spreadsheets write them: `1 234,56 €`, `$15.99`, `1,234.56`, `EUR 9`.
public enum AmountText {
    /// Returns the wire form (`1234.56`) and the currency given by a symbol or code; nil when the text is ambiguous.
    ///
    /// With both a point and a comma, the last one is the decimal separator; a mark that occurs twice separates groups.
    /// A single mark is the decimal separator even before three digits, so `1.234` is rejected for a currency with two
    /// decimals rather than read as a thousand times the amount.
    ///
    /// The symbol or code precedes or follows the number; groups have three digits.
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

    /// The wire form of an amount in a known currency.
    ///
    /// Throws ``Fault`` for `field` if the text is not an amount or names another currency.
    public static func decimal(_ text: String, in currency: Currency, field: String) throws(Fault) -> String {
        guard let (decimal, named) = read(text) else {
            throw Fault(field, .invalidAmount, "Must be an amount such as 13.49.")
        }
        if let named, named != currency, text.uppercased().contains(named.code) || !currency.shares(named.symbol) {
            throw Fault("currency", .invalidFormat, "Must be the currency named in the amount.")
        }
        return decimal
    }

    /// Removes blanks or apostrophes between groups of three digits; nil if they occur elsewhere.
    private static func ungrouped(_ number: Substring) -> String? {
        let whole = number.prefix { $0 != "." && $0 != "," }
        let rest = number[whole.endIndex...]
        guard rest.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }) else {
            // Mixed group separators are rejected.
            return nil
        }
        let isMark = { (character: Character) in
            character.isWhitespace || character == "'" || character == "\u{2019}"
        }
        let groups = whole.split(omittingEmptySubsequences: false, whereSeparator: isMark)
        guard groups.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), isGrouped(groups) else { return nil }
        return groups.joined() + rest
    }

    /// Whether all groups have three digits, except the first, which has one to three.
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
            // It separates groups, and no other mark may.
            let groups = text.split(separator: text[last], omittingEmptySubsequences: false)
            return isGrouped(groups) && groups.allSatisfy { $0.allSatisfy(\.isNumber) } ? groups.joined() : nil
        }
        let groups = head.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard !tail.isEmpty, isGrouped(groups) else { return nil }
        return groups.joined() + "." + tail
    }
}
