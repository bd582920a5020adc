/// Tells what columns hold by what is in them, where names do not say it or are wrong.
struct StatementColumnFinder {
    private(set) var columns: StatementColumns
    private let contents: [StatementColumnContent]
    private let rows: [[String]]
    /// Whether the columns for either direction were told from content alone, so that they may be the wrong way round.
    private(set) var isPairGuessed = false

    /// A column that is not used, though some of its words say that an entry is not booked.
    private(set) var openStates: Int?

    /// A column that names the currency of another amount than the one that is read.
    private(set) var foreignCurrency: (column: Int, amount: Int)?

    /// - Parameter rows: the first rows of the table.
    init(_ columns: StatementColumns, _ rows: [[String]]) {
        self.columns = columns
        self.rows = rows
        contents = columns.fields.indices.map { column in
            // What a cell is shows in its beginning; any number of cells may name one long text.
            StatementColumnContent(
                rows.map { column < $0.count ? String($0[column].prefix(120)) : "" }, name: columns.words(of: column))
        }
    }

    mutating func find() {
        findDate()
        findAmounts()
        findCurrency()
        findWordsOfBanks()
        dropHolder()
        findTexts()
        dropKinds()
    }

    private func free(_ isMatch: (StatementColumnContent) -> Bool) -> [Int] {
        columns.fields.indices.filter { columns.isFree($0) && isMatch(contents[$0]) }
    }

    /// Takes the field from named columns whose content is something else.
    private mutating func verify(_ field: StatementField, _ isMatch: (StatementColumnContent) -> Bool) {
        for column in columns.columns(field) where contents[column].filled > 0 && !isMatch(contents[column]) {
            columns.set(column, .ignore)
        }
    }

    // MARK: Dates and amounts

    private mutating func findDate() {
        if let named = columns.column(.date), contents[named].areDates || contents[named].filled == 0 { return }
        // Another date of the header that was not the best one by its name.
        let named = columns.fields.indices.filter { columns.fields[$0] == .ignore && columns.ranks[$0] != nil }
        let dated = named.filter { contents[$0].areDates } + free(\.areDates)
        guard let column = dated.first else { return }
        columns.drop(.date)
        columns.set(column, .date)
    }

    private mutating func findAmounts() {
        // `Soll/Haben` is a word beside the amount, or the amount with its sign.
        if !columns.hasAmounts,
            let column = columns.columns(.direction).first(where: { contents[$0].areClearlyAmounts })
        {
            columns.set(column, .amount)
        }
        let numeric = free(\.areClearlyAmounts)
        // A named column gives way to content only where there is some.
        if !numeric.isEmpty || columns.columns(.debit).count + columns.columns(.credit).count > 0 {
            for field in [StatementField.amount, .debit, .credit] {
                let weak = columns.columns(field).filter { columns.weak.contains($0) }
                for column in columns.columns(field)
                where !contents[column].areAmounts && (contents[column].filled > 0 || field == .amount)
                    && (!numeric.isEmpty || weak.contains(column) || columns.has(.amount))
                {
                    columns.set(column, .ignore)
                }
            }
        }
        guard !columns.hasAmounts else { return findBalance(among: numeric) }
        let balances = Set(columns.columns(.balance))
        let numbers = numeric.filter { !balances.contains($0) }
        let candidates = numbers.filter { !contents[$0].areMostlyZero }
        let running = runningBalances(among: candidates + balances.sorted(), amounts: candidates)
        for column in running where !balances.contains(column) { columns.set(column, .balance) }
        var left = candidates.filter { !running.contains($0) }
        if left.isEmpty { left = candidates }
        let zeros = numbers.filter { contents[$0].areMostlyZero }
        if let (debit, credit) = pair(among: left) ?? pair(among: left, rare: zeros) {
            columns.set(debit, .debit)
            columns.set(credit, .credit)
            isPairGuessed = true
        } else if let column = left.first(where: { contents[$0].hasNegatives }) ?? left.first {
            columns.set(column, .amount)
        }
    }

    private mutating func findBalance(among numeric: [Int]) {
        guard !columns.has(.balance) else { return }
        let amounts = columns.ofAmounts
        if let column = runningBalances(among: numeric, amounts: amounts).last { columns.set(column, .balance) }
    }

    /// The columns in which each row follows from the one before or after it by one of the amounts.
    private func runningBalances(among columns: [Int], amounts: [Int]) -> [Int] {
        columns.prefix(Self.mostNumbers).filter { column in
            amounts.prefix(Self.mostNumbers).contains { amount in
                guard amount != column else { return false }
                let chain = StatementBalance.chain(
                    amounts: values(of: amount), balances: values(of: column), signs: .either)
                return chain.count >= 3 && chain.matches * 10 >= chain.count * 7
            }
        }
    }

    /// Columns of numbers that are compared with each other: more than any bank has.
    private static let mostNumbers = 20

    private func values(of column: Int) -> [Int64?] {
        rows.map { row in
            column < row.count ? StatementAmount(row[column], mark: contents[column].mark)?.scaled : nil
        }
    }

    /// Two columns of which each row fills one: debits, which are more, and credits.
    private func pair(among columns: [Int]) -> (debit: Int, credit: Int)? {
        let columns = columns.prefix(Self.mostNumbers)
        for (place, left) in columns.enumerated() {
            for right in columns.dropFirst(place + 1) {
                let used = zip(values(of: left), values(of: right)).map { (($0 ?? 0) != 0, ($1 ?? 0) != 0) }
                let single = used.count { $0 != $1 }
                let (lefts, rights) = (used.count { $0.0 }, used.count { $0.1 })
                guard lefts > 0, rights > 0, single * 10 >= used.count(where: { $0 || $1 }) * 9 else { continue }
                if contents[left].hasNegatives != contents[right].hasNegatives {
                    return contents[left].hasNegatives ? (left, right) : (right, left)
                }
                return lefts >= rights ? (left, right) : (right, left)
            }
        }
        return nil
    }

    /// A column of amounts without signs, and one that is zero but in the rows in which the first one is.
    private func pair(among columns: [Int], rare: [Int]) -> (debit: Int, credit: Int)? {
        for column in columns.prefix(Self.mostNumbers) where !contents[column].hasNegatives {
            for other in rare.prefix(Self.mostNumbers) where !contents[other].hasNegatives {
                let used = zip(values(of: column), values(of: other)).map { (($0 ?? 0) != 0, ($1 ?? 0) != 0) }
                if used.contains(where: { $0.1 }), used.allSatisfy({ $0.0 != $0.1 }) { return (column, other) }
            }
        }
        return nil
    }

    // MARK: Words

    private mutating func findCurrency() {
        verify(.currency, \.areNamedCurrencies)
        verify(.balance, \.areAmounts)
        verify(.fee, \.areAmounts)
        // The amount's own name is better than a column that may be about what was paid abroad.
        let isNamed = columns.ofAmounts.contains { columns.currencies[$0] != nil }
        if isNamed, let column = columns.column(.currency), columns.weak.contains(column) {
            columns.set(column, .ignore)
        }
        if isNamed { dropCurrencyOfOther() }
        if let column = columns.column(.currency), columns.weak.contains(column) { dropForeignCurrency() }
        guard !columns.has(.currency), !isNamed else { return }
        let named = columns.fields.indices.filter {
            columns.fields[$0] == .ignore && columns.ranks[$0] != nil && !columns.others.contains($0)
                && contents[$0].areCurrencies
        }
        guard let column = named.first ?? free(\.areCurrencies).first else { return }
        columns.set(column, .currency)
        dropForeignCurrency()
    }

    /// Drops a column of currencies that stands beside an amount which is not read, if it is about what was paid
    /// abroad: it differs from row to row, shares a word with that amount's name, or that name says so.
    private mutating func dropForeignCurrency() {
        let amounts = columns.ofAmounts
        let others = columns.fields.indices.filter { columns.fields[$0] == .ignore && contents[$0].areClearlyAmounts }
        guard let column = columns.column(.currency), !columns.ofAccount.contains(column), !amounts.isEmpty,
            !others.isEmpty
        else { return }
        let distance = { (other: Int) in abs(other - column) * 2 + (other < column ? 0 : 1) }
        guard let own = amounts.map(distance).min(), let other = others.min(by: { distance($0) < distance($1) }),
            distance(other) < own,
            columns.others.contains(other) || haveSharedWord(column, other)
                || Set(rows.map { column < $0.count ? $0[column] : "" }).count > 1
        else { return }
        drop(column, of: other)
    }

    /// Drops a column of currencies where the amount's own name has one, and an amount that is not read has none:
    /// `Subtotal (AUD)`, `Currency`, `Subtotal (transaction currency)`.
    private mutating func dropCurrencyOfOther() {
        guard let column = columns.column(.currency),
            let other = columns.fields.indices.first(where: {
                columns.fields[$0] == .ignore && columns.currencies[$0] == nil && contents[$0].areClearlyAmounts
            })
        else { return }
        drop(column, of: other)
    }

    private mutating func drop(_ column: Int, of other: Int) {
        columns.exclude(column)
        guard columns.fields[column] == .ignore else { return }
        foreignCurrency = (column, other)
    }

    /// `Transaction amount`, `Transaction currency`.
    private func haveSharedWord(_ one: Int, _ other: Int) -> Bool {
        !columns.words(of: one).isDisjoint(with: columns.words(of: other))
    }

    private mutating func findWordsOfBanks() {
        // Names that mean different things at different banks.
        let areSigned = columns.columns(.amount).contains { contents[$0].hasNegatives }
        for column in columns.columns(.direction)
        where !contents[column].areOnlyDirections && (areSigned || !contents[column].areMostlyDirections) {
            columns.set(column, .kind)
        }
        if !columns.has(.direction), columns.has(.amount), !areSigned,
            let column =
                (free(\.areDirections) + columns.columns(.kind).filter { contents[$0].areDirections }
                + columns.columns(.description).filter { contents[$0].areDirections }).first
        {
            columns.set(column, .direction)
        }
        for column in columns.columns(.description)
        where contents[column].filled > 0 && contents[column].areOnlyDirections {
            columns.set(column, .kind)
        }
        guard !columns.has(.state) else { return }
        if let column = free(\.areStates).first {
            columns.set(column, .state)
        } else {
            openStates = free(\.haveOpenStates).first
        }
    }

    /// A column of payees that hardly varies has the holder of the account.
    private mutating func dropHolder() {
        let payees = columns.columns(.payee)
        let others = columns.columns(.description)
        for column in payees where contents[column].isSteady || contents[column].filled == 0 {
            let varying = (payees + others).filter { $0 != column && contents[$0].variety > contents[column].variety }
            if varying.contains(where: { contents[$0].areWords }) { columns.set(column, .ignore) }
        }
    }

    /// A text that hardly varies says how it was paid.
    private mutating func dropKinds() {
        let texts = columns.columns(.description)
        guard texts.contains(where: { !contents[$0].isSteady && contents[$0].filled > 0 }) else { return }
        for column in texts where contents[column].isSteady { columns.set(column, .kind) }
    }

    private mutating func findTexts() {
        let named = columns.columns(.payee) + columns.columns(.description)
        let isEnough = named.contains { column in
            columns.given.contains(column)
                || contents[column].areWords && contents[column].filled * 10 >= rows.count * 3
                    && !contents[column].isSteady
        }
        guard !isEnough else { return }
        let unnamed = free(\.areWords) + columns.columns(.kind).filter { contents[$0].areWords }
        let texts = unnamed.filter { contents[$0].filled * 2 >= rows.count }
        let varied = texts.filter { !contents[$0].isSteady }
        let most = varied.map { contents[$0].variety }.max() ?? 0
        // Of columns that vary alike, the one with the most letters: a category has few wordings, a payee many.
        let best = varied.filter { contents[$0].variety * 5 >= most * 4 }
            .max { contents[$0].lettersOfCell < contents[$1].lettersOfCell }
        // A named text that hardly varies is better than another such one.
        if best == nil, named.contains(where: { contents[$0].areWords }) { return }
        if let column = best ?? texts.max(by: { contents[$0].lettersOfCell < contents[$1].lettersOfCell }) {
            columns.set(column, .description)
        }
    }
}
