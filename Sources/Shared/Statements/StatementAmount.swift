import SubGuardDomain

/// An amount as a bank writes it, before its currency is known.
struct StatementAmount: Sendable, Hashable {
    var isNegative = false
    /// Without group separators; the last ``decimals`` digits follow the decimal mark.
    private var digits: [UInt8] = []
    private var decimals = 0
    /// The sign or code of a currency written beside the number.
    private(set) var sign: CurrencySign?

    /// The currency that the sign usually means.
    var currency: Currency? { sign?.currency() }

    /// Reads `-1.234,56 €`, `(12.34)`, `12,34-`, `1'234.50 CHF`, `12.34 DR`; nil for anything else. Every dash is a
    /// minus.
    ///
    /// - Parameter mark: the decimal mark of the column, `.` or `,`; nil to tell it from this text alone.
    init?(_ text: String, mark: UInt8? = nil) {
        var marks: [(mark: UInt8, at: Int)] = []
        var word = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "0"..."9": digits.append(UInt8(truncatingIfNeeded: scalar.value))
            case ".", ",": marks.append((UInt8(truncatingIfNeeded: scalar.value), digits.count))
            case "-", "(", "\u{2212}", "\u{2010}"..."\u{2015}", "\u{FE63}", "\u{FF0D}", "\u{FE58}": isNegative = true
            case ")", "+", "'", "\u{2019}", " ", "\u{B4}", "\t": break
            default:
                if scalar.properties.isWhitespace { break }
                guard word.utf8.count < 12 else { return nil }
                word.unicodeScalars.append(scalar)
            }
        }
        guard (1...18).contains(digits.count), read(word), separate(marks, mark) else { return nil }
    }

    /// A currency, or a word for the direction.
    private mutating func read(_ word: String) -> Bool {
        guard !word.isEmpty else { return true }
        switch word.uppercased() {
        case "DR", "D", "S", "DB", "DEBIT": isNegative = true
        case "CR", "C", "H", "CREDIT": break
        case "EUROS", "EURO", "EUROA": sign = CurrencySign("EUR")
        default:
            guard let found = CurrencySign(word), !found.isLetter else { return false }
            sign = found
        }
        return true
    }

    /// Finds the decimal mark; the others must stand before three digits each.
    private mutating func separate(_ marks: [(mark: UInt8, at: Int)], _ known: UInt8?) -> Bool {
        guard let last = marks.last else { return true }
        let tail = digits.count - last.at
        let isDecimal: Bool
        if let known {
            isDecimal = last.mark == known
        } else if marks.count == 1 {
            isDecimal = tail != 3 || last.at > 3 || last.at == 0 || hasZero(before: last.at)
        } else {
            isDecimal = last.mark != marks[0].mark
        }
        let groups = isDecimal ? marks.dropLast() : marks[...]
        decimals = isDecimal ? tail : 0
        guard Set(groups.map(\.mark)).count <= 1, !isDecimal || groups.allSatisfy({ $0.mark != last.mark }) else {
            return false
        }
        // Thousands do not begin with 0.
        guard groups.first.map({ !hasZero(before: $0.at) }) ?? true else { return false }
        let ends = groups.dropFirst().map(\.at) + [digits.count - decimals]
        return zip(groups, ends).allSatisfy { $1 - $0.at == 3 }
    }

    /// Whether nothing but one 0 stands before the first mark.
    private func hasZero(before place: Int) -> Bool { place == 1 && digits.first == UInt8(ascii: "0") }

    /// The amount in a currency. Zeros beyond its decimals are dropped; throws a fault for other digits there.
    func money(in currency: Currency) throws(Fault) -> Money {
        var digits = digits[...]
        var decimals = decimals
        while decimals > currency.exponent, digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            decimals -= 1
        }
        guard decimals <= currency.exponent else {
            throw Fault("amount", .tooManyDecimals, "Must have at most \(currency.exponent) decimals.")
        }
        var units: Int64 = 0
        for digit in digits {
            // At most 18 digits, and 3 zeros below.
            let (product, isHigh) = units.multipliedReportingOverflow(by: 10)
            guard !isHigh else { throw .unreadableStatementAmount }
            units = product + Int64(digit - UInt8(ascii: "0"))
        }
        for _ in decimals..<currency.exponent {
            let (product, isHigh) = units.multipliedReportingOverflow(by: 10)
            guard !isHigh else { throw .unreadableStatementAmount }
            units = product
        }
        guard units <= FieldRules.largestStatementUnits else { throw .unreadableStatementAmount }
        return Money(minorUnits: isNegative ? -units : units, currency: currency)
    }

    /// In ten-thousandths, with its sign, whatever the currency; nil beyond the bounds of amounts.
    var scaled: Int64? {
        var units: Int64 = 0
        for place in 0..<digits.count - decimals + 4 {
            let digit = place < digits.count ? Int64(digits[place] - UInt8(ascii: "0")) : 0
            units = units * 10 + digit
            guard units <= FieldRules.largestStatementUnits * 100 else { return nil }
        }
        return isNegative ? -units : units
    }

    /// Whether a cell says that there is no amount: it is empty, or has a dash only.
    static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isWhitespace || scalar.properties.generalCategory == .dashPunctuation
                || scalar == "\u{2212}"
        }
    }

    var isZero: Bool { digits.allSatisfy { $0 == UInt8(ascii: "0") } }

    /// Whether it is written as an amount rather than as a plain number.
    var hasDecimals: Bool { decimals > 0 }

    /// The decimal mark of a column: the one before one or two digits at the end of most values, or after a single 0;
    /// nil without any. In a currency of three decimals, where none has fewer, the one before three digits.
    static func mark(of column: some Collection<String>, in currency: Currency? = nil) -> UInt8? {
        var counts: [UInt8: Int] = [:]
        var threes: [UInt8: Int] = [:]
        for text in column {
            let number = text.utf8.reversed().drop { !(0x30...0x39).contains($0) }
            let tail = number.prefix { (0x30...0x39).contains($0) }.count
            guard let mark = number.dropFirst(tail).first, mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") else {
                continue
            }
            let group = number.dropFirst(tail + 1).prefix { (0x30...0x39).contains($0) }
            if tail == 1 || tail == 2 || group.elementsEqual([UInt8(ascii: "0")]) { counts[mark, default: 0] += 1 }
            if tail == 3 { threes[mark, default: 0] += 1 }
        }
        if counts.isEmpty, currency?.exponent == 3 { counts = threes.filter { $0.value * 2 > column.count } }
        return counts.max { $0.value < $1.value }?.key
    }
}

extension FieldRules {
    /// A bank's entry beyond a trillion minor units is a misread number.
    static let largestStatementUnits: Int64 = 1_000_000_000_000_000
}
