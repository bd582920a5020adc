import TextCoding

/// Reads CSV statements: finds the separator, the table below other lines, its columns, and how numbers are written.
struct StatementTable {
    typealias Record = CSVReader.Record

    private let options: StatementOptions
    let mapping: [String: StatementField]
    let records: [Record]
    /// Those of the table, without lines above.
    private(set) var rows: ArraySlice<Record>
    private(set) var columns = StatementColumns(fields: [])
    private(set) var layout: StatementLayout
    private var dates: StatementDateReading?

    static func read(_ text: [UInt8], _ options: StatementOptions, into statement: inout Statement) throws(Fault) {
        var table = try StatementTable(text, options, &statement)
        try table.findColumns()
        table.checkContent()
        try table.take(into: &statement)
        statement.layout = table.layout
        statement.dates = table.dates
    }

    init(_ text: [UInt8], _ options: StatementOptions, _ statement: inout Statement) throws(Fault) {
        self.options = options
        mapping = Dictionary(options.mapping.map { (TextFolding.fold($0.key), $0.value) }) { first, _ in first }
        let separator = Self.separator(of: text)
        var records: [Record] = []
        for result in StatementLines(text, separator: separator) {
            switch result {
            case .success(let record):
                guard records.count < Statement.maximumBookings else {
                    throw Fault("file", .outOfRange, "Must have at most \(Statement.maximumBookings) entries.")
                }
                records.append(record)
            case .failure(let failure):
                statement.refuse(failure.line, Fault("row", FaultCode(failure.kind), "Not valid CSV."))
            }
        }
        guard statement.refused.count <= StatementLines.maximumFailures else {
            throw Fault("file", .invalidFormat, "Not valid CSV.")
        }
        guard !records.isEmpty else { throw Fault("file", .required, "The file is empty.") }
        self.records = records
        rows = records[...]
        layout = StatementLayout(
            separator: Character(Unicode.Scalar(separator)), headerLine: nil, dateOrder: .dmy, decimalMark: ".",
            chargesArePositive: false)
    }

    /// The separator that gives the most fields in rows of the commonest width.
    private static func separator(of text: [UInt8]) -> UInt8 {
        var sample = Array(text.prefix(64 << 10))
        if sample.count < text.count, let end = sample.lastIndex(of: 0x0A) { sample.removeSubrange(end...) }
        let candidates: [UInt8] = [UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "\t"), UInt8(ascii: "|")]
        var best = (score: 0, separator: UInt8(ascii: ","))
        for separator in candidates {
            var widths: [Int: Int] = [:]
            for case .success(let record) in StatementLines(sample, separator: separator) {
                widths[record.fields.count, default: 0] += 1
            }
            // Ties go to the wider one, so that the result does not depend on the order of a dictionary.
            let common = widths.filter { $0.key > 1 }.max { ($0.value, $0.key) < ($1.value, $1.key) }
            // A decimal comma splits every amount in two, so rows count more than fields.
            let score = common.map { $0.value * 4 + min($0.key, 12) } ?? 0
            if score > best.score { best = (score, separator) }
        }
        return best.separator
    }

    // MARK: Columns

    mutating func findColumns() throws(Fault) {
        var header: Int?
        for place in records.indices.prefix(60) {
            let found = StatementColumns(header: records[place].fields, mapping: mapping)
            let isData = records[place].fields.contains { StatementDate($0) != nil }
            guard found.isTable, !isData else { continue }
            if header == nil { header = place }
            // Columns that are given by number would make a header of any line above.
            guard areNumbered, let date = found.column(.date), place + 1 < records.count else { break }
            let below = records[place + 1].fields
            guard date < below.count, Self.isDate(below[date]) else { continue }
            header = place
            break
        }
        guard let header else { return try inferColumns() }
        columns = StatementColumns(header: records[header].fields, mapping: mapping)
        rows = records[(header + 1)...]
        layout.headerLine = records[header].line
        layout.names = records[header].fields.map { CatalogueRules.trimmed($0) }
        try requireMapped(layout.names)
    }

    private var areNumbered: Bool { mapping.keys.contains { Int($0) != nil } }

    private func requireMapped(_ names: [String]) throws(Fault) {
        for name in mapping.keys.sorted() where !names.contains(where: { TextFolding.fold($0) == name }) {
            guard let number = Int(name), (1...max(names.count, 1)).contains(number) else {
                throw Fault(
                    "map", .unknownField, "No column is named \"\(name)\"; found: \(names.joined(separator: ", ")).")
            }
        }
    }

    /// Tells the columns of a table without a known header from their content.
    private mutating func inferColumns() throws(Fault) {
        let width = commonWidth(of: records)
        // The first line of dates begins the table; the line above may be its header in an unknown language.
        guard
            let first = records.firstIndex(where: { $0.fields.count == width && $0.fields.contains(where: Self.isDate) }
            )
        else { throw missing(.date, records.first?.fields ?? []) }
        rows = records[first...]
        let above = first > 0 && records[first - 1].fields.count == width ? records[first - 1] : nil
        layout.headerLine = above?.line
        layout.names = above?.fields.map { CatalogueRules.trimmed($0) } ?? (1...width).map { "\($0)" }
        var given = StatementColumns(header: layout.names, mapping: mapping)
        if layout.headerLine == nil {
            given = StatementColumns(fields: (1...width).map { mapping["\($0)"] ?? .ignore })
        }
        try requireMapped(layout.names)
        var fields = given.fields
        let sample = rows.prefix(300).filter { $0.fields.count == width }
        let share = { (column: Int, test: (String) -> Bool) -> Double in
            let cells = sample.map { $0.fields[column] }.filter { !$0.isEmpty }
            return cells.isEmpty ? 0 : Double(cells.count(where: test)) / Double(cells.count)
        }
        let mapped = mapping
        let free = { (column: Int) in fields[column] == .ignore && mapped["\(column + 1)"] == nil }
        if !fields.contains(.date), let column = (0..<width).first(where: { free($0) && share($0, Self.isDate) > 0.8 })
        {
            fields[column] = .date
        }
        if !fields.contains(.amount), !fields.contains(.debit) {
            let numeric = (0..<width).filter { free($0) && share($0, Self.isAmount) > 0.9 }
            let signed = numeric.first { column in sample.contains { $0.fields[column].contains("-") } }
            if let column = signed ?? numeric.first { fields[column] = .amount }
        }
        if !fields.contains(.payee), !fields.contains(.description) {
            let lengths = (0..<width).filter { free($0) && share($0) { !Self.isDate($0) && !Self.isAmount($0) } > 0.5 }
                .map { column in (sum: sample.reduce(0) { $0 + $1.fields[column].utf8.count }, column: column) }
            if let longest = lengths.max(by: { $0.sum < $1.sum }) { fields[longest.column] = .description }
        }
        columns = StatementColumns(fields: fields)
        for field in [StatementField.date, .amount] where !columns.has(field) {
            if field == .amount, columns.has(.debit) || columns.has(.credit) { continue }
            throw missing(field, layout.names)
        }
    }

    private func missing(_ field: StatementField, _ names: [String]) -> Fault {
        Fault(
            field.rawValue, .required,
            "No column recognised as the \(field.rawValue); found: \(names.prefix(20).joined(separator: ", ")). Use --map COLUMN=\(field.rawValue)."
        )
    }

    func commonWidth(of records: [Record]) -> Int {
        var widths: [Int: Int] = [:]
        for record in records { widths[record.fields.count, default: 0] += 1 }
        return widths.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 1
    }

    static func isDate(_ text: String) -> Bool { StatementDate(text) != nil }

    private static func isAmount(_ text: String) -> Bool {
        guard let amount = StatementAmount(text) else { return false }
        return amount.hasDecimals
    }

    // MARK: Content

    private mutating func checkContent() {
        let cells = { (column: Int?, rows: ArraySlice<Record>) -> [String] in
            guard let column else { return [] }
            return rows.compactMap { column < $0.fields.count && !$0.fields[column].isEmpty ? $0.fields[column] : nil }
        }
        let sample = rows.prefix(2000)
        // Names that mean different things at different banks.
        if let column = columns.column(.direction),
            !cells(column, sample).allSatisfy({ Self.isDebit($0) != nil })
        {
            columns.drop(.direction, as: .kind)
        }
        if let column = columns.column(.currency), !cells(column, sample).allSatisfy({ Currency(sign: $0) != nil }) {
            columns.drop(.currency)
        }
        let amounts = [StatementField.amount, .debit, .credit].flatMap { cells(columns.column($0), sample) }
        let mark = StatementAmount.mark(of: amounts) ?? UInt8(ascii: ".")
        layout.decimalMark = Character(Unicode.Scalar(mark))
        var evidence = dateEvidence()
        evidence.hasDecimalComma = mark == UInt8(ascii: ",")
        let written =
            cells(columns.column(.currency), sample).lazy.compactMap { Currency(sign: $0) }.first
            ?? amounts.lazy.compactMap { StatementAmount($0, mark: mark)?.currency }.first
            ?? columns.currencies.compactMap { $0 }.first
        evidence.isAmerican = (written ?? options.currency) == .usd
        dates = evidence.reading(options)
        layout.dateOrder = dates?.order ?? options.dateOrder ?? .dmy
        if let column = columns.column(.amount), !columns.has(.direction) {
            let signs = cells(column, sample).compactMap { StatementAmount($0, mark: mark)?.isNegative }
            // Somebody who receives money more often than spending it is not found in statements of five rows or more.
            layout.chargesArePositive = signs.count >= 5 && signs.count { !$0 } * 5 >= signs.count * 4
        }
        layout.fields = columns.fields
        while layout.names.count < layout.fields.count { layout.names.append("\(layout.names.count + 1)") }
    }

    /// Nil for what is no direction.
    static func isDebit(_ text: String) -> Bool? {
        switch TextFolding.fold(text) {
        case "debit", "d", "dr", "db", "s", "soll", "af", "dbit", "debet", "out", "sortie", "depense", "cargo",
            "uscita":
            true
        case "credit", "c", "cr", "h", "haben", "bij", "crdt", "in", "entree", "recette", "abono", "entrata": false
        default: text == "-" ? true : text == "+" ? false : nil
        }
    }

    /// Whether an entry with this state was booked.
    private static func isBooked(_ text: String) -> Bool {
        let state = TextFolding.fold(text)
        return ![
            "pending", "declined", "reverted", "failed", "cancelled", "canceled", "en attente", "refuse", "refusee",
            "annule", "annulee", "rejected", "vorgemerkt", "pendiente", "in sospeso", "blocked", "authorised",
            "authorized",
        ].contains(state)
    }

    // MARK: Rows

    private func take(into statement: inout Statement) throws(Fault) {
        let mark = layout.decimalMark.asciiValue
        let lastDated = rows.lastIndex { Self.isDate(cell(.date, $0)) } ?? rows.startIndex
        for place in rows.indices {
            let record = rows[place]
            let date = cell(.date, record)
            let texts = [StatementField.amount, .debit, .credit].map { cell($0, record) }
            // Blank lines, a repeated header, and totals below the table.
            if date.isEmpty, texts.allSatisfy(\.isEmpty) { continue }
            if place > lastDated { continue }
            if TextFolding.fold(date) == columns.column(.date).map({ TextFolding.fold(layout.names[$0]) }) { continue }
            if columns.has(.state), !Self.isBooked(cell(.state, record)) { continue }
            guard let day = StatementDate(date)?.day(layout.dateOrder) else {
                statement.refuse(
                    record.line, .unreadableStatementDate, column: name(columns.column(.date)), value: date)
                continue
            }
            let written = amountCell(record, mark)
            do throws(Fault) {
                guard let amount = try amount(written, record, mark) else { continue }
                let (payee, note) = words(record)
                try statement.take(
                    StatementBooking(on: day, amount: amount, payee: payee, note: note, row: record.line))
            } catch {
                if error == .unknownStatementCurrency || error.pointer == "file" { throw error }
                statement.refuse(record.line, error, column: name(written.column), value: written.text)
            }
        }
    }

    private func name(_ column: Int?) -> String {
        column.flatMap { layout.names.indices.contains($0) ? layout.names[$0] : nil } ?? ""
    }

    private func cell(_ field: StatementField, _ record: Record) -> String {
        guard let column = columns.column(field), column < record.fields.count else { return "" }
        return CatalogueRules.trimmed(record.fields[column])
    }

    /// The amount of an entry as it is written, its column, and whether it is a charge; nil where its sign tells.
    private func amountCell(_ record: Record, _ mark: UInt8?) -> (text: String, column: Int?, isCharge: Bool?) {
        let single = cell(.amount, record)
        guard columns.has(.debit) || columns.has(.credit), single.isEmpty || !columns.has(.amount) else {
            return (single, columns.column(.amount), nil)
        }
        let (debit, credit) = (cell(.debit, record), cell(.credit, record))
        let isDebit = StatementAmount(debit, mark: mark).map { !$0.isZero } ?? !debit.isEmpty
        // One column alone carries the sign of what is against its name.
        let areBoth = columns.has(.credit) && columns.has(.debit)
        let column = columns.column(isDebit ? .debit : .credit) ?? columns.column(.debit) ?? columns.column(.credit)
        return (isDebit ? debit : credit, column, areBoth ? isDebit : nil)
    }

    /// Negative when money left the account; nil for an entry of zero.
    private func amount(
        _ written: (text: String, column: Int?, isCharge: Bool?), _ record: Record, _ mark: UInt8?
    ) throws(Fault) -> Money? {
        var isCharge = written.isCharge
        guard let read = StatementAmount(written.text, mark: mark) else { throw .unreadableStatementAmount }
        guard
            let currency = Currency(sign: cell(.currency, record)) ?? read.currency
                ?? written.column.flatMap({ columns.currencies[$0] }) ?? options.currency
                ?? columns.currencies.compactMap({ $0 }).first
        else { throw .unknownStatementCurrency }
        let money = try read.money(in: currency)
        guard money.minorUnits != 0 else { return nil }
        if let direction = Self.isDebit(cell(.direction, record)), columns.has(.direction) { isCharge = direction }
        if isCharge == nil {
            isCharge = money.minorUnits < 0
            if layout.chargesArePositive || (!columns.has(.amount) && columns.has(.debit)) { isCharge?.toggle() }
        }
        let units = abs(money.minorUnits)
        return Money(minorUnits: isCharge == true ? -units : units, currency: currency)
    }

    private func words(_ record: Record) -> (payee: String, note: String) {
        let payee = cell(.payee, record)
        let kind = columns.columns(.kind).map { $0 < record.fields.count ? record.fields[$0] : "" }
        var texts = columns.columns(.description).compactMap { column -> String? in
            guard column < record.fields.count else { return nil }
            let text = CatalogueRules.trimmed(record.fields[column])
            return text.isEmpty ? nil : text
        }
        if payee.isEmpty, !texts.isEmpty {
            // The text with the most letters names the payee; others name the kind of payment, or are references.
            let letters = texts.map { text in text.unicodeScalars.count { $0.properties.isAlphabetic } }
            let longest = texts.indices.max { (letters[$0], -$0) < (letters[$1], -$1) } ?? 0
            let text = texts.remove(at: longest)
            return (text, (kind + texts).joined(separator: " "))
        }
        return (payee, (kind + texts).joined(separator: " "))
    }
}
