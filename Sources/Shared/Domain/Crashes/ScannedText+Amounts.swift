/// Amounts of money.
extension ScannedText {
    /// A number beside a currency, in either order: `12.34 EUR`, `€1 299,00`, `CHF 12.-`. A number alone says nothing.
    mutating func amount(at position: Int) -> MaskedPlace? {
        if Octet.isDigit(bytes[position]), position < plainNumberEnd { return nil }
        if let number = numberEnd(at: position) {
            guard let end = currencyEnd(at: afterBlank(number)) else {
                plainNumberEnd = number
                return nil
            }
            return MaskedPlace(kind: .amount, start: position, end: end)
        }
        guard let currency = currencyEnd(at: position) else { return nil }
        // The dollars of some country: US$5.
        if Octet.isLetter(bytes[position]), byte(before: position).map(Octet.isLetter) ?? false { return nil }
        var start = afterBlank(currency)
        if let sign = byte(at: start), Octet.isOneOf(sign, "-+") { start += 1 }
        guard let end = numberEnd(at: start, isFirst: false) else { return nil }
        return MaskedPlace(kind: .amount, start: position, end: end)
    }

    /// Digits in groups: the end behind the last digit; nil unless a number begins here.
    private func numberEnd(at position: Int, isFirst: Bool = true) -> Int? {
        guard let first = byte(at: position), Octet.isDigit(first) else { return nil }
        if isFirst, let before = byte(before: position), Octet.isToken(before) || before == UInt8(ascii: ".") {
            return nil
        }
        var end = runEnd(from: position, most: 20, while: Octet.isDigit)
        while let separator = byte(at: end) {
            let isMark = Octet.isOneOf(separator, ".,'")
            let next = isMark ? end + 1 : afterBlank(end)
            guard next > end else { break }
            let group = runEnd(from: next, most: 20, while: Octet.isDigit)
            // Between blanks, only thousands: what follows may be another number.
            guard isMark ? group > next : group - next == 3 else { break }
            end = group
        }
        return end
    }

    /// The position behind a blank, a no-break space, or a narrow one; the same without one.
    private func afterBlank(_ position: Int) -> Int {
        for blank: StaticString in [" ", "\u{A0}", "\u{202F}", "\u{2009}"] where has(blank, at: position) {
            return position + blank.utf8CodeUnitCount
        }
        return position
    }

    private static let symbols: [StaticString] = ["$", "£", "¥", "zł", "kr"]
    private static let words: [StaticString] = ["eur", "usd", "gbp", "chf", "euro", "dollar", "pound", "franc", "yen"]

    /// The end of a currency's symbol, code in upper case, or name.
    private func currencyEnd(at position: Int) -> Int? {
        guard let first = byte(at: position), !Octet.isDigit(first), first > 0x20 else { return nil }
        // The block of currency symbols, U+20A0 to U+20BF.
        if first == 0xE2, byte(at: position + 1) == 0x82, let last = byte(at: position + 2), last >= 0xA0 {
            return position + 3
        }
        for symbol in Self.symbols where has(symbol, at: position) {
            let end = position + symbol.utf8CodeUnitCount
            if !Octet.isLetter(first) || !continuesWord(end) { return end }
        }
        guard Octet.isLetter(first) else { return nil }
        let end = runEnd(from: position, most: 8, while: Octet.isLetter)
        let isCode =
            end - position == 3
            && CurrencyTable.exponents[bytes[position..<end].reduce(0) { $0 << 8 | UInt32($1) }] != nil
        if isCode, byte(at: end).map(Octet.isDigit) ?? false { return end }
        guard !continuesWord(end) else { return nil }
        if isCode { return end }
        let isNamed = Self.words.contains { word in
            let rest = end - position - word.utf8CodeUnitCount
            return hasFolded(word, at: position)
                && (rest == 0 || rest == 1 && bytes[end - 1] | 0x20 == UInt8(ascii: "s"))
        }
        return isNamed ? end : nil
    }

    private func continuesWord(_ position: Int) -> Bool {
        byte(at: position).map { Octet.isToken($0) || $0 >= 0x80 } ?? false
    }
}
