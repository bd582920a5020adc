import SubGuardDomain

/// What the cells of a column look like, whatever its name.
struct StatementColumnContent {
    private(set) var filled = 0
    private var dates = 0
    private var amounts = 0
    private var negatives = 0
    private var zeros = 0
    private var marked = 0
    private var currencies = 0
    private var namedCurrencies = 0
    /// Codes of three capitals that are of no known currency.
    private var unknownCurrencies = 0
    private var directions: [StatementDirections.Direction: Int] = [:]
    private var states = 0
    private var openStates = 0
    private var codes = 0
    private var letters = 0
    private var wordings: [String: Int] = [:]
    /// The decimal mark of the column.
    let mark: UInt8?

    /// - Parameters:
    ///   - cells: of the first rows, without blanks around them; empty ones too.
    ///   - name: the folded words of the column's name.
    init(_ cells: [String], name: Set<Substring> = []) {
        mark = StatementAmount.mark(of: cells)
        let words = StatementDirections(cells, name: name)
        for cell in cells where !cell.isEmpty {
            filled += 1
            if StatementDate(cell) != nil { dates += 1 }
            if let amount = StatementAmount(cell, mark: mark) {
                amounts += 1
                if amount.isNegative { negatives += 1 }
                if amount.isZero { zeros += 1 }
                if amount.hasDecimals || amount.sign != nil || amount.isNegative { marked += 1 }
            }
            if Self.isCurrency(cell) { currencies += 1 }
            if CurrencySign(cell) != nil {
                namedCurrencies += 1
            } else if Self.isCurrencyCode(cell) {
                unknownCurrencies += 1
            }
            if let direction = words.direction(cell) { directions[direction, default: 0] += 1 }
            if let isBooked = StatementState.isBooked(cell) {
                states += 1
                if !isBooked { openStates += 1 }
            }
            if Self.isCode(cell) { codes += 1 }
            letters += cell.unicodeScalars.count { $0.properties.isAlphabetic }
            // Numbers differ from one payment to the next, names do not.
            wordings[String(TextFolding.fold(String(cell.prefix(80))).filter { !$0.isNumber }), default: 0] += 1
        }
    }

    private func share(_ count: Int) -> Double { filled == 0 ? 0 : Double(count) / Double(filled) }

    var areDates: Bool { share(dates) > 0.5 }
    var areAmounts: Bool { share(amounts) > 0.5 && !areDates }
    /// Amounts rather than numbers of anything else.
    var areClearlyAmounts: Bool { share(amounts) > 0.9 && share(marked) > 0.5 && share(dates) < 0.1 }
    /// Most are known: an unknown code among them is a currency, too.
    var areCurrencies: Bool { currencies * 2 > filled && currencies + unknownCurrencies == filled }
    /// The same in a column with a name for currencies. Codes in small letters are words in others.
    var areNamedCurrencies: Bool { (namedCurrencies + unknownCurrencies) * 2 > filled }
    /// Every cell is a direction.
    var areOnlyDirections: Bool { directions.values.reduce(0, +) == filled }
    /// Both directions: one alone may be anything.
    var areDirections: Bool { haveBothDirections && areOnlyDirections }
    /// Mostly directions, in a column that is named after them: other words are of single rows.
    var areMostlyDirections: Bool { haveBothDirections && directions.values.reduce(0, +) * 2 > filled }
    private var haveBothDirections: Bool { directions[.debit] != nil && directions[.credit] != nil }
    var areStates: Bool { filled > 0 && states == filled }
    /// Whether some of few words say that an entry is not booked, and the others are unknown.
    var haveOpenStates: Bool {
        openStates > 0 && openStates * 2 < filled && (2...5).contains(variety) && filled >= variety * 2 && !areAmounts
    }
    var hasNegatives: Bool { negatives > 0 }
    var areMostlyZero: Bool { share(zeros) > 0.8 }

    /// The number of wordings, numbers aside.
    var variety: Int { wordings.count }

    /// Whether nearly all rows have the same wording, as in a column with the holder's name.
    var isSteady: Bool { filled >= 5 && (wordings.values.max() ?? 0) * 10 >= filled * 9 }

    /// Whether the cells are words rather than numbers, dates, accounts or references.
    var areWords: Bool {
        filled > 0 && share(codes) < 0.7 && share(dates) < 0.5 && share(amounts) < 0.5 && letters * 2 >= filled * 3
            && !areCurrencies && !areDirections && !areStates
    }

    var lettersOfCell: Double { filled == 0 ? 0 : Double(letters) / Double(filled) }

    private static func isCurrency(_ cell: String) -> Bool {
        cell.utf8.count <= 5 && CurrencySign(cell) != nil && (cell == cell.uppercased() || cell.utf8.count != 3)
    }

    /// Whether a text looks like a currency's code, known or not: `EUR`, `RUR`, `BTC`.
    static func isCurrencyCode(_ cell: String) -> Bool {
        cell.utf8.count == 3 && cell.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    /// An account number, or a reference: one word with several digits.
    private static func isCode(_ cell: String) -> Bool {
        var digits = 0
        var letters = 0
        var blanks = 0
        for scalar in cell.unicodeScalars.prefix(64) {
            if ("0"..."9").contains(scalar) {
                digits += 1
            } else if scalar.properties.isAlphabetic {
                letters += 1
            } else if scalar == " " {
                blanks += 1
            }
        }
        return digits >= 3 && (blanks == 0 || letters <= 6) && digits * 2 >= letters
    }
}
