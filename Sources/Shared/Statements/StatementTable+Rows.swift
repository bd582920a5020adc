import SubGuardDomain
import TextCoding

extension StatementTable {
    /// What the rows of a table add up to, to compare it with the balances.
    private struct Sums {
        var lines: [Int] = []
        var amounts: [Int64?] = []
        var balances: [Int64?] = []
    }

    /// Reads the rows as entries.
    mutating func take(into statement: inout Statement) throws(Fault) {
        let mark = layout.decimalMark.asciiValue
        let lastDated = rows.lastIndex { Self.isDate(cell(.date, $0)) } ?? rows.startIndex
        let dateName = columns.column(.date).map { TextFolding.fold(layout.names[$0]) }
        let balanceMark = StatementAmount.mark(of: rows.prefix(300).map { cell(.balance, $0) }) ?? mark
        let payees = payeeColumns()
        let areFeesExtra = areFeesExtra(mark, balanceMark)
        var sums = Sums()
        var (blanks, below): (Int, [String]) = (0, [])
        var unbooked: [String: (count: Int, isKnown: Bool)] = [:]
        for place in rows.indices {
            let record = rows[place]
            let date = cell(.date, record)
            let isAmount = hasAmount(record)
            // Blank lines, a repeated header, and totals below the table.
            if place > lastDated, !isUndatedEntry(record, mark) {
                let isText = !date.isEmpty && TextFolding.fold(date) != dateName
                if isText, isAmount, !StatementColumnNames.isTotal(date) { below.append(RefusedBooking.shown(date)) }
                continue
            }
            if date.isEmpty, !isAmount { continue }
            if TextFolding.fold(date) == dateName { continue }
            let state = cell(.state, record)
            if !state.isEmpty, columns.has(.state), StatementState.isBooked(state) != true {
                let isKnown = StatementState.isBooked(state) != nil
                unbooked[state, default: (0, isKnown)].count += 1
                continue
            }
            guard let day = StatementDate(date)?.day(layout.dateOrder) else {
                try statement.refuse(
                    record.line, .unreadableStatementDate, column: name(columns.column(.date)), value: date)
                continue
            }
            // Notices of the bank, which cost nothing.
            guard isAmount else {
                blanks += 1
                continue
            }
            var written = amountCell(record, mark)
            do throws(Fault) {
                var amount = try amount(written, record, mark)
                if areFeesExtra, !StatementAmount.isBlank(cell(.fee, record)) {
                    written = (cell(.fee, record), columns.column(.fee), nil)
                    amount.minorUnits -= try fee(written.text, mark, amount.currency)
                }
                let (payee, note) = words(record, payees)
                try statement.take(
                    StatementBooking(
                        on: day, amount: amount, payee: payee, note: note,
                        kind: filled(.kind, record).joined(separator: " "),
                        row: record.line))
                guard columns.has(.balance) else { continue }
                sums.lines.append(record.line)
                sums.amounts.append(amount.scaled)
                sums.balances.append(StatementAmount(cell(.balance, record), mark: balanceMark)?.scaled)
            } catch {
                if error == .unknownStatementCurrency || error.pointer == "file" { throw error }
                let isCurrency = error.code == .unknownCurrency && namesCurrency(record)
                try statement.refuse(
                    record.line, error, column: name(isCurrency ? columns.column(.currency) : written.column),
                    value: isCurrency ? cell(.currency, record) : written.text)
            }
        }
        for (word, found) in unbooked.sorted(by: { $0.key < $1.key }).prefix(10) { noteState(word, found) }
        if blanks > 0 { note("Without an amount, and left out: \(blanks).") }
        if !below.isEmpty {
            note("Below the entries, and left out: \(below.prefix(5).joined(separator: ", ")).")
        }
        compare(sums, &statement)
    }

    private mutating func noteState(_ word: String, _ found: (count: Int, isKnown: Bool)) {
        let (shown, column) = (RefusedBooking.shown(word), name(columns.column(.state)))
        if found.isKnown {
            note(.notBooked(found.count, word, column: column))
        } else {
            note(
                """
                Left out: \(found.count) with “\(shown)” in column \(column), which may not be booked. Use --map \
                \(column)=ignore to count them.
                """
            )
        }
    }

    // MARK: Balances

    /// Names rows that do not follow from the balance of their neighbour, and corrects signs that it contradicts.
    private mutating func compare(_ sums: Sums, _ statement: inout Statement) {
        let same = StatementBalance.chain(amounts: sums.amounts, balances: sums.balances, signs: .same)
        let opposite = StatementBalance.chain(amounts: sums.amounts, balances: sums.balances, signs: .opposite)
        if opposite.isProof, opposite.matches > same.matches, areSignsWrong(statement) {
            for place in statement.bookings.indices { statement.bookings[place].amount.minorUnits.negate() }
            chargesArePositive(!layout.chargesArePositive && columns.has(.amount))
            note(
                layout.chargesArePositive
                    ? "The balances show that positive amounts are charges."
                    : "The balances show that negative amounts are charges.")
        }
        let best = same.matches >= opposite.matches ? same : opposite
        guard best.isProof else { return noteJumps(best, sums.lines) }
        for place in best.gaps.prefix(10) {
            note("Row \(sums.lines[place]) does not add up: the balance does not follow from the amount.")
        }
        if best.gaps.count > 10 { note("Further rows that do not add up: \(best.gaps.count - 10).") }
    }

    /// Whether balances that go against the amounts are those of an account, and not a debt that grows by charges.
    private func areSignsWrong(_ statement: Statement) -> Bool {
        if columns.has(.debit) || columns.has(.credit) { return isPairGuessed }
        if columns.has(.direction) { return false }
        let charges = statement.bookings.filter { $0.amount.minorUnits < 0 }
        let credits = statement.bookings.filter { $0.amount.minorUnits > 0 }
        guard layout.chargesArePositive else { return credits.count >= charges.count }
        // A card is paid once for many charges; an account that mostly receives money pays less than that.
        let mean = { (bookings: [StatementBooking]) in
            bookings.reduce(0.0) { $0 + Double(abs($1.amount.minorUnits)) } / Double(max(bookings.count, 1))
        }
        return !credits.isEmpty && mean(credits) < mean(charges) * 2
    }

    // MARK: Cells

    func cell(_ field: StatementField, _ record: Record) -> String { cell(columns.column(field), record) }

    private func cell(_ column: Int?, _ record: Record) -> String {
        guard let column, column < record.fields.count else { return "" }
        return CatalogueRules.trimmed(record.fields[column])
    }

    /// The texts of all columns of a field.
    private func filled(_ field: StatementField, _ record: Record) -> [String] {
        columns.columns(field).map { cell($0, record) }.filter { !$0.isEmpty }
    }

    private func hasAmount(_ record: Record) -> Bool {
        [StatementField.amount, .debit, .credit].contains { field in
            columns.columns(field).contains { !StatementAmount.isBlank(cell($0, record)) }
        }
    }

    /// Whether a row below the last date is an entry whose date cannot be read, rather than a total or a sentence.
    private func isUndatedEntry(_ record: Record, _ mark: UInt8?) -> Bool {
        let date = cell(.date, record)
        guard date.contains(where: { $0.isNumber || $0 == "?" }), !StatementColumnNames.isTotal(date),
            hasAmount(record), StatementAmount(amountCell(record, mark).text, mark: mark) != nil
        else { return false }
        return !filled(.payee, record).isEmpty || !filled(.description, record).isEmpty
    }

    /// The amount of an entry as it is written, its column, and whether it is a charge; nil where its sign tells.
    private func amountCell(_ record: Record, _ mark: UInt8?) -> (text: String, column: Int?, isCharge: Bool?) {
        // One of several currencies is filled.
        let filled = columns.columns(.amount).first { !StatementAmount.isBlank(cell($0, record)) }
        guard filled == nil, columns.has(.debit) || columns.has(.credit) else {
            return (cell(filled, record), filled ?? columns.column(.amount), nil)
        }
        let (debit, credit) = (cell(.debit, record), cell(.credit, record))
        let isDebit = StatementAmount(debit, mark: mark).map { !$0.isZero } ?? !StatementAmount.isBlank(debit)
        // One column alone carries the sign of what is against its name.
        let areBoth = columns.has(.credit) && columns.has(.debit)
        let column = columns.column(isDebit ? .debit : .credit) ?? columns.column(.debit) ?? columns.column(.credit)
        return (isDebit ? debit : credit, column, areBoth ? isDebit : nil)
    }

    /// Negative when money left the account.
    private func amount(
        _ written: (text: String, column: Int?, isCharge: Bool?), _ record: Record, _ mark: UInt8?
    ) throws(Fault) -> Money {
        var isCharge = written.isCharge
        guard let read = StatementAmount(written.text, mark: mark) else { throw .unreadableStatementAmount }
        let money = try read.money(in: currency(read.sign, written.column, record))
        if let direction = StatementState.isDebit(cell(.direction, record)), columns.has(.direction) {
            isCharge = direction
        }
        if isCharge == nil {
            isCharge = money.minorUnits < 0
            if layout.chargesArePositive || (!columns.has(.amount) && columns.has(.debit)) { isCharge?.toggle() }
        }
        let units = abs(money.minorUnits)
        return Money(minorUnits: isCharge == true ? -units : units, currency: money.currency)
    }

    private func namesCurrency(_ record: Record) -> Bool { !StatementAmount.isBlank(cell(.currency, record)) }

    /// What the row names, else the file, else the user. Throws a fault where the row names what is no currency.
    private func currency(_ sign: CurrencySign?, _ column: Int?, _ record: Record) throws(Fault) -> Currency {
        // A sign of several currencies means the one that was named: `$` with `--currency CAD`.
        let named = options.named(columns.currencies.compactMap { $0 }.first, currencyAbove)
        if namesCurrency(record) {
            let code = cell(.currency, record)
            guard let sign = CurrencySign(code) else { return try FieldRules.currency(code) }
            return try sign.requireCurrency(preferring: named)
        }
        let ofColumn = column.flatMap { columns.currencies[$0] }
        if let sign { return try sign.requireCurrency(preferring: [ofColumn].compactMap { $0 } + named) }
        guard
            let currency = ofColumn ?? currencyAbove ?? options.currency
                ?? columns.currencies.compactMap({ $0 }).first
        else { throw .unknownStatementCurrency }
        return currency
    }

    // MARK: Fees

    /// What the bank takes on top, in minor units, never negative.
    private func fee(_ text: String, _ mark: UInt8?, _ currency: Currency) throws(Fault) -> Int64 {
        guard let fee = StatementAmount(text, mark: mark) else { throw .unreadableStatementAmount }
        return abs(try fee.money(in: currency).minorUnits)
    }

    /// Whether fees come on top of the amounts: not where amounts are net, nor where balances follow from them alone.
    private func areFeesExtra(_ mark: UInt8?, _ balanceMark: UInt8?) -> Bool {
        guard columns.has(.fee) else { return false }
        let words = columns.column(.amount).map { TextFolding.fold(layout.names[$0]).split(separator: " ") } ?? []
        guard !words.contains("net"), !words.contains("netto") else { return false }
        var (without, with, balances): ([Int64?], [Int64?], [Int64?]) = ([], [], [])
        for record in rows.prefix(2000) {
            guard hasAmount(record), let amount = try? amount(amountCell(record, mark), record, mark) else { continue }
            let fee = (try? fee(cell(.fee, record), mark, amount.currency)) ?? 0
            without.append(amount.scaled)
            with.append(Money(minorUnits: amount.minorUnits - fee, currency: amount.currency).scaled)
            balances.append(StatementAmount(cell(.balance, record), mark: balanceMark)?.scaled)
        }
        let chain = { StatementBalance.chain(amounts: $0, balances: balances, signs: .either).matches }
        return chain(with) >= chain(without)
    }

    // MARK: Words

    /// Those of the other party, the merchant behind a payment service first.
    private func payeeColumns() -> [Int] {
        columns.columns(.payee).sorted { (columns.ranks[$0] ?? 1, $0) < (columns.ranks[$1] ?? 1, $1) }
    }

    private func words(_ record: Record, _ payees: [Int]) -> (payee: String, note: String) {
        let payee = payees.lazy.map { cell($0, record) }.first { $0.contains(where: \.isLetter) } ?? ""
        var texts = filled(.description, record)
        guard payee.isEmpty, !texts.isEmpty else { return (payee, texts.joined(separator: " ")) }
        // The text with the most letters names the payee; others name the kind of payment, or are references.
        let letters = texts.map { text in text.unicodeScalars.count { $0.properties.isAlphabetic } }
        let longest = texts.indices.max { (letters[$0], -$0) < (letters[$1], -$1) } ?? 0
        let text = texts.remove(at: longest)
        return (text, texts.joined(separator: " "))
    }
}

extension Money {
    /// In ten-thousandths of the unit.
    fileprivate var scaled: Int64? {
        var units = minorUnits
        for _ in currency.exponent..<max(4, currency.exponent) {
            let (product, isHigh) = units.multipliedReportingOverflow(by: 10)
            guard !isHigh else { return nil }
            units = product
        }
        return units
    }
}
