public import SubGuardDomain

/// One entry of a bank statement: money that left or reached the account.
public struct StatementBooking: Sendable, Hashable {
    /// The day of booking.
    public var on: CalendarDay
    /// Negative when money left the account.
    public var amount: Money
    /// The other party, or else the whole text of the bank, as the file has it.
    public var payee: String
    /// The purpose, and the kind of payment where the file does not have it apart; may be empty.
    public var note: String
    /// The bank's name for the kind of payment, where the file has it apart from the note; else empty.
    public var kind: String
    /// The line or entry of the file, counted from 1.
    public var row: Int
    /// The bank's reference of the entry, the same in each file that has it; empty without any.
    package var reference = ""
    /// The last day that is known of its account; nil for that of all statements.
    package var knownUntil: CalendarDay?

    /// Takes the fields as they are; nothing is checked.
    public init(
        on day: CalendarDay, amount: Money, payee: String, note: String = "", kind: String = "", row: Int
    ) {
        on = day
        self.amount = amount
        self.payee = payee
        self.note = note
        self.kind = kind
        self.row = row
    }
}

/// The formats of bank statements; the raw value is the wire form.
public enum StatementFormat: String, Sendable, Hashable, CaseIterable {
    /// CSV with any separator: comma, semicolon, tab or bar; a table with a date and amounts in its columns.
    case csv
    /// OFX 1 (SGML) and 2 (XML), also as QFX.
    case ofx
    /// QIF, of Quicken.
    case qif
    /// ISO 20022, camt.052 and camt.053; also several of them in a zip archive.
    case camt
    /// SWIFT MT940.
    case mt940
    /// A workbook of Office Open XML; its first visible sheet with a table is read.
    case xlsx
}

/// What a column of a table holds; the raw value is the name for `--map`.
public enum StatementField: String, Sendable, Hashable, CaseIterable {
    /// The day of the entry; of several such columns, the day of booking is used. A table must have one.
    case date
    /// The other party; of several such columns, the first one with letters in the row.
    case payee
    /// Further text of the bank, in any number of columns. In a row without a payee, the longest names the payee.
    case description
    /// The kind of payment: direct debit, card, transfer.
    case kind
    /// Negative for charges, unless nearly all amounts are positive, as in statements of credit cards.
    case amount
    /// Amounts that left the account, with any sign; where a column has both, the rarer one is a reversal.
    case debit
    /// Amounts that reached the account, as for ``debit``.
    case credit
    /// What the bank takes on top of the amount, with any sign; it becomes a part of the amount.
    case fee
    /// The code or sign of the currency of a row, such as `EUR` or `€`.
    case currency
    /// Whether the amount left the account: `debit`, `D`, `Soll`, `Af`.
    case direction
    /// Whether it was booked: only rows with a word for that are read.
    case state
    /// The balance after the entry, with which the amounts are compared.
    case balance
    /// Nothing that is read.
    case ignore
}

/// The order of day, month and year in numeric dates.
public enum DateOrder: String, Sendable, Hashable, CaseIterable {
    /// Day, month, year: `31/01/2027`.
    case dmy
    /// Month, day, year: `01/31/2027`.
    case mdy
    /// Year, month, day: `27/01/31`.
    case ymd
}

/// What the user said about a statement; nil and empty values are detected.
public struct StatementOptions: Sendable, Hashable {
    /// Fields by column name, or by number from 1.
    public var mapping: [String: StatementField] = [:]
    /// The encoding of a text file; reading throws when the bytes contradict it. Nil to detect it.
    public var encoding: StatementEncoding?
    /// The order of numeric dates; nil to tell it from the file.
    public var dateOrder: DateOrder?
    /// What stands between the cells of a CSV file: an ASCII character.
    public var separator: Character?
    /// What stands before the decimals in CSV, XLSX and QIF; nil to tell it from the amounts.
    public var decimalMark: DecimalMark?
    /// The currency of amounts without one.
    public var currency: Currency?
    /// The currency that is assumed, with a note, when neither the file nor the user names one.
    public var usualCurrency: Currency?
    /// The language of the user, which says how dates are usually written; nil for unknown.
    public var language: DisplayLanguage?

    /// Detects everything.
    public init() {}

    /// The currencies that a sign of several may mean, the most likely first: the user's, the file's, the usual one.
    func named(_ ofFile: Currency?...) -> [Currency] { ([currency] + ofFile + [usualCurrency]).compactMap { $0 } }

    /// The currency of a code in the file; that of the user where the file has none. Throws a fault for an unknown
    /// code.
    func currency(of code: String) throws(Fault) -> Currency {
        guard code.isEmpty else { return try FieldRules.currency(code) }
        guard let currency else { throw .unknownStatementCurrency }
        return currency
    }
}

/// What stands before the decimals of amounts.
public enum DecimalMark: String, Sendable, Hashable, CaseIterable {
    /// `12.34`
    case point
    /// `12,34`
    case comma

    /// The mark itself.
    public var character: Character { self == .point ? "." : "," }
    var byte: UInt8 { self == .point ? UInt8(ascii: ".") : UInt8(ascii: ",") }

    init(_ byte: UInt8) { self = byte == DecimalMark.comma.byte ? .comma : .point }
}

/// A statement as read from a file.
public struct Statement: Sendable, Hashable {
    /// The format, told from the content.
    public var format: StatementFormat
    /// The encoding of the text, given or detected; `utf8` for XLSX.
    public var encoding: StatementEncoding
    /// How the columns were understood; nil in other formats than CSV and XLSX.
    public var layout: StatementLayout?
    /// The order of day, month and year; nil when the dates need none.
    public var dates: StatementDateReading?
    /// Whether no amount proves the decimal mark: the balances, the fees or the currency decided, or thousands were
    /// assumed.
    public internal(set) var isDecimalMarkAssumed = false
    /// In the order of the file.
    public var bookings: [StatementBooking] = []
    /// Rows that cannot be read: the first ``maximumRefused``.
    public private(set) var refused: [RefusedBooking] = []
    /// How many rows cannot be read.
    public private(set) var refusedCount = 0
    /// What was left out or does not add up, for the user to read.
    public internal(set) var notes: [Sentence] = []
}

/// How a statement was understood.
public struct StatementLayout: Sendable, Hashable {
    /// The names of the columns with their fields, in the order of the file; columns are named by number without a
    /// header.
    public var columns: [(name: String, field: StatementField)] { Array(zip(names, fields)) }
    var names: [String] = []
    var fields: [StatementField] = []
    /// What stands between the cells; a tab for XLSX.
    public var separator: Character
    /// The line of the header; nil when the file has none.
    public var headerLine: Int? = nil
    /// The order of numeric dates; where the dates need none, the given one, else day, month, year.
    public var dateOrder: DateOrder
    /// What stands before the decimals: a point or a comma. When nothing tells which, it is the comma where points may
    /// separate thousands, else the point.
    public var decimalMark: DecimalMark
    /// Whether positive amounts are charges.
    public var chargesArePositive: Bool
}

extension Statement {
    /// The largest file that is read, in bytes.
    public static let maximumBytes = 64 << 20
    /// The largest number of entries in a file, with those that cannot be read.
    public static let maximumBookings = 500_000
    /// The largest number of rows in ``refused``.
    public static let maximumRefused = 1000
    /// No bank has an earlier entry in a file.
    private static let earliestDay = CalendarDay(uncheckedDaysSinceEpoch: 0)
    /// How many days after today an entry may be: some files list standing orders that are due.
    private static let daysAhead = 400

    /// Moves the entries before 1970, and of more than 400 days after today, to ``refused``.
    package mutating func refuseImpossibleDays(today: CalendarDay) {
        let days = Self.earliestDay...max(Self.earliestDay, today.adding(days: Self.daysAhead))
        let fault = Fault("date", .outOfRange, "Must be from \(days.lowerBound.iso) to \(days.upperBound.iso).")
        for booking in bookings where !days.contains(booking.on) {
            keep(booking.row, fault, column: "date", value: booking.on.iso)
        }
        bookings.removeAll { !days.contains($0.on) }
    }

    /// Reads a statement, whose format and encoding are told from its content.
    ///
    /// Throws a fault for the whole file when it is too large, is not a statement, has no entry, or when its columns or
    /// its currency cannot be told. Rows that cannot be read are in ``refused``.
    public static func read(_ bytes: [UInt8], _ options: StatementOptions = StatementOptions()) throws(Fault)
        -> Statement
    {
        var statement: Statement
        do throws(Fault) { statement = try readFile(bytes, options) } catch {
            guard error == .unknownStatementCurrency, let usual = options.usualCurrency else { throw error }
            var assuming = options
            assuming.currency = usual
            statement = try readFile(bytes, assuming)
            let isNamed =
                statement.bookings.contains { $0.amount.currency != usual }
                || statement.refused.contains { $0.fault.code == .unknownCurrency }
            statement.notes.append(
                isNamed
                    ? "Some entries name no currency; \(usual.code) is assumed for them."
                    : "The file names no currency; \(usual.code) is assumed.")
        }
        guard !statement.bookings.isEmpty || !statement.refused.isEmpty else {
            throw Fault("file", .required, "No entry was found in the file.")
        }
        return statement
    }

    private static func readFile(_ bytes: [UInt8], _ options: StatementOptions) throws(Fault) -> Statement {
        guard bytes.count <= maximumBytes else { throw .statementTooLarge }
        guard !StatementArchive.isArchive(bytes) else { return try StatementArchive.read(bytes, options) }
        var overlap = StatementOverlap()
        return try readFile(bytes, options, &overlap)
    }

    /// Reads a file, alone or out of an archive.
    ///
    /// - Parameter overlap: the statements of CAMT files before it.
    static func readFile(
        _ bytes: [UInt8], _ options: StatementOptions, _ overlap: inout StatementOverlap
    ) throws(Fault) -> Statement {
        guard bytes.count <= maximumBytes else { throw .statementTooLarge }
        guard !StatementArchive.isArchive(bytes) else {
            throw Fault("file", .invalidFormat, "The archive has another archive. Unpack it first.")
        }
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            throw Fault("file", .invalidFormat, "This is an old Excel workbook. Save it as XLSX or CSV.")
        }
        if bytes.starts(with: Array("%PDF".utf8)) {
            throw Fault(
                "file", .invalidFormat,
                "This is a PDF. Get the statement as CSV, XLSX, OFX, QIF, CAMT.053 or MT940 from the bank.")
        }
        let (text, encoding) = try StatementEncoding.utf8(bytes, options.encoding)
        let format = StatementFormat.detect(text)
        var statement = Statement(format: format, encoding: encoding)
        switch format {
        case .csv, .xlsx: try StatementTable.read(text, options, into: &statement)
        case .ofx: try OFXReader.read(text, options, into: &statement)
        case .qif: try QIFReader.read(text, options, into: &statement)
        case .camt: try CAMTReader.read(text, options, &overlap, into: &statement)
        case .mt940: try MT940Reader.read(text, options, into: &statement)
        }
        return statement
    }

    /// Adds an entry; one of zero is no payment.
    mutating func take(_ booking: StatementBooking) throws(Fault) {
        guard booking.amount.minorUnits != 0 else { return }
        try requireRoom()
        var booking = booking.readingStructure()
        booking.payee = Self.shortened(booking.payee)
        booking.note = Self.shortened(booking.note)
        bookings.append(booking)
    }

    /// Banks write up to 4 x 140 characters; more of a hostile file would cost much time for each of its entries.
    static func shortened(_ text: String, to most: Int = 600) -> String {
        text.utf8.count <= most ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(most)))
    }

    mutating func refuse(_ row: Int, _ fault: Fault, column: String = "", value: String = "") throws(Fault) {
        try requireRoom()
        keep(row, fault, column: column, value: value)
    }

    /// The currency of an entry's code, see ``StatementOptions/currency(of:)``; nil for an unknown one, for which the
    /// entry is refused.
    mutating func currency(
        of code: String, _ options: StatementOptions, _ row: Int, column: String
    ) throws(Fault) -> Currency? {
        do throws(Fault) {
            return try options.currency(of: code)
        } catch {
            guard error != .unknownStatementCurrency else { throw error }
            try refuse(row, error, column: column, value: code)
            return nil
        }
    }

    private func requireRoom() throws(Fault) {
        guard bookings.count + refusedCount < Self.maximumBookings else { throw .tooManyStatementEntries }
    }

    /// Adds what another file of an archive has.
    mutating func take(_ other: Statement) throws(Fault) {
        guard bookings.count + refusedCount + other.bookings.count + other.refusedCount <= Self.maximumBookings else {
            throw .tooManyStatementEntries
        }
        bookings += other.bookings
        refused += other.refused.prefix(Self.maximumRefused - refused.count)
        refusedCount += other.refusedCount
        notes += other.notes
    }

    /// How many rows are not in ``refused``, in words; nil when all are.
    package var furtherRefused: Sentence? {
        guard refusedCount > refused.count else { return nil }
        return "Further rows that cannot be read: \(refusedCount - refused.count)."
    }

    private mutating func keep(_ row: Int, _ fault: Fault, column: String, value: String) {
        refusedCount += 1
        guard refused.count < Self.maximumRefused else { return }
        refused.append(
            RefusedBooking(
                row: row, fault: fault, column: RefusedBooking.shown(column), value: RefusedBooking.shown(value)))
    }
}

extension Collection {
    /// The parts between separators, one after the other: an array of all takes 32 bytes for each empty line.
    func parts(separatedBy isSeparator: @escaping (Element) -> Bool) -> some Sequence<SubSequence> {
        sequence(state: Optional(self[...])) { rest in
            guard let text = rest else { return nil }
            let end = text.firstIndex(where: isSeparator)
            rest = end.map { text[text.index(after: $0)...] }
            return text[..<(end ?? text.endIndex)]
        }
    }
}

extension StatementFormat {
    /// The format, by the first 4 KB of a text in UTF-8.
    static func detect(_ text: [UInt8]) -> StatementFormat {
        let head = String(decoding: text.prefix(4096), as: UTF8.self)
        let start = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(16).uppercased()
        if start.hasPrefix("OFXHEADER") || head.uppercased().contains("<OFX>") { return .ofx }
        if start.hasPrefix("!TYPE") || start.hasPrefix("!ACCOUNT") || start.hasPrefix("!OPTION") { return .qif }
        if start.hasPrefix("<") { return head.uppercased().contains("OFX") ? .ofx : .camt }
        return MT940Reader.isStatement(head) ? .mt940 : .csv
    }
}

extension Fault {
    static let statementTooLarge = Fault(
        "file", .outOfRange, "Must have at most \(Statement.maximumBytes >> 20) MB.")
    static let tooManyStatementEntries = Fault(
        "file", .outOfRange, "Must have at most \(Statement.maximumBookings) entries.")
    static let statementEndsTooEarly = Fault("file", .invalidFormat, "The file ends too early.")
    static let unknownStatementCurrency = Fault(
        "currency", .required, "The file names no currency. Use --currency EUR.")
    static let unreadableStatementDate = Fault("date", .invalidDay, "Must be a date, such as 2027-01-15.")
    static let unreadableStatementAmount = Fault("amount", .invalidAmount, "Must be an amount such as 13.49.")
}

extension PayeeName {
    /// The other party of an entry.
    public init(_ booking: StatementBooking) {
        self.init(booking, dropping: 0)
    }

    /// - Parameter frame: how many of ``spelled`` are the bank's too.
    init(_ booking: StatementBooking, dropping frame: Int) {
        self.init(booking.payee, note: booking.note, type: booking.kind, dropping: frame)
    }
}
