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
        let lastDated = rows.lastIndex { Self.isDate(cell(.date, $0)) } ?? rows.startIndex
        var headers = Headers(layout.names, date: columns.column(.date))
        let balanceMark = StatementAmount.mark(of: rows.prefix(300).map { cell(.balance, $0) }) ?? mark
        let payees = payeeColumns()
        let areFeesExtra = areFeesExtra(balanceMark)
        var assumed: (text: String, amount: Money)?
        var foreignFees: (count: Int, text: String) = (0, "")
        var sums = Sums()
        var (blanks, below): (Int, [String]) = (0, [])
        var unbooked: [String: (count: Int, isKnown: Bool)] = [:]
        var unmoved: [String: Int] = [:]
        for place in rows.indices {
            let record = rows[place]
            let date = cell(.date, record)
            let isAmount = hasAmount(record)
            if headers.isHeader(record, hasDate: Self.isDate(date)) { continue }
            if headers.areOthers {
                // Others are headings and notes.
                if record.fields.contains(where: Self.isDate) {
                    try statement.refuse(record.line, .otherStatementTable)
                }
                continue
            }
            // Blank lines, and totals below the table.
            if place > lastDated, !isUndatedEntry(record) {
                if !date.isEmpty, isAmount, !StatementColumnNames.isTotal(date) {
                    below.append(RefusedBooking.shown(date))
                }
                continue
            }
            if date.isEmpty, !isAmount { continue }
            let state = cell(.state, record)
            if !state.isEmpty, columns.has(.state), state != usualState, StatementState.isBooked(state) != true {
                let isKnown = StatementState.isBooked(state) != nil
                unbooked[state, default: (0, isKnown)].count += 1
                continue
            }
            let direction = cell(.direction, record)
            if directions.direction(direction) == .neither {
                unmoved[direction, default: 0] += 1
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
            var written = amountCell(record)
            do throws(Fault) {
                try requireOneAmount(record)
                var amount = try amount(written, record)
                if !isMarkProven, assumed == nil, amount.currency.exponent > 0,
                    StatementAmount(written.text, mark: mark)?.isUnclear == true
                {
                    assumed = (written.text, amount)
                }
                if areFeesExtra, !StatementAmount.isBlank(cell(.fee, record)) {
                    written = (cell(.fee, record), columns.column(.fee), nil)
                    if let fee = try fee(written.text, amount.currency) {
                        amount.minorUnits -= fee
                    } else {
                        foreignFees = (foreignFees.count + 1, foreignFees.count == 0 ? written.text : foreignFees.text)
                    }
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
                let isCurrency =
                    namesCurrency(record)
                    && (error.code == .unknownCurrency
                        || error.pointer == "currency" && StatementAmount(written.text)?.sign == nil)
                let field: StatementField? =
                    error == .unreadableStatementDirection ? .direction : isCurrency ? .currency : nil
                try statement.refuse(
                    record.line, error, column: name(field.map { columns.column($0) } ?? written.column),
                    value: field.map { cell($0, record) } ?? written.text)
            }
        }
        for (word, found) in unbooked.sorted(by: { $0.key < $1.key }).prefix(10) { noteState(word, found) }
        for (word, count) in unmoved.sorted(by: { $0.key < $1.key }) {
            note(
                """
                Left out: \(count) with “\(RefusedBooking.shown(word))” in column \(name(columns.column(.direction))), \
                which neither pay nor receive money.
                """)
        }
        if let assumed { statement.noteAssumedMark(assumed.text, assumed.amount) }
        if foreignFees.count > 0 {
            note(
                """
                Fees in another currency than their amount, and left out: \(foreignFees.count), such as \
                “\(RefusedBooking.shown(foreignFees.text))”.
                """)
        }
        noteCurrencies()
        if blanks > 0 { note("Without an amount, and left out: \(blanks).") }
        if !below.isEmpty {
            note("Below the entries, and left out: \(below.prefix(5).joined(separator: ", ")).")
        }
        compare(sums, &statement)
    }

    /// Says where the file names another currency than the user.
    private mutating func noteCurrencies() {
        guard let given = options.currency, !columns.has(.currency) else { return }
        let named = columns.ofAmounts.compactMap { columns.currencies[$0] }
        if let first = named.first {
            guard !named.contains(given) else { return }
            note("The header names \(first.code), which counts instead of \(given.code).")
        } else if let above = currencyAbove, above.currency != given {
            note(
                above.isLabelled
                    ? "The lines above the table name \(above.currency.code), which counts instead of \(given.code)."
                    : "The lines above the table name \(above.currency.code); \(given.code) counts.")
        }
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
        guard best.isProof else {
            noteJumps(best, sums.lines)
            guard isPairGuessed else { return }
            let (debit, credit) = (name(columns.column(.debit)), name(columns.column(.credit)))
            return note("No name tells the columns of amounts: \(debit) is taken for charges, \(credit) for credits.")
        }
        for place in best.gaps.prefix(10) {
            note("Row \(sums.lines[place]) does not add up: the balance does not follow from the amount.")
        }
        if best.gaps.count > 10 { note("Further rows that do not add up: \(best.gaps.count - 10).") }
    }

    /// Whether balances that go against the amounts are those of an account, and not a debt that grows by charges.
    private func areSignsWrong(_ statement: Statement) -> Bool {
        if columns.has(.debit), columns.has(.credit) { return isPairGuessed }
        if columns.has(.direction) { return false }
        let single = columns.column(.debit) ?? columns.column(.credit)
        guard single.map({ columns.given.contains($0) }) != true else { return false }
        let charges = statement.bookings.filter { $0.amount.minorUnits < 0 }
        let credits = statement.bookings.filter { $0.amount.minorUnits > 0 }
        // A column of debits alone reads positive amounts as charges, too.
        guard layout.chargesArePositive || columns.has(.debit) else { return credits.count >= charges.count }
        // A card is paid once for many charges; an account that mostly receives money pays less than that.
        let mean = { (bookings: [StatementBooking]) in
            bookings.reduce(0.0) { $0 + Double(abs($1.amount.minorUnits)) } / Double(max(bookings.count, 1))
        }
        return !credits.isEmpty && mean(credits) < mean(charges) * 2
    }

    // MARK: Cells

    func cell(_ field: StatementField, _ record: Record) -> String { cell(columns.column(field), record) }

    func cell(_ column: Int?, _ record: Record) -> String {
        guard let column, column < record.fields.count else { return "" }
        return CatalogueRules.trimmed(record.fields[column])
    }

    /// The texts of all columns of a field.
    private func filled(_ field: StatementField, _ record: Record) -> [String] {
        columns.columns(field).map { cell($0, record) }.filter { !$0.isEmpty }
    }

    private func hasAmount(_ record: Record) -> Bool {
        columns.ofAmounts.contains { !StatementAmount.isBlank(cell($0, record)) }
    }

    /// Whether a row below the last date is an entry whose date cannot be read, rather than a total or a sentence.
    private func isUndatedEntry(_ record: Record) -> Bool {
        let date = cell(.date, record)
        guard date.contains(where: { $0.isNumber || $0 == "?" }), !StatementColumnNames.isTotal(date),
            hasAmount(record), StatementAmount(amountCell(record).text, mark: mark) != nil
        else { return false }
        return !filled(.payee, record).isEmpty || !filled(.description, record).isEmpty
    }

    /// The amount of an entry as it is written, its column, and whether it is a charge; nil where its sign tells.
    func amountCell(_ record: Record) -> (text: String, column: Int?, isCharge: Bool?) {
        // One of several currencies is filled.
        let amounts = columns.columns(.amount)
        let filled =
            amounts.first { isFilled($0, record) } ?? amounts.first { !StatementAmount.isBlank(cell($0, record)) }
        guard filled == nil, columns.has(.debit) || columns.has(.credit) else {
            return (cell(filled, record), filled ?? columns.column(.amount), nil)
        }
        let isDebit = isFilled(columns.column(.debit), record)
        let column = columns.column(isDebit ? .debit : .credit) ?? columns.column(.debit) ?? columns.column(.credit)
        // One column of credits alone carries the sign of what is against its name.
        return (cell(column, record), column, columns.has(.debit) ? isDebit : nil)
    }

    /// Whether a cell has something else than an amount of zero.
    private func isFilled(_ column: Int?, _ record: Record) -> Bool {
        let text = cell(column, record)
        return StatementAmount(text, mark: mark).map { !$0.isZero } ?? !StatementAmount.isBlank(text)
    }

    /// Throws a fault where several columns have an amount: none of them is more right than the others.
    private func requireOneAmount(_ record: Record) throws(Fault) {
        var filled = columns.columns(.amount).filter { isFilled($0, record) }
        if filled.isEmpty {
            filled = (columns.columns(.debit) + columns.columns(.credit)).filter { isFilled($0, record) }
        }
        guard filled.count < 2 else {
            let (one, other) = (name(filled[0]), name(filled[1]))
            throw Fault(
                "amount", .duplicate,
                "Both \(one) and \(other) have an amount. Use --map COLUMN=ignore for one of them.")
        }
    }

    /// Negative when money left the account.
    private func amount(
        _ written: (text: String, column: Int?, isCharge: Bool?), _ record: Record
    ) throws(Fault) -> Money {
        var isCharge = written.isCharge
        guard let read = StatementAmount(written.text, mark: mark) else { throw .unreadableStatementAmount }
        let money = try read.money(in: currency(read.sign, written.column, record))
        if read.isUnclear, money.currency.exponent < 3, haveBothMarks || haveCents && read.hasDecimals {
            throw .unclearDecimalMark
        }
        // A column for one direction may have any sign; the rarer one is a reversal.
        if let column = written.column, read.isNegative != negativeColumns.contains(column) { isCharge?.toggle() }
        let direction = cell(.direction, record)
        if !direction.isEmpty {
            // Any sign would do for a word that is not known.
            guard let read = directions.direction(direction) else { throw .unreadableStatementDirection }
            isCharge = read == .debit
        }
        let isNegative = isCharge ?? ((money.minorUnits < 0) != layout.chargesArePositive)
        let units = abs(money.minorUnits)
        return Money(minorUnits: isNegative ? -units : units, currency: money.currency)
    }

    private func namesCurrency(_ record: Record) -> Bool { !StatementAmount.isBlank(cell(.currency, record)) }

    /// What the row names, else the file, else the user. Throws a fault where the row names what is no currency.
    private func currency(_ sign: CurrencySign?, _ column: Int?, _ record: Record) throws(Fault) -> Currency {
        // A sign of several currencies means the one that was named: `$` with `--currency CAD`.
        let named = options.named(columns.currencies.compactMap { $0 }.first, currencyAbove?.currency)
        let ofColumn = column.flatMap { columns.currencies[$0] }
        if namesCurrency(record) {
            let code = cell(.currency, record)
            guard let written = CurrencySign(code) else { return try FieldRules.currency(code) }
            // The more exact one of both decides.
            let exact = sign.map { $0.currencies.count < written.currencies.count ? $0.currencies : [] } ?? []
            let own = try written.requireCurrency(preferring: exact + [ofColumn].compactMap { $0 } + named)
            if let sign, !sign.currencies.contains(own) {
                throw Fault("currency", .invalidFormat, "Must be the currency named in the amount.")
            }
            if let ofColumn, ofColumn != own, columns.column(.currency).map({ !columns.given.contains($0) }) ?? true {
                throw Fault(
                    "currency", .invalidFormat,
                    "The header names \(ofColumn.code). Use --map COLUMN=ignore for the column that does not count.")
            }
            return own
        }
        if let sign { return try sign.requireCurrency(preferring: [ofColumn].compactMap { $0 } + named) }
        let above = currencyAbove.flatMap { $0.isLabelled ? $0.currency : nil }
        guard
            let currency = ofColumn ?? above ?? options.currency ?? currencyAbove?.currency
                ?? columns.currencies.compactMap({ $0 }).first
        else { throw .unknownStatementCurrency }
        return currency
    }

    // MARK: Fees

    /// What the bank takes on top, in minor units, never negative; nil for one in another currency.
    private func fee(_ text: String, _ currency: Currency) throws(Fault) -> Int64? {
        guard let fee = StatementAmount(text, mark: mark) else { throw .unreadableStatementAmount }
        if let sign = fee.sign, !sign.currencies.contains(currency) { return fee.isZero ? 0 : nil }
        return abs(try fee.money(in: currency).minorUnits)
    }

    /// Whether fees come on top of the amounts: not where amounts are net, nor where balances follow from them alone.
    private func areFeesExtra(_ balanceMark: UInt8?) -> Bool {
        guard columns.has(.fee) else { return false }
        let words = columns.column(.amount).map { TextFolding.fold(layout.names[$0]).split(separator: " ") } ?? []
        guard !words.contains("net"), !words.contains("netto") else { return false }
        var (without, with, balances): ([Int64?], [Int64?], [Int64?]) = ([], [], [])
        for record in rows.prefix(2000) {
            guard hasAmount(record), let amount = try? amount(amountCell(record), record) else { continue }
            let fee = ((try? fee(cell(.fee, record), amount.currency)) ?? nil) ?? 0
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

/// The headers in a table: its own, which may be repeated, and those of other tables below it.
private struct Headers {
    private let names: [String]
    private let date: Int?
    /// Whether the rows belong to a table with another header.
    private(set) var areOthers = false
    /// Rows without a date that may still be compared with the names of columns, which takes time.
    private var left = 1000

    init(_ names: [String], date: Int?) {
        self.names = Self.folded(names)
        self.date = date
    }

    /// Whether a row is the header of the table again. One that differs begins another table.
    mutating func isHeader(_ record: CSVReader.Record, hasDate: Bool) -> Bool {
        guard !hasDate, let date, !names.isEmpty, record.fields.count > 1 else { return false }
        let isNamed =
            date < min(record.fields.count, names.count) && TextFolding.fold(record.fields[date]) == names[date]
        guard isNamed || left > 0 else { return false }
        if !isNamed { left -= 1 }
        guard Self.folded(record.fields) != names else {
            areOthers = false
            return true
        }
        let isTable =
            StatementColumns(header: record.fields, mapping: [:]).isTable
            && !record.fields.contains { StatementTable.isDate($0) || StatementAmount($0) != nil }
        if isTable { areOthers = true }
        return isNamed && !isTable
    }

    private static func folded(_ names: [String]) -> [String] {
        var names = names.map { TextFolding.fold($0) }
        while names.last?.isEmpty == true { names.removeLast() }
        return names
    }
}

extension Fault {
    fileprivate static let otherStatementTable = Fault(
        "row", .invalidFormat, "Belongs to another table with other columns. Save that one as a file of its own.")
}
