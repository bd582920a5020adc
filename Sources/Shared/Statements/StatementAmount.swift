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

    /// Whether its only mark stands before exactly three digits, so that it alone does not tell whether it separates
    /// thousands or decimals.
    private(set) var isUnclear = false
    /// Whether the mark of an unclear amount was taken to separate thousands because the decimal mark is not known.
    private var isAssumed = false

    /// Reads `-1.234,56 €`, `(12.34)`, `12,34-`, `1'234.50 CHF`, `Rs.500`, `15.–`, `12.34 DR`; nil for anything else.
    /// Every dash before or after the number is a minus, except one in place of the decimals.
    ///
    /// - Parameter mark: the decimal mark of the column, `.` or `,`; nil to tell it from this text alone.
    init?(_ text: String, mark: UInt8? = nil) {
        var scan = Scan()
        for scalar in text.unicodeScalars {
            guard scan.take(scalar) else { return nil }
            scan.previous = scalar
        }
        digits = scan.digits
        isNegative = scan.isNegative
        guard (1...18).contains(digits.count), read(scan.before), read(scan.after), separate(scan.marks, mark) else {
            return nil
        }
    }

    /// A separator, and the number of digits before it.
    private struct Mark {
        var sign: UInt8
        var at: Int

        static let blank = UInt8(ascii: " ")
        static let apostrophe = UInt8(ascii: "'")
        var isDecimal: Bool { sign == UInt8(ascii: ".") || sign == UInt8(ascii: ",") }
    }

    /// What of a text was read so far: words and signs, the number with its separators, again words and signs.
    private struct Scan {
        var digits: [UInt8] = []
        var marks: [Mark] = []
        var before = ""
        var after = ""
        var isNegative = false
        var previous: Unicode.Scalar = " "
        /// The separator since the last digit.
        private var open: UInt8?
        private var isAfter = false
        private var hasDash = false

        mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "0"..."9":
                guard !isAfter else { return false }
                if let sign = open { marks.append(Mark(sign: sign, at: digits.count)) }
                open = nil
                digits.append(UInt8(truncatingIfNeeded: scalar.value))
                return true
            case ".", ",": return take(mark: UInt8(truncatingIfNeeded: scalar.value))
            case "-", "\u{2212}", "\u{2010}"..."\u{2015}", "\u{FE63}", "\u{FF0D}", "\u{FE58}": return takeDash()
            case "(":
                guard !digits.isEmpty else {
                    isNegative = true
                    return open == nil
                }
                return end()
            case ")", "+": return end()
            case "'", "\u{2019}", "\u{B4}": return take(separator: Mark.apostrophe)
            default:
                if scalar.properties.isWhitespace { return take(separator: Mark.blank) }
                guard end(), (digits.isEmpty ? before : after).utf8.count < 12 else { return false }
                if digits.isEmpty { before.unicodeScalars.append(scalar) } else { after.unicodeScalars.append(scalar) }
                return true
            }
        }

        /// Ends the number, if there is one; what follows belongs to words. False where a mark has no digits.
        private mutating func end() -> Bool {
            guard !digits.isEmpty else { return open == nil }
            (isAfter, open) = (true, nil)
            return true
        }

        private mutating func take(mark: UInt8) -> Bool {
            let isPoint = mark == UInt8(ascii: ".")
            // The point of `Rs.499`, `B/.499` and `499 kr.` is one of the sign.
            let isOfSign =
                isPoint && !("0"..."9" ~= previous) && (previous.properties.isAlphabetic || previous == "/")
            if isOfSign { return digits.isEmpty || isAfter }
            if digits.isEmpty {
                // `,99`, but not `Rs ,99`.
                guard open == nil, before.unicodeScalars.last.map({ !$0.properties.isAlphabetic && $0 != "/" }) ?? true
                else { return false }
            } else if isAfter || open != nil {
                return false
            }
            open = mark
            return true
        }

        private mutating func takeDash() -> Bool {
            if digits.isEmpty {
                isNegative = true
                return open == nil
            }
            if !isAfter, let sign = open, sign != Mark.blank, sign != Mark.apostrophe {
                // `15.–`
                hasDash = true
                return end()
            }
            if hasDash, previous == "-" || previous.properties.generalCategory == .dashPunctuation { return true }
            isNegative = true
            return end()
        }

        private mutating func take(separator: UInt8) -> Bool {
            if digits.isEmpty || isAfter { return open == nil }
            if open == nil {
                open = separator
            } else if open != separator || separator != Mark.blank {
                return end()
            }
            return true
        }
    }

    /// A currency, or a word for the direction.
    private mutating func read(_ word: String) -> Bool {
        guard !word.isEmpty else { return true }
        switch word.uppercased() {
        case "DR", "D", "S", "DB", "DEBIT": isNegative = true
        case "CR", "C", "H", "CREDIT": break
        case "EUROS", "EURO", "EUROA": return take(CurrencySign("EUR"))
        default:
            guard let found = CurrencySign(word), !found.isLetter else { return false }
            return take(found)
        }
        return true
    }

    /// Takes the more exact one of signs on both sides: `$12.34 CAD`.
    private mutating func take(_ found: CurrencySign?) -> Bool {
        guard let sign, let found else {
            sign = found
            return true
        }
        guard sign.currencies.contains(where: { found.currencies.contains($0) }) else { return false }
        if found.currencies.count < sign.currencies.count { self.sign = found }
        return true
    }

    /// Finds the decimal mark; the others must stand before three digits each, or two in lakhs: `1,20,000`.
    private mutating func separate(_ marks: [Mark], _ known: UInt8?) -> Bool {
        guard let last = marks.last else { return true }
        let tail = digits.count - last.at
        isUnclear =
            marks.count == 1 && last.isDecimal && tail == 3 && (1...3).contains(last.at) && !hasZero(before: last.at)
        let isDecimal: Bool
        if !last.isDecimal {
            isDecimal = false
        } else if let known {
            isDecimal = last.sign == known
        } else if marks.count == 1 {
            isDecimal = !isUnclear
            isAssumed = isUnclear
        } else {
            isDecimal = last.sign != marks[0].sign
        }
        let groups = isDecimal ? marks.dropLast() : marks[...]
        decimals = isDecimal ? tail : 0
        guard Set(groups.map(\.sign)).count <= 1, !isDecimal || groups.allSatisfy({ $0.sign != last.sign }) else {
            return false
        }
        // Thousands do not begin with 0.
        guard let first = groups.first else { return true }
        guard !hasZero(before: first.at), (1...3).contains(first.at) else { return false }
        let ends = groups.dropFirst().map(\.at) + [digits.count - decimals]
        let sizes = zip(groups, ends).map { $1 - $0.at }
        let areLakhs = first.at <= 2 && sizes.dropLast().allSatisfy { $0 == 2 }
        return sizes.last == 3 && (areLakhs || sizes.allSatisfy { $0 == 3 })
    }

    /// Whether nothing but one 0 stands before the first mark.
    private func hasZero(before place: Int) -> Bool { place == 1 && digits.first == UInt8(ascii: "0") }

    /// The amount in a currency. Zeros beyond its decimals are dropped; throws a fault for other digits there.
    func money(in currency: Currency) throws(Fault) -> Money {
        // Three decimals are as likely there.
        guard !isAssumed || currency.exponent < 3 else { throw .unclearDecimalMark }
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

    /// Whether it has one or two decimals.
    var hasCents: Bool { (1...2).contains(decimals) }

    /// The decimal mark of a column; nil where nothing proves one.
    ///
    /// It is the one before one or two digits at the end of most values, after a single 0, or between more than three
    /// digits and three; else not the one that separates several groups. In a currency of three decimals, where none
    /// has fewer, it is the one before three digits.
    static func mark(of column: some Collection<String>, in currency: Currency? = nil) -> UInt8? {
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let (point, comma) = (UInt8(ascii: "."), UInt8(ascii: ","))
        var counts: [UInt8: Int] = [:]
        var threes: [UInt8: Int] = [:]
        var groups: Set<UInt8> = []
        for text in column {
            let number = text.utf8.reversed().drop { !isDigit($0) }
            let tail = number.prefix { isDigit($0) }.count
            guard let mark = number.dropFirst(tail).first, mark == point || mark == comma else { continue }
            let rest = number.dropFirst(tail + 1)
            let group = rest.prefix { isDigit($0) }
            // The point of a sign: `Rs.50`.
            if group.isEmpty, let sign = rest.first, sign >= 0x41 || sign == UInt8(ascii: "/") { continue }
            let isSingleZero = group.elementsEqual([UInt8(ascii: "0")])
            if tail == 1 || tail == 2 || isSingleZero || tail == 3 && group.count > 3 { counts[mark, default: 0] += 1 }
            guard tail == 3 else { continue }
            threes[mark, default: 0] += 1
            if (2...3).contains(group.count), rest.dropFirst(group.count).first == mark { groups.insert(mark) }
        }
        if counts.isEmpty, groups.count == 1, let group = groups.first { return group == point ? comma : point }
        if counts.isEmpty, currency?.exponent == 3 { counts = threes.filter { $0.value * 2 > column.count } }
        return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }
}

extension FieldRules {
    /// A bank's entry beyond a trillion minor units is a misread number.
    static let largestStatementUnits: Int64 = 1_000_000_000_000_000
}

extension Fault {
    static let unclearDecimalMark = Fault(
        "amount", .invalidAmount,
        "The mark before three digits may separate thousands or decimals here.")
}
