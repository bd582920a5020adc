import SubGuardDomain

/// The columns of a table, as their names say.
struct StatementColumns: Sendable {
    private(set) var fields: [StatementField]
    /// Currencies that the names of columns end with: `Montant EUR`.
    private(set) var currencies: [Currency?]
    /// How good a name is for its field, from 0; nil where a column is not named after what it holds.
    private(set) var ranks: [Int?]
    /// Columns whose names only contain a word for their field: content has to agree.
    private(set) var weak: Set<Int> = []
    /// Columns whose names say that they hold something else, such as an account number.
    private(set) var others: Set<Int> = []
    /// Columns whose names speak of the account.
    private(set) var ofAccount: Set<Int> = []
    /// The words of the names, folded.
    private var words: [Set<Substring>] = []
    /// Columns that the user named.
    private(set) var given: Set<Int> = []

    /// No bank names a column with more characters. The cells of the first rows are read as names, too.
    private static let longestName = 120

    init(fields: [StatementField]) {
        self.fields = fields
        currencies = fields.map { _ in nil }
        ranks = fields.map { _ in nil }
    }

    /// Recognises the columns of a header; of several dates, the best one stays.
    ///
    /// - Parameter mapping: fields by folded name or by number from 1; these override recognised names.
    init(header: [String], mapping: [String: StatementField]) {
        self.init(fields: header.map { _ in .ignore })
        for (column, name) in header.enumerated() {
            let (folded, currency) = StatementColumnNames.folded(Statement.shortened(name, to: Self.longestName))
            currencies[column] = currency
            words.append(Set(folded.split(separator: " ")))
            let chosen = mapping.isEmpty ? nil : mapping[TextFolding.fold(name)] ?? mapping["\(column + 1)"]
            if let field = chosen {
                fields[column] = field
                ranks[column] = -1
                given.insert(column)
            } else if let found = StatementColumnNames.find(folded) {
                fields[column] = found.field
                ranks[column] = found.rank
                if found.isWeak { weak.insert(column) }
                if found.field == .ignore { others.insert(column) }
                if StatementColumnNames.isAccount(folded) { ofAccount.insert(column) }
            }
        }
        keepBest(.date)
        if !haveOwnCurrencies(.amount) { keepBest(.amount) }
        // Both say the same; the columns for either direction need no sign.
        if has(.amount), has(.debit), has(.credit), !mapping.values.contains(.amount) { drop(.amount) }
        for field in [StatementField.debit, .credit, .fee, .currency, .direction, .state, .balance] { keepBest(field) }
    }

    var isTable: Bool { has(.date) && hasAmounts }

    /// The columns with amounts of entries, in either direction.
    var ofAmounts: [Int] { [StatementField.amount, .debit, .credit].flatMap { columns($0) } }

    var hasAmounts: Bool { has(.amount) || has(.debit) || has(.credit) }

    func has(_ field: StatementField) -> Bool { fields.contains(field) }

    func column(_ field: StatementField) -> Int? { fields.firstIndex(of: field) }

    /// The folded words of a column's name.
    func words(of column: Int) -> Set<Substring> { words.indices.contains(column) ? words[column] : [] }

    func columns(_ field: StatementField) -> [Int] { fields.indices.filter { fields[$0] == field } }

    /// Whether content may decide what a column holds.
    func isFree(_ column: Int) -> Bool {
        fields[column] == .ignore && !given.contains(column) && !others.contains(column)
    }

    mutating func drop(_ field: StatementField, as other: StatementField = .ignore) {
        for column in fields.indices where fields[column] == field && !given.contains(column) { fields[column] = other }
    }

    mutating func set(_ column: Int, _ field: StatementField) {
        guard !given.contains(column) else { return }
        fields[column] = field
    }

    /// Ignores a column, whatever its content.
    mutating func exclude(_ column: Int) {
        guard !given.contains(column) else { return }
        fields[column] = .ignore
        others.insert(column)
    }

    /// Adds columns without a name, up to a width.
    mutating func widen(to width: Int, mapping: [String: StatementField]) {
        while fields.count < width {
            let field = mapping["\(fields.count + 1)"]
            if field != nil { given.insert(fields.count) }
            fields.append(field ?? .ignore)
            currencies.append(nil)
            ranks.append(field == nil ? nil : -1)
        }
    }

    /// Whether each of the columns is for another currency: `CAD$`, `USD$`.
    private func haveOwnCurrencies(_ field: StatementField) -> Bool {
        let found = columns(field)
        return Set(found.compactMap { currencies[$0] }).count == found.count
    }

    private mutating func keepBest(_ field: StatementField) {
        let found = columns(field)
        let best = found.min { left, right in
            (weak.contains(left) ? 1 : 0, ranks[left] ?? 0, left)
                < (weak.contains(right) ? 1 : 0, ranks[right] ?? 0, right)
        }
        for column in found where column != best { fields[column] = .ignore }
    }
}
