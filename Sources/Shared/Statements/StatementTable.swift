import SubGuardDomain
import TextCoding

/// Reads statements that are tables: finds the separator, the table below other lines, its columns, and how numbers are
/// written.
struct StatementTable {
    typealias Record = CSVReader.Record

    let options: StatementOptions
    let mapping: [String: StatementField]
    let records: [Record]
    /// Those of the table, without lines above.
    private(set) var rows: ArraySlice<Record>
    private(set) var columns = StatementColumns(fields: [])
    private(set) var layout: StatementLayout
    private(set) var dates: StatementDateReading?
    /// The decimal mark of the amounts; nil when nothing tells which.
    private(set) var mark: UInt8?
    /// Whether the user, the amounts or the balances tell ``mark``.
    private(set) var isMarkProven = false
    /// The only currency of the lines above the table.
    private(set) var currencyAbove: StatementPreamble.Named?
    /// Whether amounts have one or two decimals, so that three digits after the decimal mark are none of theirs.
    private(set) var haveCents = false
    /// Whether points and commas stand before three digits, and nothing tells which one separates thousands.
    private(set) var haveBothMarks = false
    /// Columns for one direction whose amounts are mostly negative.
    private(set) var negativeColumns: Set<Int> = []
    /// Whether the columns for either direction were told from content alone.
    private(set) var isPairGuessed = false
    /// The words of the column of directions.
    private(set) var directions = StatementDirections([])
    /// A word of most states, where none is known for what was booked.
    private(set) var usualState: String?
    /// See ``StatementColumnFinder/openStates``.
    private var openStates: Int?
    private(set) var notes: [Sentence] = []
    /// See ``CSVReader/brokenLines``.
    private(set) var brokenLines: [Int] = []

    /// The rows by which content is recognised.
    private static let sampleRows = 300
    private static let maximumCells = 16 << 20
    fileprivate static let maximumColumns = 256

    static func read(_ text: [UInt8], _ options: StatementOptions, into statement: inout Statement) throws(Fault) {
        try read(StatementTable(text, options), into: &statement)
    }

    static func read(_ table: StatementTable, into statement: inout Statement) throws(Fault) {
        var table = table
        try table.findColumns()
        table.checkContent()
        try table.take(into: &statement)
        statement.layout = table.layout
        statement.dates = table.dates
        statement.notes += table.notes
        guard !statement.bookings.isEmpty || !statement.refused.isEmpty else { throw table.nothing(statement.notes) }
        statement.notes += [table.noteOnLines].compactMap { $0 }
    }

    init(_ text: [UInt8], _ options: StatementOptions) throws(Fault) {
        var text = text
        var separator = options.separator?.asciiValue
        if let (named, end) = CSVReader.named(in: text) {
            separator = separator ?? named
            text.removeSubrange(..<end)
        }
        let mark = separator ?? Self.separator(of: text)
        guard Self.isNarrow(text, mark) else {
            throw .tooManyColumns
        }
        var reader = CSVReader(text, separator: mark, isLenient: true)
        reader.widths = Self.widths(of: text, separator: mark)
        var records: [Record] = []
        var cells = 0
        while true {
            let next: Record?
            do { next = try reader.next() } catch {
                throw Fault("file", .invalidFormat, "Not valid CSV.")
            }
            guard let next else { break }
            // Lines of cells that contain line ends.
            guard next.fields.count <= Self.maximumColumns else { throw .tooManyColumns }
            cells += next.fields.count
            guard records.count < Statement.maximumBookings, cells <= Self.maximumCells else {
                throw .tooManyStatementEntries
            }
            records.append(
                Record(line: next.line, fields: next.fields.map { Statement.shortened(Self.unguarded($0)) }))
        }
        try self.init(records, options, separator: mark)
        brokenLines = reader.brokenLines
    }

    /// - Parameter separator: what stands between the cells in the file; it is only shown.
    init(_ records: [Record], _ options: StatementOptions, separator: UInt8) throws(Fault) {
        guard !records.isEmpty else { throw Fault("file", .required, "The file is empty.") }
        self.options = options
        mapping = Dictionary(options.mapping.map { (TextFolding.fold($0.key), $0.value) }) { first, _ in first }
        self.records = records
        rows = records[...]
        layout = StatementLayout(
            separator: Character(Unicode.Scalar(separator)), headerLine: nil, dateOrder: .dmy, decimalMark: .point,
            chargesArePositive: false)
    }

    /// Some banks write `="0001"`, so that spreadsheets keep the zeros.
    private static func unguarded(_ cell: String) -> String {
        guard cell.utf8.first == UInt8(ascii: "="), cell.hasPrefix("=\""), cell.hasSuffix("\""), cell.utf8.count > 2
        else { return cell }
        return String(cell.dropFirst(2).dropLast())
    }

    /// Whether no line has too many cells; they would cost memory before the line is seen.
    private static func isNarrow(_ text: [UInt8], _ separator: UInt8) -> Bool {
        var count = 0
        for byte in text {
            if byte == separator {
                count += 1
                if count >= maximumColumns { return false }
            } else if byte == 0x0A || byte == 0x0D {
                count = 0
            }
        }
        return true
    }

    /// The separator that makes a header, else the one that gives the most fields in rows of the commonest width.
    private static func separator(of text: [UInt8]) -> UInt8 {
        var sample = Array(text.prefix(64 << 10))
        if sample.count < text.count, let end = sample.lastIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            sample.removeSubrange(end...)
        }
        let candidates: [UInt8] = [UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "\t"), UInt8(ascii: "|")]
        var best = (score: 0, separator: UInt8(ascii: ","))
        for separator in candidates where sample.contains(separator) {
            var widths: [Int: Int] = [:]
            var reader = CSVReader(sample, separator: separator, isLenient: true)
            reader.widths = Self.widths(of: sample, separator: separator)
            var hasHeader = false
            var count = 0
            while let record = try? reader.next() {
                widths[record.fields.count, default: 0] += 1
                count += 1
                guard !hasHeader, count <= 60, record.fields.count > 1 else { continue }
                hasHeader =
                    !record.fields.contains(where: Self.isDate)
                    && StatementColumns(header: record.fields, mapping: [:]).isTable
            }
            // Ties go to the wider one, so that the result does not depend on the order of a dictionary.
            let common = widths.filter { $0.key > 1 }.max { ($0.value, $0.key) < ($1.value, $1.key) }
            // A decimal comma splits every amount in two, so rows count more than fields.
            let score = common.map { $0.value * 4 + min($0.key, 12) + (hasHeader ? 1 << 20 : 0) } ?? 0
            if score > best.score { best = (score, separator) }
        }
        return best.separator
    }

    // MARK: Columns

    mutating func findColumns() throws(Fault) {
        locate()
        try requireMapped(layout.names)
        columns.widen(to: width(of: rows.prefix(Self.sampleRows)), mapping: mapping)
        var finder = StatementColumnFinder(columns, sample())
        finder.find()
        columns = finder.columns
        isPairGuessed = finder.isPairGuessed
        let foreign = finder.foreignCurrency
        openStates = finder.openStates
        layout.fields = columns.fields
        while layout.names.count < layout.fields.count { layout.names.append("\(layout.names.count + 1)") }
        if let foreign {
            note("Column \(name(foreign.column)) is taken for the currency of \(name(foreign.amount)), and not used.")
        }
        guard columns.has(.date) else { throw missing(.date) }
        guard columns.hasAmounts else { throw missing(.amount) }
        guard columns.has(.payee) || columns.has(.description) else { throw missing(.description) }
    }

    /// The first rows that have an entry's date, or all of the first ones while no such column is known.
    private func sample() -> [[String]] {
        let cells = rows.prefix(Self.sampleRows * 2).map { $0.fields.map { CatalogueRules.trimmed($0) } }
        let dated = cells.filter { $0.contains(where: Self.isDate) }
        return Array((dated.isEmpty ? cells : dated).prefix(Self.sampleRows))
    }

    /// Finds the header by its names, else the first row of dates, below the header that no name tells.
    private mutating func locate() {
        var header: Int?
        for place in records.indices.prefix(60) {
            guard !records[place].fields.contains(where: Self.isDate) else { continue }
            let found = StatementColumns(header: records[place].fields, mapping: mapping)
            guard found.isTable else { continue }
            if header == nil { header = place }
            // Columns that are given by number would make a header of any line above.
            guard areNumbered, let date = found.column(.date), place + 1 < records.count else { break }
            let below = records[place + 1].fields
            guard date < below.count, Self.isDate(below[date]) else { continue }
            header = place
            break
        }
        if header == nil { header = headerAboveDates() }
        if let header {
            columns = StatementColumns(header: records[header].fields, mapping: mapping)
            rows = records[(header + 1)...]
            layout.headerLine = records[header].line
            layout.names = records[header].fields.map { CatalogueRules.trimmed($0) }
        } else {
            let width = width(of: rows.prefix(Self.sampleRows))
            layout.names = (1...width).map { "\($0)" }
        }
        currencyAbove = StatementPreamble.currency(of: records[..<(header ?? rows.startIndex)])
    }

    private var areNumbered: Bool { mapping.keys.contains { Int($0) != nil } }

    /// Cuts the lines above the first entry off; the last of them is the header if it is as wide and has words only.
    private mutating func headerAboveDates() -> Int? {
        let dated = records.prefix(2000).filter { $0.fields.count > 1 && $0.fields.contains(where: Self.isDate) }
        let width = width(of: dated[...])
        // Lines above may have dates too, in other columns.
        var counts: [Int: Int] = [:]
        for record in dated {
            for (column, cell) in record.fields.enumerated() where Self.isDate(cell) { counts[column, default: 0] += 1 }
        }
        let date = counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
        guard let date,
            let first = records.firstIndex(where: { record in
                record.fields.count > date && Self.isDate(record.fields[date])
                    && record.fields.contains { Self.isNumber($0) }
            })
        else {
            // Nothing is dated: the first line of the commonest width is named in the refusal.
            let width = self.width(of: records.prefix(2000))
            return records.firstIndex { $0.fields.count == width }
        }
        rows = records[first...]
        guard first > 0 else { return nil }
        let above = records[first - 1].fields
        let words = above.filter { !$0.isEmpty && !Self.isDate($0) && !Self.isNumber($0) }
        return above.count >= width - 1 && words.count * 2 > above.count ? first - 1 : nil
    }

    private func requireMapped(_ names: [String]) throws(Fault) {
        for name in mapping.keys.sorted() where !names.contains(where: { TextFolding.fold($0) == name }) {
            guard let number = Int(name), (1...max(names.count, 1)).contains(number) else {
                throw Fault("map", .unknownField, "No column is named \"\(name)\"; found: \(Self.shown(names)).")
            }
        }
    }

    private func missing(_ field: StatementField) -> Fault {
        let names = Self.shown(layout.names)
        return Fault(
            field.rawValue, .required,
            "No column recognised as the \(field.rawValue); found: \(names). Use --map COLUMN=\(field.rawValue).")
    }

    /// The first columns as they can be shown on a line.
    private static func shown(_ names: [String]) -> String {
        names.prefix(20).map { RefusedBooking.shown($0) }.joined(separator: ", ")
    }

    /// Why a table has no entry.
    private func nothing(_ notes: [Sentence]) -> Fault {
        if let note = notes.first { return Fault("file", .required, note) }
        let used = layout.columns.filter { $0.field != .ignore }
            .map { "\(RefusedBooking.shown($0.name))=\($0.field.rawValue)" }.joined(separator: ", ")
        return Fault(
            "file", .required,
            "No entry was found in the file; columns: \(used). Use --map COLUMN=field to correct them.")
    }

    func commonWidth(of records: [Record]) -> Int { width(of: records[...]) }

    private func width(of records: ArraySlice<Record>) -> Int {
        var widths: [Int: Int] = [:]
        for record in records { widths[record.fields.count, default: 0] += 1 }
        return widths.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 1
    }

    static func isDate(_ text: String) -> Bool { StatementDate(text) != nil }

    private static func isNumber(_ text: String) -> Bool { StatementAmount(text) != nil }

    // MARK: Content

    private mutating func checkContent() {
        let sample = rows.prefix(2000)
        let cells = { (column: Int?) -> [String] in
            guard let column else { return [] }
            return sample.compactMap {
                column < $0.fields.count && !$0.fields[column].isEmpty ? $0.fields[column] : nil
            }
        }
        let amounts = columns.ofAmounts.flatMap { cells($0) }
        let found = options.decimalMark?.byte ?? StatementAmount.mark(of: amounts)
        let named = options.named()
        let written =
            cells(columns.column(.currency)).lazy.compactMap { CurrencySign($0)?.currency(preferring: named) }.first
            ?? amounts.lazy.compactMap { StatementAmount($0, mark: found)?.sign?.currency(preferring: named) }
            .first
            ?? columns.currencies.compactMap { $0 }.first ?? currencyAbove?.currency
        mark = found ?? StatementAmount.mark(of: amounts, in: written ?? options.currency)
        isMarkProven = mark != nil
        if mark == nil { (mark, isMarkProven) = decimalMark(of: amounts, in: written ?? options.currency) }
        haveBothMarks = !isMarkProven && firstUnclear(with: ".") != nil && firstUnclear(with: ",") != nil
        haveCents = amounts.contains { StatementAmount($0, mark: mark)?.hasCents == true }
        layout.decimalMark = DecimalMark(mark ?? shownMark())
        var evidence = dateEvidence()
        evidence.hasDecimalComma = layout.decimalMark == .comma
        evidence.isAmerican = (written ?? options.currency) == .usd
        dates = evidence.reading(options)
        layout.dateOrder = dates?.order ?? options.dateOrder ?? .dmy
        readSigns()
        readDirections()
        for column in columns.columns(.debit) + columns.columns(.credit) {
            let signs = cells(column).compactMap { StatementAmount($0, mark: mark) }.filter { !$0.isZero }
            if signs.count(where: \.isNegative) * 2 > signs.count { negativeColumns.insert(column) }
        }
        checkStates(cells(columns.column(.state)))
        if let openStates { noteStates(of: openStates, cells(openStates)) }
        layout.fields = columns.fields
    }

    /// A column of which no word is known tells nothing. Where only words for what was not booked are known, that of
    /// most entries is for the others.
    private mutating func checkStates(_ cells: [String]) {
        guard let column = columns.column(.state), !cells.isEmpty else { return }
        let counts = Dictionary(cells.map { ($0, 1) }, uniquingKeysWith: +)
        let states = counts.map { (word: $0.key, count: $0.value, isBooked: StatementState.isBooked($0.key)) }
        guard !states.contains(where: { $0.isBooked == true }) else { return }
        if states.contains(where: { $0.isBooked == false }) {
            usualState = states.first { $0.isBooked == nil && $0.count * 2 > cells.count }
                .map { CatalogueRules.trimmed($0.word) }
            guard let usualState else { return }
            return note("“\(RefusedBooking.shown(usualState))” in column \(name(column)) is taken for booked.")
        }
        columns.drop(.state)
        guard !columns.has(.state) else { return }
        let words = Set(cells).sorted().prefix(5).map { "“\(RefusedBooking.shown($0))”" }.joined(separator: ", ")
        notes.append("No word of column \(name(column)) says what was booked: \(words). All entries count.")
    }

    /// Names a column of which some words say that an entry was not booked.
    private mutating func noteStates(of column: Int, _ cells: [String]) {
        guard let open = cells.first(where: { StatementState.isBooked($0) == false }) else { return }
        note(
            """
            Column \(name(column)) is not used, though “\(RefusedBooking.shown(open))” in it may mean an entry that \
            was not booked. Use --map \(name(column))=state to leave such entries out.
            """)
    }

    func name(_ column: Int?) -> String {
        column.flatMap { layout.names.indices.contains($0) ? RefusedBooking.shown(layout.names[$0]) : nil } ?? ""
    }

    mutating func take(_ directions: StatementDirections) { self.directions = directions }

    mutating func chargesArePositive(_ arePositive: Bool) { layout.chargesArePositive = arePositive }

    mutating func note(_ sentence: Sentence) { notes.append(sentence) }
}

extension Fault {
    fileprivate static let tooManyColumns = Fault(
        "file", .outOfRange, "Must have at most \(StatementTable.maximumColumns) columns.")
}
