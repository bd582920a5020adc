import SubGuardDomain

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
