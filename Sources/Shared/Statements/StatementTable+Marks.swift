import SubGuardDomain
import TextCoding

extension StatementTable {
    /// The decimal mark where no amount of the first rows proves one: that of the other rows, else the one with which
    /// the balances follow from the amounts, else what proves nothing: that of the balances or fees, or the usual one.
    func decimalMark(of firstAmounts: [String], in currency: Currency?) -> (mark: UInt8?, isProven: Bool) {
        if let mark = StatementAmount.mark(of: rows.flatMap { amountCells($0) }) { return (mark, true) }
        guard let unclear = firstUnclear(with: ".") ?? firstUnclear(with: ",") else { return (nil, false) }
        let group: UInt8 = unclear.contains(".") ? UInt8(ascii: ".") : UInt8(ascii: ",")
        let sample = rows.prefix(2000)
        let amounts = sample.map { amountCell($0).text }
        let (thousands, decimals) = (chain(amounts, nil, .either), chain(amounts, group, .either))
        if thousands.isProof, thousands.matches > decimals.matches { return (nil, true) }
        if decimals.isProof, decimals.matches > thousands.matches { return (group, true) }
        let ofBalances = StatementAmount.mark(of: sample.map { cell(.balance, $0) })
        let assumed = ofBalances ?? StatementAmount.mark(of: sample.map { cell(.fee, $0) })
        return (assumed ?? currency.flatMap { usualMark(firstAmounts, in: $0) }, false)
    }

    /// How many of the first rows follow from each other, if their amounts have this mark.
    func chain(_ amounts: [String], _ mark: UInt8?, _ signs: StatementBalance.Signs) -> StatementBalance.Chain {
        let balances = rows.prefix(amounts.count).map { cell(.balance, $0) }
        let balanceMark = StatementAmount.mark(of: balances) ?? mark
        return StatementBalance.chain(
            amounts: amounts.map { StatementAmount($0, mark: mark)?.scaled },
            balances: balances.map { StatementAmount($0, mark: balanceMark)?.scaled }, signs: signs)
    }

    /// The mark of amounts that all have three digits after it: banks that write `-129.000` have three decimals, unless
    /// the currency is used without cents.
    private func usualMark(_ amounts: [String], in currency: Currency) -> UInt8? {
        guard currency.exponent == 2, !Self.currenciesWithoutCents.contains(currency.code), let first = amounts.first,
            amounts.allSatisfy({ StatementAmount($0)?.isUnclear == true })
        else { return nil }
        let mark = UInt8(ascii: first.contains(".") ? "." : ",")
        return amounts.allSatisfy { $0.utf8.contains(mark) } ? mark : nil
    }

    private static let currenciesWithoutCents: Set<String> = [
        "ALL", "AMD", "COP", "CRC", "HUF", "IDR", "IQD", "IRR", "KZT", "LAK", "LBP", "MMK", "MNT", "RSD", "TZS", "UZS",
    ]

    /// The decimal mark to show when none is known: the comma where points separate thousands.
    func shownMark() -> UInt8 { firstUnclear(with: ".") != nil ? UInt8(ascii: ",") : UInt8(ascii: ".") }

    /// The first amount with a mark that alone does not tell what it separates.
    func firstUnclear(with mark: Character) -> String? {
        for record in rows.prefix(2000) {
            let found = amountCells(record).first { $0.contains(mark) && StatementAmount($0)?.isUnclear == true }
            if let found { return found }
        }
        return nil
    }

    private func amountCells(_ record: Record) -> [String] {
        columns.ofAmounts.map { cell($0, record) }
    }
}

extension Statement {
    /// Says how an amount was read whose mark separates thousands or decimals.
    mutating func noteAssumedMark(_ text: String, _ amount: Money) {
        isDecimalMarkAssumed = true
        notes.append("No amount shows the decimal mark: “\(RefusedBooking.shown(text))” was read as \("\(amount)").")
    }
}

/// What a table leaves open is noted, so that nobody takes a wrong figure for a right one.
extension StatementTable {
    // MARK: Lines

    private static let sampleLines = 60

    /// How many fields a row has, see ``CSVReader/widths``: as many as the header, without or with an empty one at the
    /// end. Without a header, as many as the first line with a date and an amount.
    static func widths(of text: [UInt8], separator: UInt8) -> Set<Int> {
        var header: Int?
        var isHeaderOpen = false
        let lines = text.prefix(64 << 10).parts { $0 == 0x0A || $0 == 0x0D }
        for line in lines.lazy.filter({ !$0.isEmpty }).prefix(sampleLines) {
            var reader = CSVReader(Array(line), separator: separator, isLenient: true)
            guard let fields = try? reader.next()?.fields, fields.count > 1 else { continue }
            let isDated = fields.contains(where: isDate)
            if header == nil, !isDated, StatementColumns(header: fields, mapping: [:]).isTable {
                header = fields.count
                isHeaderOpen = fields.last?.isEmpty == true
            } else if isDated, let header {
                return Set([header] + (isHeaderOpen ? [header - 1] : []) + (line.last == separator ? [header + 1] : []))
            } else if isDated, fields.contains(where: { !isDate($0) && StatementAmount($0) != nil }) {
                return [fields.count]
            }
        }
        return header.map { [$0] } ?? []
    }

    /// Names the rows with a cell that has line ends and separators, as a mark that is not closed makes them of whole
    /// rows.
    var noteOnLines: Sentence? {
        guard !brokenLines.isEmpty else { return nil }
        let broken = Set(brokenLines)
        let lines = rows.lazy.filter { record in
            broken.contains(record.line)
                && record.fields.contains { $0.contains(where: \.isNewline) && $0.contains(layout.separator) }
        }.map(\.line)
        guard let line = lines.first else { return nil }
        return """
            Rows with a cell of several lines: \(lines.count), the first one on line \("\(line)"). If a payment is \
            missing there, a quotation mark in the file hides it.
            """
    }

    // MARK: Balances

    /// Says that balances do not follow from the amounts, unless they hardly ever do: those are of something else.
    mutating func noteJumps(_ chain: StatementBalance.Chain, _ lines: [Int]) {
        guard chain.count >= 3, chain.matches * 5 >= chain.count, let gap = chain.gaps.first else { return }
        note(
            """
            The balance does not follow from the amount in \(chain.gaps.count) of \(chain.count) rows, first in row \
            \("\(lines[gap])"): payments may be missing in the file.
            """
        )
    }
}
