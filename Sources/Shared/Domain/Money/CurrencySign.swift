/// A sign or code of money as it is written beside amounts: `$`, `kr.`, `Rs`, `CA$`, `EUR`.
///
/// One sign may mean several currencies. ``currency(preferring:)`` decides by the currencies that were named elsewhere.
public struct CurrencySign: Sendable, Hashable {
    /// As it was written.
    public let text: String
    /// The currencies that use the sign, by code; never empty.
    public let currencies: [Currency]
    /// The currency that the sign means unless another one was named; nil when no currency is more likely than others.
    public let usual: Currency?

    /// Nil for what is neither a code nor a sign. Blanks, points and, in words of two letters and more, case do not
    /// matter.
    public init?(_ text: String) {
        let plain = Self.plain(text)
        guard !plain.isEmpty, plain.utf8.count <= 40 else { return nil }
        self.text = text
        if let currency = Currency(code: plain.uppercased()) {
            (currencies, usual) = ([currency], currency)
        } else if let found = Self.table[plain] ?? Self.table[plain.lowercased()] {
            (currencies, usual) = (found.currencies, found.usual)
        } else {
            return nil
        }
    }

    /// Whether it is a single letter of the alphabet, which in running text is more often something else.
    public var isLetter: Bool { text.utf8.count == 1 && text.first?.isLetter == true }

    /// The first of the named currencies that uses the sign, else ``usual``.
    ///
    /// - Parameter named: the currency of a flag, a column or the settings, the nearest one first.
    public func currency(preferring named: [Currency] = []) -> Currency? {
        named.first { currencies.contains($0) } ?? usual
    }

    /// As ``currency(preferring:)``; throws a fault of `currency` when the sign stays ambiguous.
    public func requireCurrency(preferring named: [Currency]) throws(Fault) -> Currency {
        if let currency = currency(preferring: named) { return currency }
        let codes = currencies.map(\.code).joined(separator: ", ")
        throw Fault(
            "currency", .unknownCurrency, "\(text) is the sign of several currencies: \(codes). Name one of them.")
    }

    private struct Meaning {
        var currencies: [Currency]
        var usual: Currency?
    }

    /// Spellings that CLDR does not have, and signs with which one currency only is meant outside of its own country.
    private static let spellings = [
        "fr": "CHF", "sfr": "CHF", "s$": "SGD", "mex$": "MXN", "kc": "CZK",
    ]

    /// By the plain sign, and by the plain sign in lower case.
    private static let table: [String: Meaning] = {
        var table: [String: Meaning] = [:]
        var lowered: [String: Meaning] = [:]
        for line in CurrencySignTable.text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let usual = words.first { $0.first == "+" }.flatMap { Currency(code: String($0.dropFirst())) }
            let currencies = words.dropFirst().compactMap {
                Currency(code: $0.first == "+" ? String($0.dropFirst()) : String($0))
            }
            let sign = String(words[0])
            table[sign] = Meaning(currencies: currencies, usual: usual)
            // `KR` may be any of those that `kr` and `Kr` are.
            var merged = lowered[sign.lowercased()] ?? Meaning(currencies: [], usual: usual)
            if merged.usual != usual { merged.usual = nil }
            merged.currencies += currencies.filter { !merged.currencies.contains($0) }
            lowered[sign.lowercased()] = merged
        }
        // A single letter is a sign only as it is written.
        table.merge(lowered.filter { $0.key.count > 1 }) { exact, _ in exact }
        for (sign, code) in spellings {
            guard let currency = Currency(code: code) else { continue }
            for spelling in [sign, sign.uppercased(), sign.prefix(1).uppercased() + sign.dropFirst()] {
                let others = (table[spelling]?.currencies ?? []).filter { $0 != currency }
                table[spelling] = Meaning(currencies: [currency] + others, usual: currency)
            }
        }
        return table
    }()

    /// Without blanks, points and marks of direction, in the usual width.
    private static func plain(_ text: String) -> String {
        var plain = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x2E: continue
            case 0xFFE1: plain.unicodeScalars.append("£")
            case 0xFFE5: plain.unicodeScalars.append("¥")
            case 0xFFE6: plain.unicodeScalars.append("₩")
            case 0xFF01...0xFF5E: plain.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
            default:
                if scalar.properties.isWhitespace || scalar.properties.generalCategory == .format { continue }
                plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }
}

extension AmountText {
    /// An amount and the sign or code beside it.
    public struct Reading: Sendable, Hashable {
        /// The wire form, such as `1234.56`.
        public var decimal: String
        /// The sign or code beside the amount, such as `€` or `EUR`; nil for a number alone.
        public var sign: CurrencySign?

        /// The currency that is named; nil without a sign, and for a sign of several currencies.
        public var currency: Currency? { sign?.currency() }

        /// The wire form in a currency. Without decimals, a mark before three digits can only separate groups: `4,277`
        /// is 4277 yen.
        public func decimal(in currency: Currency) -> String {
            let parts = decimal.split(separator: ".")
            guard currency.exponent == 0, parts.count == 2, parts[1].count == 3,
                let whole = Int(parts[0]), (1...999).contains(abs(whole))
            else { return decimal }
            return parts.joined()
        }
    }
}
