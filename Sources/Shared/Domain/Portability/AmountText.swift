/// Reads amounts as people and spreadsheets write them: `1 234,56 €`, `$15.99`, `1,234.56`, `EUR 9`.
public enum AmountText {
    /// Returns the wire form (`1234.56`) and the sign or code beside it; nil when the text is no amount.
    ///
    /// With both a point and a comma, the last one is the decimal separator; a mark that occurs twice separates groups.
    /// A single mark is the decimal separator even before three digits, so `1.234` is rejected for a currency with two
    /// decimals rather than read as a thousand times the amount; ``Reading/decimal(in:)`` has those without decimals.
    ///
    /// The sign or code precedes or follows the number; groups have three digits. A dash may stand for the decimals:
    /// `15.–`. A text of more than 64 bytes is no amount.
    public static func read(_ text: String) -> Reading? {
        guard text.utf8.count <= maximumBytes else { return nil }
        let isDigit = { (character: Character) in character.isASCII && character.isNumber }
        guard let first = text.firstIndex(where: isDigit), let last = text.lastIndex(where: isDigit) else {
            return nil
        }
        var (before, after) = (text[..<first], text[text.index(after: last)...])
        if let dash = after.first, dash == "." || dash == "," {
            let rest = after.dropFirst().drop { isMinus($0) }
            guard rest.startIndex > after.index(after: after.startIndex) else { return nil }
            after = rest
        }
        // A decimal mark needs a digit before it; the point of `Rs.499` and `B/.499` is one of the sign.
        let ofSign = before.dropLast().last.map { $0.isLetter || $0 == "/" } ?? false
        if let mark = before.last, mark == "," || mark == "." && !ofSign { return nil }
        let isNegative = before.contains(where: isMinus)
        if isNegative, let minus = before.firstIndex(where: isMinus) {
            before = before[..<minus] + before[before.index(after: minus)...]
        }
        let written = (before + after).filter { !$0.isWhitespace }
        let isEuro = ["euro", "euros"].contains(written.lowercased())
        let sign = written.isEmpty ? nil : CurrencySign(isEuro ? "EUR" : written)
        guard written.isEmpty || sign != nil, let digits = ungrouped(text[first...last]), let decimal = decimal(digits)
        else { return nil }
        return Reading(decimal: (isNegative ? "-" : "") + decimal, sign: sign)
    }

    /// The wire form of an amount in a known currency.
    ///
    /// Throws ``Fault`` for `field` if the text is not an amount or names another currency.
    public static func decimal(_ text: String, in currency: Currency, field: String) throws(Fault) -> String {
        guard let reading = read(text) else {
            throw Fault(field, .invalidAmount, "Must be an amount such as 13.49.")
        }
        if let sign = reading.sign, !sign.currencies.contains(currency) {
            throw Fault("currency", .invalidFormat, "Must be the currency named in the amount.")
        }
        return reading.decimal(in: currency)
    }

    /// More than any amount with its sign and blanks of three bytes has.
    private static let maximumBytes = 64

    /// A hyphen, minus, en dash or em dash.
    private static func isMinus(_ character: Character) -> Bool { "-\u{2212}\u{2013}\u{2014}".contains(character) }

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
